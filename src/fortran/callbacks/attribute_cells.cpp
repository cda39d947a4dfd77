#include "fortran/callbacks/attribute_cells.hpp"

#include "base/immortal_values.hpp"
#include "convert/keyval.hpp"
#include "fortran/core/c_abi.hpp"

namespace anympi::fortran {

namespace {

constinit immortal_values<std::int64_t> cells;

} // namespace

void* attribute_to_c(std::int64_t value) {
    return cells.copy_of(value);
}

std::int64_t attribute_of_program(void* stored) {
    return cells.contains(stored) ? *static_cast<std::int64_t*>(stored) : reinterpret_cast<std::int64_t>(stored);
}

std::int64_t attribute_to_fortran(int c_keyval, void* stored) {
    if (!is_predefined_keyval<app>(c_keyval))
        return attribute_of_program(stored);
    if (c_keyval == app::mpi_WIN_BASE || stored == nullptr)
        return reinterpret_cast<std::int64_t>(stored);
    if (c_keyval == app::mpi_WIN_SIZE)
        return *static_cast<std::int64_t*>(stored);
    return *static_cast<int*>(stored);
}

void* changed_attribute(void* stored, std::int64_t value) {
    return cells.contains(stored) ? attribute_to_c(value) : reinterpret_cast<void*>(value);
}

} // namespace anympi::fortran
