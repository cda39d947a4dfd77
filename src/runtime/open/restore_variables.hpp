#pragma once

#include "runtime/open/restart.hpp"

namespace anympi::runtime {

// Variables that remain in the environment when a program is started again with its own MPI library
// (front/vendors/step_aside.cpp). The new values of the dynamic linker's variables are only for that process, not for
// programs that it starts. So the former values are stored under other names, and restored as soon as the dynamic
// linker has read the new ones.

/// Adds to the changes a mark with the number of this process, and the values of LD_LIBRARY_PATH and LD_PRELOAD in
/// `environment` under other names. The caller adds the new values.
void keep_for_putting_back(changes& different, char* const* environment);

/// Returns true if a list of variables contains such a mark of this process.
bool are_kept_for_putting_back(char* const* environment);

/// Restores the variables, in the list that a constructor gets and in the list of the C library. The lists are changed
/// in place, because a program may define its own setenv. Returns true if this process has stepped aside.
bool put_back_after_stepping_aside(char** environment);

/// keep_path.so has a bool with this name, for a front that is opened after keep_path.so has restored the variables.
constexpr const char* name_of_flag = "anympi_has_stepped_aside";

} // namespace anympi::runtime
