#pragma once

#include "base/optimizer_barriers.hpp"
#include "bridges.hpp" // generated
#include "convert/crossings.hpp"
#include "convert/descriptor.hpp"
#include "convert/fortran_integer.hpp"
#include "convert/fortran_side.hpp"
#include "convert/number.hpp"
#include "fast_path_list.hpp" // generated

// Fast-path procedures: each one does the work of a Fortran procedure and of its bridge for the frequent case
// (docs/decisions/0015-fast-path.md). For any other call it returns false before it has changed anything, and the
// caller runs the full-path procedure of the Fortran library.

namespace anympi::fast_path {

using fortran::are_scalars_without;
using fortran::descriptor;
using fortran::is_plain;
using fortran::number_at;
using c_status = standard::status;

struct procedure {
    function of;
    void* code;
};

/// Data of the Fortran library and the program. The members are null until the library is loaded.
inline constinit fortran_side program{};
inline constinit void* full_path[procedure_count]{};

template <int Place, class... Parameter>
[[gnu::always_inline]] inline void call_full_path(Parameter... parameters) {
    reinterpret_cast<void (*)(Parameter...)>(full_path[Place])(parameters...);
}

/// Returns true if `buffer` is MPI_BOTTOM or MPI_IN_PLACE.
[[gnu::always_inline]] inline bool is_special(const void* buffer) {
    return reinterpret_cast<std::uintptr_t>(buffer) + program.minus_bottom < 2 * sizeof(int);
}

// ---- handles ----

/// Makes the compiler read all numbers again if one of them may need a search, so that no register has to be saved for
/// the full-path procedure.
template <class P>
[[gnu::always_inline]] inline void read_numbers_again() {
    if constexpr (P::run::handles != handle_style::integers)
        read_again();
}

/// Tests all numbers by one comparison. Numbers of predefined handles are below predefined_limit, a power of two.
template <class P, class... Number>
[[gnu::always_inline]] inline bool are_predefined(const Number*... numbers) {
    static_assert((predefined_limit & (predefined_limit - 1)) == 0);
    if constexpr (P::run::handles == handle_style::integers)
        return (number_at(numbers) + ...) < predefined_limit;
    else
        return static_cast<std::uint32_t>((*numbers | ...)) < predefined_limit;
}

/// Returns true if the number is converted without a search.
template <class P, object O>
[[gnu::always_inline]] inline bool is_known(const int* number) {
    if constexpr (handle_is_its_number<P, O>)
        return true;
    else
        return number_at(number) < predefined_limit ||
               (address_windows::are_of_first(*number) && windows_of<O>.origin_of_first() != 0);
}

/// Converts numbers of predefined handles.
struct predefined {
    template <class P, object O>
    [[gnu::always_inline]] static word handle(const word* table, const int* number) {
        return table[number_at(number)];
    }
};
/// Converts all numbers for which is_known() returns true.
struct known {
    template <class P, object O>
    [[gnu::always_inline]] static word handle(const word* table, const int* number) {
        if constexpr (handle_is_its_number<P, O>)
            return to_run<P, O>(static_cast<app_handle<P, O>>(number_at(number)), table);
        else if (number_at(number) < predefined_limit)
            return predefined::handle<P, O>(table, number);
        else
            return address_windows::address_from(windows_of<O>.origin_of_first(), *number);
    }
};

// ---- requests ----

inline constexpr int null_number = static_cast<int>(null_id<object::request>);

template <class P>
[[gnu::cold, gnu::noinline]] void find_number(word made, int* program) {
    if (made != 0)
        *program = bridge::Request_toint<P>(
            made_to_app<P, object::request>(static_cast<run_handle<P, object::request>>(made)));
}

template <class P>
[[gnu::always_inline]] inline void write_number(word made, int* const& program) {
    const word place = windows_of<object::request>.place_in_first(made);
    if (made == runtime_null<P, object::request>() || !address_windows::is_place(place)) [[unlikely]]
        return find_number<P>(made, program);
    *program = address_windows::number_of_place(place);
}

/// A request that the runtime makes or completes. If the program's INTEGER has the same bits as the runtime's handle,
/// the runtime writes directly into it. The null request is the only predefined request. It is rare before a call and
/// usual after a completion.
template <class P, bool SameBits = handle_is_its_number<P, object::request>>
struct request_place {
    using run_request = run_handle<P, object::request>;

    static bool read(const int* program) { return *program != null_number; }
    static run_request* place(int* program) { return reinterpret_cast<run_request*>(program); }
    [[gnu::always_inline]] static void finish(int* const& program) {
        int* const where = program;
        if (static_cast<run_request>(*where) == runtime_null<P, object::request>())
            *where = null_number;
    }
};
template <class P>
struct request_place<P, false> {
    using run_request = run_handle<P, object::request>;
    run_request made = 0; // still 0 if the call fails

    bool read(const int* program) {
        const word origin = windows_of<object::request>.origin_of_first();
        made = address_windows::address_from(origin, *program);
        return address_windows::are_of_first(*program) && origin != 0;
    }
    run_request* place(int*) { return &made; }
    [[gnu::always_inline]] void finish(int* const& program) const { write_number<P>(made, program); }
};

// ---- statuses ----

/// Like status_in_place, for an argument that is never a null pointer.
template <class P>
[[gnu::always_inline]] inline run_status<P>* status_place(c_status* status) {
    if (status == program.status_ignore)
        return ignored_status<typename P::run>();
    return preset_in_place<P>(status);
}
template <class P>
[[gnu::always_inline]] inline void finish_status(c_status* const& status) {
    if (c_status* const there = status; there != program.status_ignore)
        finish_in_place<P>(there);
}

// ---- the result ----

template <class P>
[[gnu::cold, gnu::noinline]] void fail(int* ierror, int code) {
    *ierror = error_to_app<P>(code);
}

template <class P>
struct report_always {
    [[gnu::always_inline]] static void report(int* const& ierror, int code) {
        if (is_error(code)) [[unlikely]]
            return fail<P>(ierror, code);
        *ierror = code;
    }
};
/// Converts the code even if ierror is absent, so that a callback's stored code cannot leak into a later call.
template <class P>
[[gnu::cold, gnu::noinline]] void fail_if_present(int* ierror, int code) {
    const int seen = error_to_app<P>(code);
    if (ierror != nullptr)
        *ierror = seen;
}

/// Tests by one comparison that ierror is absent and that the call succeeded.
template <class P>
struct report_if_present {
    [[gnu::always_inline]] static void report(int* const& ierror, int code) {
        int* const where = ierror;
        if ((reinterpret_cast<std::uintptr_t>(where) | static_cast<std::uint32_t>(code)) == 0)
            return;
        if (is_error(code)) [[unlikely]]
            return fail_if_present<P>(where, code);
        *where = code;
    }
};
/// For calls without ierror that run no callback with an error code.
struct report_never {
    static void report(int* const&, int) {}
};

} // namespace anympi::fast_path
