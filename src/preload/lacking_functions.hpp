#pragma once

#include "base/function_ref.hpp"

namespace anympi {

// Finds functions that the program of this process calls and that the MPI library of its own family lacks.
// before_binding.so has checked first, except in a process with AddressSanitizer or a replaced allocator. In such a
// process only a program with lazy binding gets this far.

/// Returns true if an object of this process calls a function with a name of MPI that no object defines. Weak
/// references do not count.
bool calls_undefined_function();

/// Returns true if the front at `front`, which is not loaded, defines one of these functions.
bool calls_function_of(const char* front);

/// Opens this front and returns the interposers that these functions need on the library at `chosen`: files with a
/// colon after each. Returns nullptr if the front cannot be opened; then the process must be started again.
const char* ask_for_interposers(const char* front, const char* chosen);

/// Calls `visit` with each library of this process, except the one at `chosen`, that defines data objects which the
/// front also defines. Open MPI 6 has its data objects in a library that libmpi.so.40 needs. The front must not come
/// before these libraries.
void for_each_file_with_objects(const char* front, const char* chosen, function_ref<void(const char* file)> visit);

} // namespace anympi
