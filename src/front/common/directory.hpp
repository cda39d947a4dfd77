#pragma once

#include "functions.hpp" // generated

namespace anympi {

// Facts of the functions that do not depend on a pair, in the order of the slots (generated).

[[gnu::visibility("hidden")]] extern const char* const function_names; // without MPI_, each ended by a zero
[[gnu::visibility(
    "hidden")]] extern const short needed_functions[function_count]; // the runtime's function a bridge needs, or -1
[[gnu::visibility(
    "hidden")]] extern void* const missing_functions[function_count]; // what a slot leads to if the runtime lacks it

/// The profiling name of a function in libraries that had it before the standard did.
struct older_name {
    function of;
    char symbol[40]; // in place: the loader has nothing to relocate
};
[[gnu::visibility("hidden")]] extern const older_name older_names[];
[[gnu::visibility("hidden")]] extern const int older_name_count;

/// The name of one function, without MPI_.
const char* name_of(function f);

} // namespace anympi
