#pragma once

#include "runtime/open/restart.hpp"

namespace anympi::runtime {

// What a start of a program with its own MPI library (front/vendors/step_aside.cpp) leaves in the environment. The
// variables of the dynamic linker are for that process alone, and not for the programs that it starts. So the values
// that they had before travel along, and are put back as soon as the dynamic linker has read the new ones.

// Adds to the changes a mark with the number of this process, and LD_LIBRARY_PATH and LD_PRELOAD as `environment` has
// them, under other names. The caller adds what they are to be.
void keep_for_putting_back(changes& different, char* const* environment);

// Returns true if a list of variables has such a mark of this process.
bool are_kept_for_putting_back(char* const* environment);

// Puts the variables back, in the list that a constructor gets and in the one that the C library has. The lists are
// edited in place: a program may have a setenv of its own. Returns true if this process has stepped aside.
bool put_back_after_stepping_aside(char** environment);

// keep_path.so has a bool of this name, for a front that is opened after keep_path.so has put the variables back.
constexpr const char* name_of_flag = "anympi_has_stepped_aside";

} // namespace anympi::runtime
