#include "base/stubs.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace anympi {
namespace {

constexpr std::size_t page_size = 4096;
constexpr std::size_t stubs_per_page = 256;

/// What a stub loads. Records are as large as stubs, so that every stub of a page finds its own at the same distance.
struct record {
    void* function;
    void* converter;
};
static_assert(sizeof(record) * stubs_per_page == page_size);

extern "C" {
// Shared with the assembly below only.
[[gnu::visibility("hidden")]] record anympi_stub_records[stubs_per_page];
[[gnu::visibility("hidden")]] extern const std::byte anympi_stub_pool[page_size];
[[gnu::visibility("hidden")]] extern const std::byte anympi_stub_template[page_size];
}

// Two pages of 256 stubs. The pool is used where it is and has its records in .bss; the template expects them in the
// page behind it and is never run in place: it is mapped again, each time in front of a fresh data page. The three
// bytes of padding trap.
asm(R"(
    .pushsection .text.anympi_stubs, "ax", @progbits
    .p2align 12
    .hidden anympi_stub_pool
    .globl anympi_stub_pool
    .type anympi_stub_pool, @function
anympi_stub_pool:
    .set .Lanympi_record, 0
    .rept 256
    mov anympi_stub_records + .Lanympi_record(%rip), %r9
    jmp *anympi_stub_records + .Lanympi_record + 8(%rip)
    .byte 0xcc, 0xcc, 0xcc
    .set .Lanympi_record, .Lanympi_record + 16
    .endr
    .size anympi_stub_pool, . - anympi_stub_pool

    .hidden anympi_stub_template
    .globl anympi_stub_template
    .type anympi_stub_template, @function
anympi_stub_template:
    .set .Lanympi_record, 4096
    .rept 256
    mov anympi_stub_template + .Lanympi_record(%rip), %r9
    jmp *anympi_stub_template + .Lanympi_record + 8(%rip)
    .byte 0xcc, 0xcc, 0xcc
    .set .Lanympi_record, .Lanympi_record + 16
    .endr
    .size anympi_stub_template, . - anympi_stub_template
    .popsection
)");

// --- pages of stubs ---

/// Where the template lies on disk.
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
        // The executable itself has no name here: it holds us when the front was linked statically.
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
    // The file may be another than the one that was loaded: it was replaced, or the program was started by the dynamic
    // linker, which is the executable then. Reading behind its end would be a signal.
    const bool is_long_enough = lseek(descriptor, 0, SEEK_END) >= file.offset + static_cast<off_t>(page_size);
    void* mapped = is_long_enough
                       ? mmap(place, page_size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, descriptor, file.offset)
                       : nullptr;
    close(descriptor);
    return mapped == place && std::memcmp(place, anympi_stub_template, page_size) == 0;
}

/// For files that were deleted, replaced or lie where mapping code is forbidden. Executable only after it was written.
bool copy_template(void* place) {
    void* copy = mmap(place, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (copy != place)
        return false;
    std::memcpy(place, anympi_stub_template, page_size);
    return mprotect(place, page_size, PROT_READ | PROT_EXEC) == 0;
}

/// The records of a new page of stubs, or nullptr.
record* add_page() {
    void* place = mmap(nullptr, 2 * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return nullptr;
    if (!map_template(place) && !copy_template(place)) {
        munmap(place, 2 * page_size);
        return nullptr;
    }
    return reinterpret_cast<record*>(static_cast<std::byte*>(place) + page_size);
}

void* stub_of(record* data) {
    const auto offset = reinterpret_cast<std::uintptr_t>(data) - reinterpret_cast<std::uintptr_t>(anympi_stub_records);
    if (offset < sizeof anympi_stub_records)
        return const_cast<std::byte*>(anympi_stub_pool) + offset;
    return reinterpret_cast<std::byte*>(data) - page_size;
}

// --- table of records ---

/// Open addressing, at most half full, entries only ever added. A full table is replaced by one of twice its size; the
/// old one stays, because another thread may be reading it.
struct table {
    std::size_t mask;
    std::atomic<record*>* entries;
    table* replaced;
};

constexpr std::size_t first_table_size = 2 * stubs_per_page;
std::atomic<record*> first_entries[first_table_size];
table first_table{first_table_size - 1, first_entries, nullptr};
std::atomic<table*> current{&first_table};

/// The entry that holds the pair, or the empty one where it belongs.
std::atomic<record*>& entry_for(const table& in, record wanted) {
    const auto mixed = (reinterpret_cast<std::uintptr_t>(wanted.function) ^
                        reinterpret_cast<std::uintptr_t>(wanted.converter) * 0xff51afd7ed558ccdU) *
                       0x9e3779b97f4a7c15U;
    for (std::size_t i = mixed >> 32;; ++i) {
        auto& entry = in.entries[i & in.mask];
        const record* data = entry.load(std::memory_order_acquire);
        if (data == nullptr || (data->function == wanted.function && data->converter == wanted.converter))
            return entry;
    }
}

/// Everything below is changed by the owner of this lock only. No code of the user runs while it is held.
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
record* next_free = anympi_stub_records;
std::size_t free_in_page = stubs_per_page;
std::size_t used;

// A child must not inherit the lock from a thread that does not exist in it.
void take_lock() {
    pthread_mutex_lock(&lock);
}
void release_lock() {
    pthread_mutex_unlock(&lock);
}

bool grow() {
    table* old = current.load(std::memory_order_relaxed);
    const std::size_t size = 2 * (old->mask + 1);
    auto* larger = static_cast<table*>(std::calloc(1, sizeof(table)));
    auto* entries = static_cast<std::atomic<record*>*>(std::calloc(size, sizeof(std::atomic<record*>)));
    if (larger == nullptr || entries == nullptr) {
        std::free(larger);
        std::free(entries);
        return false;
    }
    *larger = {size - 1, entries, old};
    for (std::size_t i = 0; i <= old->mask; ++i)
        if (record* data = old->entries[i].load(std::memory_order_relaxed))
            entry_for(*larger, *data).store(data, std::memory_order_relaxed);
    current.store(larger, std::memory_order_release);
    return true;
}

bool make_room() {
    if (used == 0)
        pthread_atfork(take_lock, release_lock, release_lock);
    if (used > current.load(std::memory_order_relaxed)->mask / 2 && !grow())
        return false;
    if (free_in_page == 0) {
        next_free = add_page();
        free_in_page = next_free != nullptr ? stubs_per_page : 0;
    }
    return free_in_page != 0;
}

void* add(record wanted) {
    auto* entry = &entry_for(*current.load(std::memory_order_relaxed), wanted);
    if (record* known = entry->load(std::memory_order_relaxed))
        return stub_of(known);
    if (!make_room())
        return nullptr;
    record* data = next_free++;
    --free_in_page;
    ++used;
    *data = wanted;
    entry_for(*current.load(std::memory_order_relaxed), wanted).store(data, std::memory_order_release);
    return stub_of(data);
}

} // namespace

void* stub_for(void* user_function, void* converter) {
    const record wanted{user_function, converter};
    const auto& entry = entry_for(*current.load(std::memory_order_acquire), wanted);
    if (record* known = entry.load(std::memory_order_acquire))
        return stub_of(known);

    // open() and close() are cancellation points: a thread that ended there would keep the lock.
    int cancellation;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    take_lock();
    void* stub = add(wanted);
    release_lock();
    pthread_setcancelstate(cancellation, &cancellation);
    return stub;
}

} // namespace anympi
