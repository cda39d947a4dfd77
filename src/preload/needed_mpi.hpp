#pragma once

#include "base/function_ref.hpp"

#include <string_view>

namespace anympi {

/// Calls `visit` with each MPI library that a library needs directly: libmpi.so.40, libmpi_cxx.so.40. Calls no function
/// that keep_path.so may not call.
void for_each_needed_mpi(const char* file, function_ref<void(std::string_view soname)> visit);

} // namespace anympi
