#pragma once

#include "convert/handle_integers.hpp"
#include "convert/handle_table.hpp"

#include <type_traits>

namespace anympi {

// Objects whose handles have 32 bits in the program and are pointers in the runtime.

template <class P, object O>
inline constexpr bool is_narrowed = sizeof(app_handle<P, O>) < sizeof(run_handle<P, O>);

/// True for classes whose handles are compared, or are arguments of callbacks. Operations, infos and requests are
/// returned only once; one request of the runtime may even stand for several completed requests.
template <object O>
inline constexpr bool is_shared =
    !(O == object::info || O == object::message || O == object::op || O == object::request);

template <object O>
using narrow_table = std::conditional_t<is_shared<O>, shared_handles,
                                        std::conditional_t<O == object::request, request_handles, handle_table>>;
template <object O>
inline narrow_table<O> narrow_handles{};

/// The runtime's handles of predefined objects, by the program's handles (src/front/common/bind_pair.hpp fills this
/// table).
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

/// The handle that the runtime gets instead of a handle that is not alive, so that it reports an error. A library of
/// the standard ABI (MPICH 5.0) would follow any number that is not a constant as an address, so it gets the null
/// handle, except for requests: a null request is not an error.
template <class P, object O>
inline constexpr word dead_handle =
    P::run::handles != handle_style::small_constants || O == object::request ? 0 : null_id<O>;

/// Returns a new handle for an object that the runtime made.
template <class P, object O>
inline app_handle<P, O> narrow(run_handle<P, O> made) {
    constexpr std::uint32_t class_number = P::app::template class_number<O>;
    if constexpr (is_shared<O>)
        return narrow_handles<O>.add_reference(made, class_number);
    else
        return narrow_handles<O>.add(made, class_number);
}

/// Frees the program's handle. The object is not touched.
template <class P, object O>
inline void forget(app_handle<P, O> handle) {
    if constexpr (is_shared<O>)
        narrow_handles<O>.drop_reference(handle);
    else
        narrow_handles<O>.remove(handle);
}

/// Returns true for a generalized request. It may complete after the program has freed its handle, so its number is
/// kept until its free function was called (src/bridge/grequest.hpp).
template <class P>
inline bool is_needed_when_freed(app_handle<P, object::request> request) {
    if constexpr (is_narrowed<P, object::request>)
        return narrow_handles<object::request>.is_needed_when_freed(request);
    else
        return false;
}

} // namespace anympi
