#pragma once

#include "base/function_ref.hpp"
#include "runtime/find/configuration.hpp"
#include "runtime/find/machine_root.hpp"
#include "runtime/find/requested_name.hpp"
#include "runtime/identify/identify.hpp"

namespace anympi::runtime {

/// A folder in which libraries are looked for.
struct place {
    path_text path;
    bool is_prefix = true;      // an installation, with lib, lib64 … below; else a folder of libraries
    bool is_pointed_to = false; // a person, a module or the launcher names it; the rare file names are tried, too
    family expected = family::unknown; // the wanted family, if several MPIs share this prefix
    bounded_text<160> reason;          // why a library found here would be taken
};

/// The properties of a library that is looked for. By default, every library is accepted.
struct wish {
    const requested_name* name = nullptr;
    family lineage = family::unknown;
    bool (*joins)(const library&) = nullptr; // returns true if processes of the library find each other by the launcher
    const configuration* settings = nullptr; // has the rules of the site

    bool accepts(const library& mpi) const;
};

/// A file that has the name of an MPI library, but cannot be used.
struct refusal {
    path_text path;
    identification answer = identification::missing; // `missing` if no file was refused
};

/// Finds the best library in one place that the wish accepts. A library with the final values of the standard ABI is
/// preferred, since it needs no conversion; the vendor's own ABI comes next; a draft of the standard is never taken.
/// `refused` keeps the first file that cannot be used.
bool find_in(const place& where, const wish& wanted, library& best, refusal& refused);

/// Calls `found` with every library in one place, not only with the best one.
void list_in(const place& where, function_ref<void(const library&)> found);

/// Calls `visit` with the places that the environment of this process and the machine offer, in order of preference,
/// until it returns true:
///  1. MPI_HOME, MPI_ROOT
///  2. the installation of the first mpiexec in PATH, then of the next ones
///  3. the variables of products, of EasyBuild and of the active conda or Python environment
///  4. LD_LIBRARY_PATH
///  5. `search` of the configuration
///  6. the folders into which distributions and vendors install
///  7. Spack's installations, if its environment is loaded
///  8. the user's own folder for Python packages (pip install --user mpich)
///
/// `known` is the configuration if the caller has read it already.
bool visit_places(const machine& machine, function_ref<bool(const place&)> visit, const configuration* known = nullptr);

/// Sets `where` to the installation that contains an executable: /opt/x for /opt/x/bin/mpiexec. Returns false if the
/// path has too few folders.
bool set_prefix_of(const char* executable, place& where);

} // namespace anympi::runtime
