#include "front/common/entry.hpp"

// Functions of MPI-1 that MPI 3 removed and that newer functions do not replace one to one. Programs of the vendors
// still use them.

namespace anympi {

namespace {

using datatype = handle_of<app, object::datatype>;

int extent_of(datatype type, std::intptr_t* lower, std::intptr_t* extent) {
    return slot<int(datatype, std::intptr_t*, std::intptr_t*)>(function::Type_get_extent)(type, lower, extent);
}

} // namespace

EXPORTED int PMPI_Type_extent(datatype type, std::intptr_t* extent) {
    std::intptr_t lower = 0;
    return extent_of(type, &lower, extent);
}
EXPORTED int PMPI_Type_lb(datatype type, std::intptr_t* lower) {
    std::intptr_t extent = 0;
    return extent_of(type, lower, &extent);
}
EXPORTED int PMPI_Type_ub(datatype type, std::intptr_t* upper) {
    std::intptr_t lower = 0;
    const int code = extent_of(type, &lower, upper);
    if (code == 0 && upper != nullptr)
        *upper += lower;
    return code;
}

EXPORTED int MPI_Type_extent(datatype type, std::intptr_t* extent) __attribute__((weak, alias("PMPI_Type_extent")));
EXPORTED int MPI_Type_lb(datatype type, std::intptr_t* lower) __attribute__((weak, alias("PMPI_Type_lb")));
EXPORTED int MPI_Type_ub(datatype type, std::intptr_t* upper) __attribute__((weak, alias("PMPI_Type_ub")));

} // namespace anympi
