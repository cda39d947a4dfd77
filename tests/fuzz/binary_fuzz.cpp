// Any bytes as a program, for the reader that `anympi inspect` and the search for MPI libraries use.
#include "command/inspect/binary.hpp"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace anympi;
    const runtime::byte_range range(bytes, size);
    const command::binary file = command::read_binary(range);
    // If the file cannot be read, nothing else may be reported about it.
    if (!file.problem.empty() && (!file.needed.empty() || !file.uses.is_empty()))
        __builtin_trap();
    runtime::elf_file library;
    if (runtime::elf_file::read(range, library) == runtime::elf_file::state::good)
        library.text_of(library.soname());
    return 0;
}
