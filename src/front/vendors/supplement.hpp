#pragma once

#include "front/common/app.hpp"
#include "front/common/pair_instances.hpp"
#include "interposers.hpp" // generated

namespace anympi {

/// A front whose program runs on a library of its own family is a *supplement*: it stands behind that library, which
/// comes first in the process, so that only what the library lacks leads to the front.

/// The interposers that are loaded, as bits in the order of `interposer_names`.
unsigned loaded_interposers();

/// The interposers that the parts of this process need if `mpi` is the library: for all functions of MPI that they
/// call and that it lacks.
unsigned find_needed_interposers(const runtime::library& mpi);

/// Calls `visit` with the name of each of these interposers.
template <class Visitor>
void for_each_interposer(unsigned bits, Visitor visit) {
    for (const char* const name : interposer_names) {
        if ((bits & 1) != 0)
            visit(name);
        bits >>= 1;
    }
}

/// Binds the library without bridges. Functions that it lacks are built; one whose interposers are not loaded reports
/// that it is missing.
bool bind_supplement(const runtime::opened& from, void** targets);

} // namespace anympi
