#include "arch/stub_code.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace anympi::arch {
namespace {

constexpr std::size_t page_size = 4096;
constexpr std::size_t stubs_per_page = 256;

// Records are as large as stubs, so that the distance from a stub to its record is the same for every stub of a page.
static_assert(sizeof(stub_record) * stubs_per_page == page_size);

extern "C" {
// Used only by this file and the assembly below.
[[gnu::visibility("hidden")]] stub_record anympi_stub_records[stubs_per_page];
[[gnu::visibility("hidden")]] extern const std::byte anympi_stub_pool[page_size];
[[gnu::visibility("hidden")]] extern const std::byte anympi_stub_template[page_size];
}

// Two pages of 256 stubs. The pool is executed where it is; its records are in .bss. The template expects its records
// in the page after it and is never executed in place: it is mapped again, each time in front of a new data page. The
// three bytes of padding are instructions that trap.
asm(R"(
    .macro anympi_stubs name, records, first
    .hidden \name
    .globl \name
    .type \name, @function
\name:
    .set .Lanympi_record, \first
    .rept 256
    mov \records + .Lanympi_record(%rip), %r9
    jmp *\records + .Lanympi_record + 8(%rip)
    .byte 0xcc, 0xcc, 0xcc
    .set .Lanympi_record, .Lanympi_record + 16
    .endr
    .size \name, . - \name
    .endm

    .pushsection .text.anympi_stubs, "ax", @progbits
    .p2align 12
    anympi_stubs anympi_stub_pool, anympi_stub_records, 0
    anympi_stubs anympi_stub_template, anympi_stub_template, 4096
    .popsection
    .purgem anympi_stubs
)");

// The place of the template in the file on disk.
struct template_file {
    const char* path;
    off_t offset;
};

int find_template_file(dl_phdr_info* object, std::size_t, void* result) {
    const auto wanted = reinterpret_cast<std::uintptr_t>(anympi_stub_template) - object->dlpi_addr;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || wanted - segment.p_vaddr >= segment.p_filesz)
            continue;
        // The executable has an empty name here. It contains this code if the front was linked statically.
        const bool is_executable = object->dlpi_name == nullptr || object->dlpi_name[0] == '\0';
        auto* file = static_cast<template_file*>(result);
        file->path = is_executable ? "/proc/self/exe" : object->dlpi_name;
        file->offset = static_cast<off_t>(segment.p_offset + (wanted - segment.p_vaddr));
        return 1;
    }
    return 0;
}

bool map_template(void* place) {
    template_file file{};
    if (dl_iterate_phdr(find_template_file, &file) == 0)
        return false;
    const int descriptor = open(file.path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    // This file may not be the one that was loaded: the file was replaced, or the user started the program through the
    // dynamic linker, which is then the executable. Reading beyond the end of a mapped file raises SIGBUS.
    const bool is_long_enough = lseek(descriptor, 0, SEEK_END) >= file.offset + static_cast<off_t>(page_size);
    void* mapped = is_long_enough
                       ? mmap(place, page_size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, descriptor, file.offset)
                       : nullptr;
    close(descriptor);
    return mapped == place && std::memcmp(place, anympi_stub_template, page_size) == 0;
}

// Used if the file was deleted or replaced, or if its file system forbids executable mappings. The page becomes
// executable only after it was written.
bool copy_template(void* place) {
    void* copy = mmap(place, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (copy != place)
        return false;
    std::memcpy(place, anympi_stub_template, page_size);
    return mprotect(place, page_size, PROT_READ | PROT_EXEC) == 0;
}

// Maps a new page of stubs and their records. Returns the records, or nullptr.
stub_record* add_page() {
    void* place = mmap(nullptr, 2 * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return nullptr;
    if (!map_template(place) && !copy_template(place)) {
        munmap(place, 2 * page_size);
        return nullptr;
    }
    return reinterpret_cast<stub_record*>(static_cast<std::byte*>(place) + page_size);
}

bool pool_is_given_out = false;

} // namespace

stub_row add_stubs() {
    stub_record* const records = pool_is_given_out ? add_page() : anympi_stub_records;
    pool_is_given_out = true;
    return {records, records != nullptr ? stubs_per_page : 0};
}

void* stub_of(stub_record* data) {
    const auto offset = reinterpret_cast<std::uintptr_t>(data) - reinterpret_cast<std::uintptr_t>(anympi_stub_records);
    if (offset < sizeof anympi_stub_records)
        return const_cast<std::byte*>(anympi_stub_pool) + offset;
    return reinterpret_cast<std::byte*>(data) - page_size;
}

} // namespace anympi::arch
