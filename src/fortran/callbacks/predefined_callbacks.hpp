#pragma once

namespace anympi::fortran {

/// Each of these returns true if a function that the program passed to MPI is one of the predefined callbacks of that
/// kind.
bool is_null_copy_function(const void* function);
bool is_dup_function(const void* function);
bool is_null_delete_function(const void* function);
bool is_null_conversion(const void* function);

} // namespace anympi::fortran
