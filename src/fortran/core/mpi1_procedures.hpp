#pragma once

#include "fortran/core/rules.hpp"

// Procedures of MPI-1 that MPI 3 removed. Their address arguments are INTEGERs. They call the functions that replaced
// them.

namespace anympi::fortran::entry {

namespace detail {

using wide_addresses = scratch<std::intptr_t, 64>;

/// Calls `make` with the addresses converted for C.
template <class Make>
void with_wide_addresses(const int* program, int count, int* ierror, Make make) {
    wide_addresses addresses(rule::items(count));
    if (addresses.lacks_memory()) [[unlikely]]
        return rule::report(ierror, rule::raise_no_memory());
    for (std::size_t i = 0; i < rule::items(count); ++i)
        addresses[i] = program[i];
    rule::report(ierror, make(addresses.data()));
}

/// Writes an address, or its lower half if it does not fit: MPI-1 has no error for this.
inline void narrow(int code, std::intptr_t address, int* program) {
    if (code == 0)
        *program = static_cast<int>(address);
}

struct bounds {
    std::intptr_t lower = 0;
    std::intptr_t extent = 0;
};

/// Writes the value that `choose` computes from the bounds of a datatype.
template <class Calls, class Choose>
void get_bound(const int* datatype, int* program, int* ierror, Choose choose) {
    bounds found;
    const int code = Calls::Type_get_extent(rule::handle<object::datatype>(*datatype), &found.lower, &found.extent);
    narrow(code, choose(found), program);
    rule::report(ierror, code);
}

} // namespace detail

template <class Calls>
inline void Address(void* location, int* address, int* ierror) {
    std::intptr_t found = 0;
    const int code = Calls::Get_address(rule::buffer(location), &found);
    detail::narrow(code, found, address);
    rule::report(ierror, code);
}

template <class Calls>
inline void Type_extent(const int* datatype, int* extent, int* ierror) {
    detail::get_bound<Calls>(datatype, extent, ierror, [](auto found) { return found.extent; });
}

template <class Calls>
inline void Type_lb(const int* datatype, int* displacement, int* ierror) {
    detail::get_bound<Calls>(datatype, displacement, ierror, [](auto found) { return found.lower; });
}

template <class Calls>
inline void Type_ub(const int* datatype, int* displacement, int* ierror) {
    detail::get_bound<Calls>(datatype, displacement, ierror, [](auto found) { return found.lower + found.extent; });
}

template <class Calls>
inline void Type_hvector(const int* count, const int* blocklength, const int* stride, const int* oldtype, int* newtype,
                         int* ierror) {
    rule::handle_out<object::datatype> newtype_c(newtype);
    const int code = Calls::Type_create_hvector(*count, *blocklength, *stride, rule::handle<object::datatype>(*oldtype),
                                                newtype_c.place(newtype));
    newtype_c.finish(newtype);
    rule::report(ierror, code);
}

template <class Calls>
inline void Type_hindexed(const int* count, const int* blocklengths, const int* displacements, const int* oldtype,
                          int* newtype, int* ierror) {
    detail::with_wide_addresses(displacements, *count, ierror, [=](const std::intptr_t* addresses) {
        rule::handle_out<object::datatype> newtype_c(newtype);
        const int code = Calls::Type_create_hindexed(
            *count, blocklengths, addresses, rule::handle<object::datatype>(*oldtype), newtype_c.place(newtype));
        newtype_c.finish(newtype);
        return code;
    });
}

template <class Calls>
inline void Type_struct(const int* count, const int* blocklengths, const int* displacements, const int* oldtypes,
                        int* newtype, int* ierror) {
    detail::with_wide_addresses(displacements, *count, ierror, [=](const std::intptr_t* addresses) {
        rule::handles_in<object::datatype> oldtypes_c(oldtypes, *count);
        if (oldtypes_c.lacks_memory()) [[unlikely]]
            return rule::raise_no_memory();
        oldtypes_c.fill();
        rule::handle_out<object::datatype> newtype_c(newtype);
        const int code =
            Calls::Type_create_struct(*count, blocklengths, addresses, oldtypes_c.place(), newtype_c.place(newtype));
        newtype_c.finish(newtype);
        return code;
    });
}

template <class Calls>
inline void Errhandler_create(void* handler_fn, int* errhandler, int* ierror) {
    rule::handle_out<object::errhandler> errhandler_c(errhandler);
    const int code = Calls::Comm_create_errhandler_fcb(handler_fn, errhandler_c.place(errhandler));
    errhandler_c.finish(errhandler);
    rule::report(ierror, code);
}

template <class Calls>
inline void Errhandler_get(const int* comm, int* errhandler, int* ierror) {
    rule::handle_out<object::errhandler> errhandler_c(errhandler);
    const int code = Calls::Comm_get_errhandler(rule::handle<object::comm>(*comm), errhandler_c.place(errhandler));
    errhandler_c.finish(errhandler);
    rule::report(ierror, code);
}

template <class Calls>
inline void Errhandler_set(const int* comm, const int* errhandler, int* ierror) {
    rule::report(ierror, Calls::Comm_set_errhandler(rule::handle<object::comm>(*comm),
                                                    rule::handle<object::errhandler>(*errhandler)));
}

} // namespace anympi::fortran::entry
