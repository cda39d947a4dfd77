#pragma once

#include "runtime/identify/elf_file.hpp"

namespace anympi::runtime {

/// A file that is mapped while this object exists. Costs two file system calls for an existing file, one for a missing
/// file.
class mapped_file {
public:
    enum class state : unsigned char { mapped, missing, unreadable, folder, no_file };

    explicit mapped_file(const char* path) : state_(map(path)) {}
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;
    ~mapped_file();

    state result() const { return state_; }
    byte_range bytes() const { return {static_cast<const unsigned char*>(address_), size_}; }

private:
    state map(const char* path);
    state map(int descriptor);

    void* address_ = nullptr;
    std::size_t size_ = 0;
    state state_;
};

} // namespace anympi::runtime
