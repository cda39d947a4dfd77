#pragma once

#include "convert/pair.hpp"

#include <cstddef>
#include <cstdlib>

namespace anympi::emulate {

/// Memory that lives as long as an operation which is pending. Its place in the list of the operation lies in front of
/// it, so that it can always be added there.
struct alignas(std::max_align_t) kept_block {
    kept_block* next;

    void* memory() { return this + 1; }
    static kept_block* of(void* memory) { return static_cast<kept_block*>(memory) - 1; }
};

inline void* allocate_kept(std::size_t size) {
    auto* const made = static_cast<kept_block*>(std::malloc(sizeof(kept_block) + size));
    return made != nullptr ? made->memory() : nullptr;
}
inline void free_kept(void* memory) {
    if (memory != nullptr)
        std::free(kept_block::of(memory));
}

/// Lets memory live until an operation of the runtime has completed or, if it is persistent, until its request is
/// freed: the request becomes another one. It is made before the operation begins, while a lack of memory can be
/// reported.
template <class Run>
class keeper {
public:
    keeper();
    ~keeper();
    keeper(const keeper&) = delete;
    keeper& operator=(const keeper&) = delete;

    bool failed() const { return made == nullptr; }

    /// `memory` is of allocate_kept.
    void keep(handle_of<Run, object::request>* request, bool is_persistent, void* memory);

private:
    void* made;
};

} // namespace anympi::emulate
