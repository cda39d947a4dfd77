#pragma once

#include "convert/handle.hpp"
#include "convert/lock.hpp"
#include "convert/status.hpp"

#include <cstdlib>

namespace anympi::emulate {

template <class Run>
using request_of = handle_of<Run, object::request>;

template <class Run>
request_of<Run> no_request() {
    return static_cast<request_of<Run>>(predefined_to_run<Run>[null_id<object::request>]);
}

/// One request of the program that is several of the runtime's (its children), or one with work of ours after it. It
/// begins all its children at once, so the runtime makes them progress whatever else is waited for.
///
/// An operation derives from this, adds what it needs, and is made by `make`, filled and given out by `publish`. All of
/// its members are plain data.
template <class Run>
struct compound {
    using request = request_of<Run>;
    using status = typename Run::status;

    /// What differs between operations. Each may be nullptr: nothing is to be done then.
    struct behaviour {
        int (*start)(compound&);           ///< of a persistent one: begins it once more
        int (*finish)(compound&, status&); ///< after the children have completed: the last steps, and the status
        void (*destroy)(compound&);        ///< gives up what belongs to it, but for itself and its children
    };

    const behaviour* does;
    int count; ///< of children; null ones have completed
    request* children;
    int status_from; ///< the child whose status is the operation's; -1: an empty one
    bool is_persistent;
    bool is_active;
    bool is_finished; ///< all has been done, but the program has not been told
    int code;         ///< of the finished one
    status result;    ///< of the finished one
    std::uint32_t number;
    compound* next; ///< among those that were freed before they had completed
    lock guard;     ///< for finishing it: several threads may ask for it
};

/// Of every runtime these are numbers that it never gives: MPICH's with the kind of invalid handles, bit 62 of an
/// address.
template <class Run>
inline constexpr request_of<Run> compound_mark = sizeof(request_of<Run>) == sizeof(std::uint32_t)
                                                     ? request_of<Run>{0}
                                                     : static_cast<request_of<Run>>(word{1} << 62);
inline constexpr std::uint32_t request_class = 11; // in the numbers of MPICH's handles, which the table has too
inline constexpr std::uint32_t compound_class = request_class << 26;
inline constexpr std::uint32_t class_bits = 0x3fu << 26;

template <class Run>
inline bool is_compound(request_of<Run> request) {
    if constexpr (sizeof(request_of<Run>) == sizeof(std::uint32_t))
        return (request & class_bits) == compound_class && request != compound_class;
    else
        return (request & compound_mark<Run>) != 0;
}

[[gnu::visibility("hidden")]] extern handle_table compound_numbers;

template <class Run>
inline request_of<Run> request_for(std::uint32_t number) {
    return compound_mark<Run> | static_cast<request_of<Run>>(number ^ handle_table::first_handle);
}
template <class Run>
inline std::uint32_t number_in(request_of<Run> request) {
    return static_cast<std::uint32_t>(request) ^ handle_table::first_handle;
}

/// nullptr: it is no compound, or one that is no more.
template <class Run>
inline compound<Run>* compound_of(request_of<Run> request) {
    if (!is_compound<Run>(request))
        return nullptr;
    return reinterpret_cast<compound<Run>*>(compound_numbers.find(number_in<Run>(request)));
}

/// Room for an operation with so many children, all of them null; nullptr: no memory.
template <class Run, template <class> class Operation>
Operation<Run>* make(int children) {
    const std::size_t head = (sizeof(Operation<Run>) + 15) / 16 * 16;
    void* const room = std::calloc(1, head + static_cast<std::size_t>(children) * sizeof(request_of<Run>));
    if (room == nullptr)
        return nullptr;
    auto* const made = static_cast<Operation<Run>*>(room);
    made->count = children;
    made->children = reinterpret_cast<request_of<Run>*>(static_cast<char*>(room) + head);
    made->guard = lock{};
    made->status_from = -1;
    for (int i = 0; i < children; ++i)
        made->children[i] = no_request<Run>();
    return made;
}

/// Gives the program a request for it. From the first one on, the runtime's completion functions are replaced
/// (completion.hpp): a program that has none pays nothing for them.
template <class Run>
void publish(compound<Run>* operation, request_of<Run>* request);

} // namespace anympi::emulate
