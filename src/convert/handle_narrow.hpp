#pragma once

#include "convert/handle_integers.hpp"
#include "convert/handle_table.hpp"

#include <type_traits>

namespace anympi {

// Objects that have a handle of 32 bits in the program and a pointer in the runtime.

template <class P, object O>
inline constexpr bool is_narrowed = sizeof(app_handle<P, O>) < sizeof(run_handle<P, O>);

/// Classes whose handles are compared, or are arguments of callbacks. An operation, an info or a request is made once;
/// one request of the runtime may even stand for several that are complete.
template <object O>
inline constexpr bool is_shared =
    !(O == object::info || O == object::message || O == object::op || O == object::request);

template <object O>
using narrow_table = std::conditional_t<is_shared<O>, shared_handles,
                                        std::conditional_t<O == object::request, request_handles, handle_table>>;
template <object O>
inline narrow_table<O> narrow_handles{};

/// The runtime's handles of predefined objects, by the program's (src/front/common/bind_pair.hpp fills this).
template <class P, object O>
struct narrow_predefined : integer_places<typename P::app, O> {
    struct entry {
        word run;
        std::uint32_t value;
    };
    entry entries[narrow_predefined::size]{};

    word find(std::uint32_t handle, word otherwise) const {
        const entry& here = entries[this->place(handle)];
        if (here.value == handle) [[likely]]
            return here.run;
        return otherwise;
    }
};
template <class P, object O>
inline narrow_predefined<P, O> narrow_predefined_to_run{};

/// The runtime gets this handle in place of one that is not alive, and refuses it. A library of the standard ABI (MPICH
/// 5.0) takes any number that is no constant for an address. Only null requests are no error.
template <class P, object O>
inline constexpr word dead_handle =
    P::run::handles != handle_style::small_constants || O == object::request ? 0 : null_id<O>;

/// Makes a handle for an object that the runtime made.
template <class P, object O>
inline app_handle<P, O> narrow(run_handle<P, O> made) {
    constexpr std::uint32_t class_number = P::app::template class_number<O>;
    if constexpr (is_shared<O>)
        return narrow_handles<O>.add_reference(made, class_number);
    else
        return narrow_handles<O>.add(made, class_number);
}

/// Frees the program's handle.
template <class P, object O>
inline void forget(app_handle<P, O> handle) {
    if constexpr (is_shared<O>)
        narrow_handles<O>.drop_reference(handle);
    else
        narrow_handles<O>.remove(handle);
}

/// A generalized request may be completed after its handle was freed: its number is not forgotten until its free
/// function was called (src/bridge/grequest.hpp).
template <class P>
inline bool is_needed_when_freed(app_handle<P, object::request> request) {
    if constexpr (is_narrowed<P, object::request>)
        return narrow_handles<object::request>.is_needed_when_freed(request);
    else
        return false;
}

} // namespace anympi
