#pragma once

#include "base/function_ref.hpp"

namespace anympi {

// Functions that the program of this process calls and that the MPI library of its own family lacks. before_binding.so
// looks first, but not in a process with AddressSanitizer or an allocator of its own. Such a program gets here only if
// it is bound lazily.

/// Returns true if an object of this process calls a function with a name of MPI that no object has. References that
/// are weak do not count.
bool calls_undefined_function();

/// Returns true if the front at `front`, which is not loaded, has one of these functions.
bool calls_function_of(const char* front);

/// Opens this front and returns the interposers that these functions need on the library at `chosen`: files with a
/// colon behind each. Returns nullptr if the front cannot be opened. The process is to be started once more then.
const char* ask_for_interposers(const char* front, const char* chosen);

/// Calls `visit` with each library of this process, but for the one at `chosen`, that has data objects of the names
/// that the front has: Open MPI 6 has its objects in a library behind libmpi.so.40. The front must not come before
/// these.
void for_each_file_with_objects(const char* front, const char* chosen, function_ref<void(const char* file)> visit);

} // namespace anympi
