#pragma once

#include "abi/abi.hpp"
#include "base/text.hpp"

#include <array>
#include <climits>
#include <iterator>

namespace anympi::runtime {

// Three sets of values exist behind the soname libmpi_abi.so.1: the final ones, and two drafts in the field.
enum class generation : unsigned char { final_values, draft_mpich_4_3, draft_intel };

// Whose process management a library speaks; for a standard-ABI library this is not told by its ABI.
enum class family : unsigned char { unknown, mpich, openmpi };

// What a library file is, as far as the file shows it without being run.
struct library {
    abi interface = abi::standard;
    generation values = generation::final_values; // means something for the standard ABI only
    family lineage = family::unknown;
    bool speaks_pmix = false;      // launchers that offer PMIx can start it
    bool needs_pmix = false;       // those that offer PMI alone cannot
    bool fails_under_pmix = false; // gives up in MPI_Init, where others would run alone
    char path[PATH_MAX] = "";      // absolute
    char soname[64] = "";
    char product[32] = ""; // "MPICH", "Intel MPI", "Open MPI" …
    char version[32] = ""; // "4.0.2"; "5.0 or newer" where only the functions tell; "" where nothing does
};

/// The products that people can ask for by a name (find/requested_name.hpp reads these names).
struct known_product {
    const char* name;
    const char* alias;
    const char* product;
    family lineage;
};
inline constexpr known_product products[] = {
    {"mpich", "mpich", "MPICH", family::mpich},          {"openmpi", "ompi", "Open MPI", family::openmpi},
    {"intel", "impi", "Intel MPI", family::mpich},       {"mvapich", "mvapich2", "MVAPICH", family::mpich},
    {"cray", "cray-mpich", "Cray MPICH", family::mpich}, {"spectrum", "spectrum-mpi", "Spectrum MPI", family::openmpi},
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

// "MPICH 4.0.2 (libmpich.so.12)", for messages.
bounded_text<192> describe(const library& mpi);

// The family whose libraries have an ABI for themselves, and the ABI of a family; the standard ABI belongs to none.
family family_of(abi interface);
abi interface_of(family lineage);

// "MPICH's ABI", for messages.
const char* title_of(abi interface);

// Returns true if programs of this ABI run on the library itself. Those of the standard ABI go by the front in any
// case, which checks the launcher.
bool needs_no_front(abi program, const library& mpi);

// Has the standard ABI's names with the values of a draft.
bool is_draft(const library& mpi);

bool is_at_least(const library& mpi, int major, int minor);

/// Returns the product with this `name` or `alias`, or nullptr.
const known_product* find_product(const char* name);

/// Returns the name of the library's product (`mpich`), which the settings `launcher.NAME` and `options.NAME` have; the
/// library's path if its product has no name.
const char* name_of(const library& mpi);

} // namespace anympi::runtime
