#pragma once

#include "base/optimizer_barriers.hpp"
#include "convert/handle_addresses.hpp"
#include "convert/handle_ids.hpp"
#include "convert/handle_integers.hpp"
#include "convert/handle_narrow.hpp"

#include <atomic>
#include <cstdint>

namespace anympi {

// ---- datatypes of 16 bytes ----

/// The first of the datatypes with the highest numbers. If a library lacks integers of 16 bytes, a derived datatype
/// replaces them (src/emulate/datatypes/integer16.hpp). Only programs of the standard ABI have all of these datatypes.
inline constexpr word first_of_16_bytes = standard::mpi_LOGICAL16;
template <class P>
inline constexpr bool may_lack_integer16 = P::app::handles == handle_style::small_constants && !is_direct<P>;

/// True if the program has made a derived datatype from such a datatype. Until then, nothing searches for them.
inline std::atomic<bool> integer16_is_inside{false};

// ---- from the program to the runtime ----

/// Converts a request whose handle both sides share, except for the mark. The null request is the only predefined
/// request.
template <class P>
inline run_handle<P, object::request> unmarked_request(app_handle<P, object::request> request) {
    return request == program_null<P, object::request>()
               ? runtime_null<P, object::request>()
               : static_cast<run_handle<P, object::request>>(request & ~mark_of_made<P>);
}

/// Converts a handle of the program. `table` is predefined_to_run; calls with several handles get it from
/// predefined_table().
template <class P, object O>
[[gnu::always_inline]] inline word to_run(app_handle<P, O> handle,
                                          const word* table = predefined_to_run<typename P::run>) {
    if constexpr (is_direct<P>) {
        return handle;
    } else if constexpr (P::app::handles == handle_style::small_constants) {
        return handle < predefined_limit ? table[handle] : handle;
    } else if constexpr (is_narrowed<P, O>) {
        return handle >= handle_table::first_handle ? narrow_handles<O>.find(handle, dead_handle<P, O>)
                                                    : narrow_predefined_to_run<P, O>.find(handle, dead_handle<P, O>);
    } else if constexpr (P::app::handles == handle_style::integers) { // MPI_File, which is a pointer on both sides
        return handle == integer_null<typename P::app, O> ? table[null_id<O>] : handle;
    } else if constexpr (O == object::request) {
        return unmarked_request<P>(handle);
    } else {
        // Handles with the mark are negative. Addresses are never below predefined_limit, because the first page is
        // never mapped.
        if (static_cast<std::intptr_t>(handle) >= static_cast<std::intptr_t>(predefined_limit)) [[likely]]
            return *reinterpret_cast<const word*>(handle); // the object holds the runtime's handle
        if (static_cast<std::intptr_t>(handle) >= 0)
            return 0;
        return sizeof(run_handle<P, O>) < sizeof(word) ? handle : handle & ~made_by_runtime;
    }
}

/// Converts a datatype that is a component of a new datatype.
template <class P>
[[gnu::always_inline]] inline word component_to_run(app_handle<P, object::datatype> type,
                                                    const word* table = predefined_to_run<typename P::run>) {
    if constexpr (may_lack_integer16<P>) {
        if (type < first_of_16_bytes) [[likely]]
            return table[type];
        if (type == standard::mpi_LOGICAL16 || type == standard::mpi_INTEGER16)
            integer16_is_inside.store(true, std::memory_order_relaxed);
    }
    return to_run<P, object::datatype>(type, table);
}

/// Returns the table for calls with several handles, so that its address is computed once per call instead of once per
/// handle.
template <class P>
[[gnu::always_inline]] inline const word* predefined_table() {
    const word* table = predefined_to_run<typename P::run>;
    hide_value(table);
    return table;
}

/// Converts a request of an array. Nearly all requests are null or made by the runtime.
template <class P>
inline run_handle<P, object::request> request_to_run(app_handle<P, object::request> request) {
    if constexpr (!is_narrowed<P, object::request>) {
        return unmarked_request<P>(request);
    } else {
        if (const auto* const made = narrow_handles<object::request>.find_small(request)) [[likely]]
            return made->load(std::memory_order_relaxed);
        return static_cast<run_handle<P, object::request>>(to_run<P, object::request>(request));
    }
}

// ---- from the runtime to the program ----

/// Predefined objects that an old library lacks. Their emulations (src/emulate) have handles that are not addresses of
/// the library's data.
template <object O>
inline constexpr word emulated_id = O == object::session      ? standard::mpi_SESSION_NULL
                                    : O == object::errhandler ? standard::mpi_ERRORS_ABORT
                                                              : 0;

/// Returns the id of a predefined handle of the runtime, or 0 if the handle is not predefined.
template <class P, object O>
inline word id_in_library(run_handle<P, O> handle) {
    using run_abi = typename P::run;
    if constexpr (run_abi::handles == handle_style::small_constants) {
        return handle < predefined_limit ? handle : 0;
    } else if constexpr (run_abi::handles == handle_style::addresses) {
        if (const word id = emulated_id<O>; id != 0 && handle == predefined_to_run<run_abi>[id])
            return id;
        return address_ids<run_abi>.find(handle, predefined_to_run<run_abi>);
    } else if constexpr (sizeof handle == sizeof(word)) {
        return handle == predefined_to_run<run_abi>[null_id<O>] ? null_id<O> : 0;
    } else {
        return id_of_integer<run_abi, O>(handle);
    }
}

/// Returns the id of a predefined handle of the runtime, or of the datatype that replaces MPI_INTEGER16. Returns 0 for
/// other handles.
template <class P, object O>
inline word id_of(run_handle<P, O> handle) {
    if constexpr (O == object::datatype && may_lack_integer16<P>)
        if (handle == static_cast<run_handle<P, O>>(predefined_to_run<typename P::run>[standard::mpi_INTEGER16]) &&
            handle != runtime_null<P, O>()) // the table holds null if nothing replaces the datatype
            return standard::mpi_INTEGER16;
    return id_in_library<P, O>(handle);
}

template <class P, object O>
inline app_handle<P, O> to_app(run_handle<P, O> handle) {
    if constexpr (is_direct<P>)
        return handle;
    if (const word id = id_of<P, O>(handle); id != 0)
        return static_cast<app_handle<P, O>>(predefined_of_program<typename P::app>(id));
    if constexpr (is_narrowed<P, O>)
        return narrow<P, O>(handle);
    else
        return made_to_program<P>(handle);
}

/// Returns the handle that the program already has for an object. Returns 0 if it does not exist, or if handles need no
/// table.
template <class P, object O>
inline app_handle<P, O> known_handle(run_handle<P, O> handle) {
    if constexpr (is_narrowed<P, O>)
        return id_of<P, O>(handle) == 0 ? narrow_handles<O>.find_handle(handle) : 0;
    else
        return 0;
}

/// The handle of an object that is passed to a callback. It is valid until the callback returns. If the program never
/// got the object (for example, an internal communicator of the runtime), the handle exists only during the callback.
template <class P, object O>
class borrowed {
public:
    explicit borrowed(run_handle<P, O> object) : handle(known_handle<P, O>(object)) {
        if (handle == 0) {
            handle = to_app<P, O>(object);
            is_temporary = true;
        }
    }
    ~borrowed() {
        if constexpr (is_narrowed<P, O>)
            if (is_temporary)
                forget<P, O>(handle);
    }
    borrowed(const borrowed&) = delete;
    borrowed& operator=(const borrowed&) = delete;

    app_handle<P, O> handle;

private:
    bool is_temporary = false;
};

/// Converts a request that the runtime returned: null, or a handle that the runtime made.
template <class P>
inline app_handle<P, object::request> request_to_app(run_handle<P, object::request> request) {
    if (request == runtime_null<P, object::request>())
        return program_null<P, object::request>();
    if constexpr (is_narrowed<P, object::request>)
        return narrow<P, object::request>(request);
    else
        return made_to_program<P>(request);
}

/// Converts a handle that the runtime made. Requests use request_to_app, which is faster; all other classes use to_app.
template <class P, object O>
inline app_handle<P, O> made_to_app(run_handle<P, O> handle) {
    if constexpr (O == object::request && !is_direct<P>)
        return request_to_app<P>(handle);
    else
        return to_app<P, O>(handle);
}

/// Updates a handle of the program after a call that may have completed or freed its object.
template <class P, object O>
inline void update(app_handle<P, O>& handle, run_handle<P, O> now) {
    if constexpr (!is_narrowed<P, O> && O == object::datatype) {
        if (now == runtime_null<P, O>()) // several numbers may stand for one datatype
            handle = program_null<P, O>();
    } else if constexpr (!is_narrowed<P, O>) {
        handle = made_to_app<P, O>(now);
    } else if (now == runtime_null<P, O>()) { // a call can only change a handle to null
        if (handle >= handle_table::first_handle)
            forget<P, O>(handle);
        handle = program_null<P, O>();
    }
}

} // namespace anympi
