#pragma once

#include "base/text.hpp"
#include "front/common/app.hpp"
#include "front/common/pair_instances.hpp"
#include "interposers.hpp" // generated

namespace anympi {

// A front whose program runs on a library of its own family is a *supplement*: it comes after that library in the
// process, so that only names that the library lacks lead to the front.

/// Returns the loaded interposers, as bits in the order of `interposer_names`.
unsigned loaded_interposers();

/// Returns the interposers that the objects of this process need if `library` is the MPI library: for all functions of
/// MPI that they call and the library lacks. The result is a list of files with a colon after each. It is empty if an
/// interposer is missing or LD_PRELOAD cannot hold its name; then the functions that need it are missing.
path_text interposers_for(const char* library);

/// Binds the library without bridges. Functions that it lacks are emulated. A function whose interposers are not loaded
/// reports that it is missing.
bool bind_supplement(const runtime::opened& from, void** targets);

} // namespace anympi
