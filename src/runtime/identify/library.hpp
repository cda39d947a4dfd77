#pragma once

#include "abi/abi.hpp"
#include "base/text.hpp"

#include <array>
#include <climits>
#include <iterator>

namespace anympi::runtime {

/// The sets of values of libraries with the soname libmpi_abi.so.1: the final values, and two drafts that are in use.
enum class generation : unsigned char { final_values, draft_mpich_4_3, draft_intel };

/// The family whose launchers start a library. For a library of the standard ABI, the ABI does not tell the family.
enum class family : unsigned char { unknown, mpich, openmpi };

/// The description of a library file, as far as the file shows it without being run.
struct library {
    abi interface = abi::standard;
    generation values = generation::final_values; // only for the standard ABI
    family lineage = family::unknown;
    bool speaks_pmix = false;      // launchers with PMIx can start it
    bool needs_pmix = false;       // launchers with PMI only cannot start it
    bool fails_under_pmix = false; // it gives up in MPI_Init under PMIx, where other libraries run as single processes
    char path[PATH_MAX] = "";      // absolute
    char soname[64] = "";
    char product[32] = ""; // "MPICH", "Intel MPI", "Open MPI" …
    char version[32] = ""; // "4.0.2"; "5.0 or newer" if only the functions tell; "" if unknown
};

/// The text by which a library file tells its exact version, if its functions do not tell it.
enum class version_text : unsigned char {
    none,
    release, // "5.0.2", of the release that the functions tell
    year     // "2021.19.0", or in older releases "2018 Update 3"
};

/// The products that users can request by name (find/requested_name.hpp reads these names).
struct known_product {
    const char* name;
    const char* alias;
    const char* product;
    family lineage;
    version_text exact = version_text::none;
};
inline constexpr known_product products[] = {
    {"mpich", "mpich", "MPICH", family::mpich, version_text::release},
    {"openmpi", "ompi", "Open MPI", family::openmpi},
    {"intel", "impi", "Intel MPI", family::mpich, version_text::year},
    {"mvapich", "mvapich2", "MVAPICH", family::mpich},
    {"cray", "cray-mpich", "Cray MPICH", family::mpich},
    {"spectrum", "spectrum-mpi", "Spectrum MPI", family::openmpi},
};
inline constexpr char name_of_the_standard[] = "standard"; // any library that has this ABI

/// The names of families that --mpi, ANYMPI_MPI and the setting `mpi` accept. They also accept paths.
inline constexpr auto names_of_mpis = [] {
    std::array<const char*, std::size(products) + 1> names{};
    for (std::size_t i = 0; i < std::size(products); i++)
        names[i] = products[i].name;
    names.back() = name_of_the_standard;
    return names;
}();

/// Returns "MPICH 4.0.2 (libmpich.so.12)", for messages.
bounded_text<192> describe(const library& mpi);

/// Return the family of an ABI and the ABI of a family. The standard ABI belongs to no family.
family family_of(abi interface);
abi interface_of(family lineage);

/// Returns "MPICH's ABI", for messages.
const char* title_of(abi interface);

/// Returns true if programs of this ABI run on the library itself. Programs of the standard ABI always use the front,
/// which checks the launcher.
bool needs_no_front(abi program, const library& mpi);

/// Returns true if the library has the names of the standard ABI and the values of a draft.
bool is_draft(const library& mpi);

bool is_at_least(const library& mpi, int major, int minor);

/// Returns the product with this `name` or `alias`, or nullptr.
const known_product* find_product(const char* name);

/// Returns the product of a library, or nullptr if it has no name.
const known_product* product_of(const library& mpi);

/// Returns the name of the library's product (`mpich`), as used in the settings `launcher.NAME` and `options.NAME`.
/// Returns the library's path if its product has no name.
const char* name_of(const library& mpi);

} // namespace anympi::runtime
