#pragma once

#include "base/function_ref.hpp"
#include "runtime/find/configuration.hpp"
#include "runtime/find/machine_root.hpp"
#include "runtime/find/requested_name.hpp"
#include "runtime/identify/identify.hpp"

namespace anympi::runtime {

// Somewhere that libraries may lie.
struct place {
    path_text path;
    bool is_prefix = true;             // an installation, with lib, lib64 … below; else a folder of libraries
    bool is_pointed_to = false;        // by a person, a module or the launcher: worth trying the rare file names too
    family expected = family::unknown; // of several MPIs that share this prefix the one that is meant
    bounded_text<160> reason;          // why a library found here would be taken
};

// What a search is for.
struct wish {
    const requested_name* name = nullptr;    // nullptr: any
    family lineage = family::unknown;        // unknown: any
    bool (*joins)(const library&) = nullptr; // by what the launcher offers; nullptr: any

    bool accepts(const library& mpi) const;
};

// A file that has the name of an MPI library and is none.
struct refusal {
    path_text path;
    identification answer = identification::missing; // missing: nothing was refused
};

// The best library in one place that the wish accepts. One with the final values of the standard ABI needs no
// conversion; the vendor's own ABI comes next; a draft of the standard is never taken. `refused` keeps the first file
// that was turned down.
bool find_in(const place& where, const wish& wanted, library& best, refusal& refused);

// Every library in one place, the less good ones too.
void list_in(const place& where, function_ref<void(const library&)> found);

// The places that this process's environment and the machine offer, in order of preference, until `visit` answers true:
//  1. MPI_HOME, MPI_ROOT
//  2. the installation of the first mpiexec in PATH, then of the next ones
//  3. the variables of products, of EasyBuild and of the active conda or Python environment
//  4. LD_LIBRARY_PATH
//  5. `search` of the configuration
//  6. the folders into which distributions and vendors install
//  7. Spack's installations, if its environment is loaded
//  8. the user's own folder for Python packages (pip install --user mpich)
//
// `known` spares reading the configuration once more, if it was read already.
bool visit_places(const machine& machine, function_ref<bool(const place&)> visit, const configuration* known = nullptr);

// Makes `where` the installation around an executable: /opt/x for /opt/x/bin/mpiexec. False where there is none.
bool set_prefix_of(const char* executable, place& where);

} // namespace anympi::runtime
