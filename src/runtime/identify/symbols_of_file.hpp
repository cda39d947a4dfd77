#pragma once

#include "runtime/identify/mapped_file.hpp"

namespace anympi::runtime {

/// The dynamic symbols of a file, which stays mapped while this object exists. Empty if the file cannot be read.
class symbols_of_file {
public:
    explicit symbols_of_file(const char* path) : mapped_(path) { elf_file::read(mapped_.bytes(), elf_); }
    bool define(std::string_view name) const { return elf_.defines(name); }

private:
    mapped_file mapped_;
    elf_file elf_;
};

} // namespace anympi::runtime
