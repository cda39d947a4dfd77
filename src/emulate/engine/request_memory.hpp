#pragma once

#include "convert/pair.hpp"

#include <cstddef>
#include <cstdlib>

namespace anympi::emulate {

/// The header of a block of memory that is freed with a pending operation. The link for the operation's list is part of
/// the header, so that adding the block to the list needs no memory.
struct alignas(std::max_align_t) memory_block {
    memory_block* next;

    void* memory() { return this + 1; }
    static memory_block* of(void* memory) { return static_cast<memory_block*>(memory) - 1; }
};

inline void* allocate_request_memory(std::size_t size) {
    auto* const made = static_cast<memory_block*>(std::malloc(sizeof(memory_block) + size));
    return made != nullptr ? made->memory() : nullptr;
}
inline void free_request_memory(void* memory) {
    if (memory != nullptr)
        std::free(memory_block::of(memory));
}

/// Attaches memory to a request of the runtime. The memory is freed when the operation has completed; for a persistent
/// operation, when its request is freed. For that purpose, the request becomes a compound request. The constructor
/// allocates the compound before the operation begins, while a lack of memory can still be reported.
template <class Run>
class request_memory {
public:
    request_memory();
    ~request_memory();
    request_memory(const request_memory&) = delete;
    request_memory& operator=(const request_memory&) = delete;

    bool lacks_memory() const { return made == nullptr; }

    /// `memory` must come from allocate_request_memory.
    void attach(handle_of<Run, object::request>* request, bool is_persistent, void* memory);

private:
    void* made;
};

} // namespace anympi::emulate
