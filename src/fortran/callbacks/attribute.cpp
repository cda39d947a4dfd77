#include "fortran/callbacks/attribute.hpp"

#include "base/immortal_values.hpp"
#include "convert/keyval.hpp"
#include "fortran/core/app.hpp"

namespace anympi::fortran {

namespace {

constinit immortal_values<std::int64_t> cells;

} // namespace

void* attribute_to_c(std::int64_t value) {
    return cells.copy_of(value);
}

std::int64_t attribute_of_program(void* kept) {
    return cells.contains(kept) ? *static_cast<std::int64_t*>(kept) : reinterpret_cast<std::int64_t>(kept);
}

std::int64_t attribute_to_fortran(int c_keyval, void* kept) {
    if (!is_predefined_keyval<app>(c_keyval))
        return attribute_of_program(kept);
    if (c_keyval == app::mpi_WIN_BASE || kept == nullptr)
        return reinterpret_cast<std::int64_t>(kept);
    if (c_keyval == app::mpi_WIN_SIZE)
        return *static_cast<std::int64_t*>(kept);
    return *static_cast<int*>(kept);
}

void* changed_attribute(void* kept, std::int64_t value) {
    return cells.contains(kept) ? attribute_to_c(value) : reinterpret_cast<void*>(value);
}

} // namespace anympi::fortran
