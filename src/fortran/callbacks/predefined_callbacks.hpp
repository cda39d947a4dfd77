#pragma once

namespace anympi::fortran {

/// Is the function that the program handed to MPI one of the predefined ones?
bool is_null_copy_function(const void* function);
bool is_dup_function(const void* function);
bool is_null_delete_function(const void* function);
bool is_null_conversion(const void* function);

} // namespace anympi::fortran
