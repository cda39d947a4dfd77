#include "fortran/rules.hpp"

/// Procedures of MPI-1 that MPI 3 removed and that old programs call. Addresses and sizes are INTEGER in
/// them: what does not fit is cut, as the vendors do.

namespace anympi::fortran::removed {

using datatype_out = rule::handle_out<object::datatype>;

inline c_handle<object::datatype> type_of(const int* number) {
    return rule::handle<object::datatype>(*number);
}

/// Displacements as C wants them.
class wide_array {
public:
    wide_array(const int* from, int count) : items(rule::items(count)) {
        if (!items.failed())
            for (int i = 0; i < count; ++i)
                items[static_cast<std::size_t>(i)] = from[i];
    }
    std::intptr_t* place() { return items.data(); }

private:
    scratch<std::intptr_t, 64> items;
};

template <class Calls>
void address(void* location, int* result, int* ierror) {
    std::intptr_t found = 0;
    const int code = Calls::Get_address(rule::buffer(location), &found);
    *result = static_cast<int>(found);
    rule::report(ierror, code);
}

template <class Calls>
void type_extent(const int* type, int* result, int* ierror) {
    std::intptr_t lower = 0;
    std::intptr_t extent = 0;
    const int code = Calls::Type_get_extent(type_of(type), &lower, &extent);
    *result = static_cast<int>(extent);
    rule::report(ierror, code);
}

template <class Calls>
void type_lb(const int* type, int* result, int* ierror) {
    std::intptr_t lower = 0;
    std::intptr_t extent = 0;
    const int code = Calls::Type_get_extent(type_of(type), &lower, &extent);
    *result = static_cast<int>(lower);
    rule::report(ierror, code);
}

template <class Calls>
void type_ub(const int* type, int* result, int* ierror) {
    std::intptr_t lower = 0;
    std::intptr_t extent = 0;
    const int code = Calls::Type_get_extent(type_of(type), &lower, &extent);
    *result = static_cast<int>(lower + extent);
    rule::report(ierror, code);
}

template <class Calls>
void type_hvector(const int* count, const int* length, const int* stride, const int* type, int* made, int* ierror) {
    datatype_out made_c(made);
    const int code = Calls::Type_create_hvector(*count, *length, *stride, type_of(type), made_c.place());
    made_c.finish(code);
    rule::report(ierror, code);
}

template <class Calls>
void type_hindexed(const int* count, const int* lengths, const int* places, const int* type, int* made, int* ierror) {
    wide_array places_c(places, *count);
    datatype_out made_c(made);
    const int code = Calls::Type_create_hindexed(*count, lengths, places_c.place(), type_of(type), made_c.place());
    made_c.finish(code);
    rule::report(ierror, code);
}

template <class Calls>
void type_struct(const int* count, const int* lengths, const int* places, const int* types, int* made, int* ierror) {
    wide_array places_c(places, *count);
    rule::handles_in<object::datatype> types_c(types, *count);
    datatype_out made_c(made);
    const int code = Calls::Type_create_struct(*count, lengths, places_c.place(), types_c.place(), made_c.place());
    types_c.finish(code);
    made_c.finish(code);
    rule::report(ierror, code);
}

template <class Calls>
void errhandler_create(void* function, int* handler, int* ierror) {
    rule::handle_out<object::errhandler> handler_c(handler);
    const int code = Calls::Comm_create_errhandler_fcb(function, handler_c.place());
    handler_c.finish(code);
    rule::report(ierror, code);
}

template <class Calls>
void errhandler_get(const int* comm, int* handler, int* ierror) {
    rule::handle_out<object::errhandler> handler_c(handler);
    const int code = Calls::Comm_get_errhandler(rule::handle<object::comm>(*comm), handler_c.place());
    handler_c.finish(code);
    rule::report(ierror, code);
}

template <class Calls>
void errhandler_set(const int* comm, const int* handler, int* ierror) {
    rule::report(ierror, Calls::Comm_set_errhandler(rule::handle<object::comm>(*comm),
                                                    rule::handle<object::errhandler>(*handler)));
}

} // namespace anympi::fortran::removed

namespace anympi::fortran {

/// The four spellings of compilers.
#define ALSO(NAME, FIRST) extern "C" __attribute__((visibility("default"), alias(#FIRST))) decltype(FIRST) NAME;
#define ENTRY(CALLS, NAME, OTHERS, UPPER, RULE, PARAMETERS, ARGUMENTS)                                                 \
    extern "C" __attribute__((visibility("default"))) void NAME##_ PARAMETERS {                                        \
        removed::RULE<CALLS> ARGUMENTS;                                                                                \
    }                                                                                                                  \
    ALSO(OTHERS, NAME##_)                                                                                              \
    ALSO(NAME, NAME##_)                                                                                                \
    ALSO(UPPER, NAME##_)
#define PROCEDURE(SMALL, LARGE, PARAMETERS, ARGUMENTS)                                                                 \
    ENTRY(with_tools, mpi_##SMALL, mpi_##SMALL##__, MPI_##LARGE, SMALL, PARAMETERS, ARGUMENTS)                         \
    ENTRY(without_tools, pmpi_##SMALL, pmpi_##SMALL##__, PMPI_##LARGE, SMALL, PARAMETERS, ARGUMENTS)

PROCEDURE(address, ADDRESS, (void* location, int* result, int* ierror), (location, result, ierror))
PROCEDURE(type_extent, TYPE_EXTENT, (const int* type, int* result, int* ierror), (type, result, ierror))
PROCEDURE(type_lb, TYPE_LB, (const int* type, int* result, int* ierror), (type, result, ierror))
PROCEDURE(type_ub, TYPE_UB, (const int* type, int* result, int* ierror), (type, result, ierror))
PROCEDURE(type_hvector, TYPE_HVECTOR,
          (const int* count, const int* length, const int* stride, const int* type, int* made, int* ierror),
          (count, length, stride, type, made, ierror))
PROCEDURE(type_hindexed, TYPE_HINDEXED,
          (const int* count, const int* lengths, const int* places, const int* type, int* made, int* ierror),
          (count, lengths, places, type, made, ierror))
PROCEDURE(type_struct, TYPE_STRUCT,
          (const int* count, const int* lengths, const int* places, const int* types, int* made, int* ierror),
          (count, lengths, places, types, made, ierror))
PROCEDURE(errhandler_create, ERRHANDLER_CREATE, (void* function, int* handler, int* ierror),
          (function, handler, ierror))
PROCEDURE(errhandler_get, ERRHANDLER_GET, (const int* comm, int* handler, int* ierror), (comm, handler, ierror))
PROCEDURE(errhandler_set, ERRHANDLER_SET, (const int* comm, const int* handler, int* ierror), (comm, handler, ierror))

} // namespace anympi::fortran
