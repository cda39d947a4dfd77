#include "base/immortal_values.hpp"
#include "fortran/core/handle_array.hpp"

namespace anympi::fortran::rule {

namespace {

constinit immortal_bytes handle_arrays;

} // namespace

void* immortal_copy(const void* items, std::size_t size) {
    return handle_arrays.copy_of(items, size);
}

} // namespace anympi::fortran::rule
