#pragma once

#include "arch/machine.hpp"

// The folders in which MPI libraries are looked for. sonames.hpp has the names of their files.

namespace anympi::runtime {

/// The folders of an installation, relative to its prefix.
inline constexpr const char* library_folders[] = {
    ("lib/" ANYMPI_TRIPLET), // Debian, where the prefix is /usr
    "lib",
    "lib64",
};

/// Folders that only some vendors have. They are tried only in an installation that a person, a module or the launcher
/// points to, so that the search of the machine stays short.
inline constexpr const char* vendors_folders[] = {
    "lib/release",   // Intel MPI up to 2021.10. Its lib/debug is not used
    "lib-abi-mpich", // Cray MPICH by the plain name libmpi.so.12
};

/// Variables that name a prefix. The general variables are looked at first. The other variables belong to a product
/// (HPC-X, EasyBuild …) or to the active conda or Python environment. They may be set although the user means another
/// MPI.
inline constexpr const char* general_variables[] = {"MPI_HOME", "MPI_ROOT"};
inline constexpr const char* product_variables[] = {
    "CRAY_MPICH_DIR", "MPICH_DIR",   "MPICH_ROOT",     "MPICH_HOME",   "OPENMPI_DIR", "OPENMPI_ROOT",
    "OPENMPI_HOME",   "I_MPI_ROOT",  "HPCX_MPI_DIR",   "OPAL_PREFIX",  "EBROOTMPICH", "EBROOTOPENMPI",
    "EBROOTIMPI",     "EBROOTPSMPI", "EBROOTMVAPICH2", "CONDA_PREFIX", "VIRTUAL_ENV",
};

/// Prefixes of the machine itself. Debian also has a folder for each product.
inline constexpr const char* system_prefixes[] = {
    "/usr",
    ("/usr/lib/" ANYMPI_TRIPLET "/openmpi"),
    ("/usr/lib/" ANYMPI_TRIPLET "/mpich"),
    "/usr/local",
};
inline constexpr const char* vendors_prefixes[] = {"/opt/intel/oneapi/mpi/latest"};

/// Folders that hold prefixes: RHEL's /usr/lib64/openmpi, SUSE's /usr/lib64/mpi/gcc/mpich, Mellanox's and Arch's in
/// /opt …
inline constexpr const char* system_collections[] = {"/usr/lib64", "/usr/lib64/mpi/gcc", "/opt"};
inline constexpr const char* collected_names[] = {"mpich", "openmpi", "mvapich"}; // also longer names: openmpi5

/// Spack's installations: PLATFORM/openmpi-5.0.6-HASH, before version 1.0 PLATFORM/COMPILER/openmpi-5.0.6-HASH.
inline constexpr char spack_installations[] = "/opt/spack";

} // namespace anympi::runtime
