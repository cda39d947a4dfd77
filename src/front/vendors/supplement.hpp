#pragma once

#include "base/text.hpp"
#include "front/common/app.hpp"
#include "front/common/pair_instances.hpp"
#include "interposers.hpp" // generated

namespace anympi {

// A front whose program runs on a library of its own family is a *supplement*: it stands behind that library, which
// comes first in the process, so that only what the library lacks leads to the front.

/// The interposers that are loaded, as bits in the order of `interposer_names`.
unsigned loaded_interposers();

/// The interposers that the parts of this process need if `library` is the MPI library: for all functions of MPI that
/// they call and that it lacks. A list of files with a colon behind each. Empty if one is missing, or has a name that
/// LD_PRELOAD cannot hold: what needs them is missing then.
path_text interposers_for(const char* library);

/// Binds the library without bridges. Functions that it lacks are built; one whose interposers are not loaded reports
/// that it is missing.
bool bind_supplement(const runtime::opened& from, void** targets);

} // namespace anympi
