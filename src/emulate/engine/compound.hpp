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

/// The state of a compound request.
enum class stage : unsigned char {
    inactive, // a persistent request that was not started, or whose completion was returned to the program
    active,
    finished // all work is done, but the completion was not returned to the program
};

/// A compound request: one request of the program that consists of several requests of the runtime (its children), or
/// that needs work by anympi at its end. All children begin at once, so the runtime makes progress with them whatever
/// the program waits for. A child may be a compound itself. A compound completes when all children have completed, even
/// if one fails, because they use the buffers until then.
///
/// An operation derives from this class and adds the members that it needs. `make` allocates it, the operation fills
/// its members, and `publish` returns a request for it. All members are plain data or atomic.
template <class Run>
struct compound {
    using request = request_of<Run>;
    using status = typename Run::status;

    /// The functions that differ between operations. Each may be nullptr, which means that there is nothing to do.
    struct behaviour {
        /// Starts a persistent operation again. If it fails, no child was started, or only some of several.
        int (*start)(compound&) = nullptr;
        /// Does the last steps after the children have completed, and sets the status.
        int (*finish)(compound&, status&) = nullptr;
        /// Frees what belongs to the operation, except itself, its children and its blocks.
        void (*destroy)(compound&) = nullptr;
        /// Returns true if the children have begun. Until then the operation cannot complete.
        bool (*is_begun)(compound&) = nullptr;
    };

    const behaviour* does;
    int count; // number of children
    request* children;
    int status_from; // index of the child whose status is the operation's; -1 for an empty status
    bool is_persistent;
    std::atomic<stage> now;
    std::atomic<bool> is_asked; // a thread is testing the children
    int complete;               // number of children that have completed, from the first on
    int code;                   // error code of the first child that failed
    reported_error error;       // reported to the program's handler when a call returns the completion
    status result;
    memory_block* blocks;
    std::uint32_t number;
    compound* next; // in the list of operations that were freed before they had completed
};

template <class Run>
using compound_handle = own_handle<Run, object::request, 11>;

template <class Run>
inline bool is_compound(request_of<Run> request) {
    return compound_handle<Run>::is_own(request);
}

[[gnu::visibility("hidden")]] extern handle_table compound_numbers;

/// Returns the operation of a request. Returns nullptr if the request is not a compound, or no longer exists.
template <class Run>
inline compound<Run>* compound_of(request_of<Run> request) {
    if (!is_compound<Run>(request))
        return nullptr;
    return reinterpret_cast<compound<Run>*>(compound_numbers.find(compound_handle<Run>::in_table(request)));
}

/// Allocates an operation with this number of children, all of them null requests. Returns nullptr if memory is
/// exhausted.
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

/// Lets the operation own memory of allocate_request_memory, so that both are freed together.
template <class Run>
void attach_memory(compound<Run>& operation, void* memory) {
    memory_block* const block = memory_block::of(memory);
    block->next = operation.blocks;
    operation.blocks = block;
}

/// Returns a request for the operation to the program. The first call replaces the runtime's completion functions
/// (completion_calls.hpp), so that programs without compounds pay nothing.
template <class Run>
void publish(compound<Run>* operation, request_of<Run>* request);

} // namespace anympi::emulate
