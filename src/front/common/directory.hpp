#pragma once

#include "functions.hpp" // generated

namespace anympi {

// Generated tables of functions that do not depend on a pair, in the order of the slots.

[[gnu::visibility("hidden")]] extern const char* const function_names; // the names without MPI_, each with a zero byte
[[gnu::visibility("hidden")]] extern const short
    needed_functions[function_count]; // the runtime's function that a bridge needs, or -1
[[gnu::visibility("hidden")]] extern void* const
    missing_functions[function_count]; // the target of the slot if the runtime lacks the function

/// The name that a profiling function had in libraries before the standard defined it.
struct older_name {
    function of;
    char symbol[40]; // an array, so that the loader has nothing to relocate
};
[[gnu::visibility("hidden")]] extern const older_name older_names[];
[[gnu::visibility("hidden")]] extern const int older_name_count;

/// Returns the name of a function, without MPI_.
const char* name_of(function f);

} // namespace anympi
