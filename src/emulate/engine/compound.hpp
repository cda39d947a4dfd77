#pragma once

#include "convert/deferred_handlers.hpp"
#include "convert/handle.hpp"
#include "convert/status.hpp"
#include "emulate/engine/own_handle.hpp"
#include "emulate/engine/request_memory.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace anympi::emulate {

template <class Run>
using request_of = handle_of<Run, object::request>;

/// What a compound request is doing.
enum class stage : unsigned char {
    inactive, ///< a persistent one that was not started, or whose completion the program knows
    active,
    finished ///< all has been done, but the program has not been told
};

/// One request of the program that is several of the runtime's (its children), or one with work of ours after it. It
/// begins all its children at once, so the runtime makes them progress whatever else is waited for. A child may be a
/// compound itself. It completes when all children have, also if one fails: until then the buffers are in use.
///
/// An operation derives from this, adds what it needs, and is made by `make`, filled and given out by `publish`. All of
/// its members are plain data or atomic.
template <class Run>
struct compound {
    using request = request_of<Run>;
    using status = typename Run::status;

    /// What differs between operations. Each may be nullptr: nothing is to be done then.
    struct behaviour {
        int (*start)(compound&) = nullptr; ///< of a persistent one: begins all of it once more; if that fails, nothing,
                                           ///< or some of several children
        int (*finish)(compound&,
                      status&) = nullptr;      ///< after the children have completed: the last steps, and the status
        void (*destroy)(compound&) = nullptr;  ///< gives up what belongs to it, but for itself, children and blocks
        bool (*is_begun)(compound&) = nullptr; ///< whether the children are; until then it cannot complete
    };

    const behaviour* does;
    int count; ///< of children
    request* children;
    int status_from; ///< the child whose status is the operation's; -1: an empty one
    bool is_persistent;
    std::atomic<stage> now;
    std::atomic<bool> is_asked; ///< some thread asks the runtime for the children
    int complete;               ///< so many children, the first ones, have completed
    int code;                   ///< of the first child that failed
    reported_error error;       ///< for the program's handler, which is told when the program learns that it completed
    status result;
    memory_block* blocks;
    std::uint32_t number;
    compound* next; ///< among those that were freed before they had completed
};

template <class Run>
using compound_handle = own_handle<Run, object::request, 11>;

template <class Run>
inline bool is_compound(request_of<Run> request) {
    return compound_handle<Run>::is_own(request);
}

[[gnu::visibility("hidden")]] extern handle_table compound_numbers;

/// Returns nullptr if the request is no compound, or one that no longer exists.
template <class Run>
inline compound<Run>* compound_of(request_of<Run> request) {
    if (!is_compound<Run>(request))
        return nullptr;
    return reinterpret_cast<compound<Run>*>(compound_numbers.find(compound_handle<Run>::in_table(request)));
}

/// Allocates an operation with so many children, all of them null. Returns nullptr if there is no memory.
template <class Run, template <class> class Operation>
Operation<Run>* make(int children) {
    const std::size_t head = (sizeof(Operation<Run>) + 15) / 16 * 16;
    void* const room = std::malloc(head + static_cast<std::size_t>(children) * sizeof(request_of<Run>));
    if (room == nullptr)
        return nullptr;
    static constexpr typename compound<Run>::behaviour plain{};
    auto* const made = new (room) Operation<Run>{};
    made->does = &plain;
    made->count = children;
    made->children = reinterpret_cast<request_of<Run>*>(static_cast<char*>(room) + head);
    made->status_from = -1;
    made->result = empty_status(Run{});
    for (int i = 0; i < children; ++i)
        made->children[i] = library_null<Run, object::request>();
    return made;
}

/// Has memory of allocate_request_memory freed together with the operation.
template <class Run>
void attach_memory(compound<Run>& operation, void* memory) {
    memory_block* const block = memory_block::of(memory);
    block->next = operation.blocks;
    operation.blocks = block;
}

/// Gives the program a request for it. From the first one on, the runtime's completion functions are replaced
/// (completion_calls.hpp): a program that has none pays nothing for them.
template <class Run>
void publish(compound<Run>* operation, request_of<Run>* request);

} // namespace anympi::emulate
