#include "runtime/identify/fingerprint.hpp"

#include "runtime/identify/mapped_file.hpp"

#include <cstdint>

namespace anympi::runtime {
namespace {

constexpr std::size_t longest_number = 32; // the maximum length in bytes; no linker writes more

void append_build(bounded_text<160>& text, const char* path) {
    const mapped_file mapped(path);
    elf_file file;
    byte_range number;
    if (elf_file::read(mapped.bytes(), file) == elf_file::state::good)
        number = file.note("GNU", NT_GNU_BUILD_ID);
    if (number.empty())
        text.append("%zu bytes", mapped.bytes().size());
    for (std::uint64_t i = 0; i < number.size() && i < longest_number; i++)
        text.append("%02x", *number.entry<unsigned char>(i));
}

} // namespace

bounded_text<160> fingerprint(const library& mpi) {
    bounded_text<160> text;
    text.append("%s%s%s;", mpi.product, *mpi.version != '\0' ? " " : "", mpi.version);
    append_build(text, mpi.path);
    return text;
}

} // namespace anympi::runtime
