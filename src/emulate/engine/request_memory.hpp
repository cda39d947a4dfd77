#pragma once

#include "convert/pair.hpp"

#include <cstddef>
#include <cstdlib>

namespace anympi::emulate {

/// The head of a block of memory that lives as long as a pending operation. The link for the operation's list lies in
/// front of the memory, so that adding it to the list needs no memory.
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

/// Attaches memory to a request of the runtime: it is freed when the operation has completed or, if it is persistent,
/// when its request is freed. The request becomes a compound request for that. The object is made before the operation
/// begins, while a lack of memory can still be reported.
template <class Run>
class request_memory {
public:
    request_memory();
    ~request_memory();
    request_memory(const request_memory&) = delete;
    request_memory& operator=(const request_memory&) = delete;

    bool lacks_memory() const { return made == nullptr; }

    /// `memory` is of allocate_request_memory.
    void attach(handle_of<Run, object::request>* request, bool is_persistent, void* memory);

private:
    void* made;
};

} // namespace anympi::emulate
