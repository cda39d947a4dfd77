// The headers need C++20 and an mpi.h of MPI 3.1 or newer. If one is missing, the compiler prints one sentence and then
// stops at a file that does not exist, so that hundreds of errors do not follow.
//
// The mpi.h may be anympi's or a library's own. older.hpp has what an mpi.h lacks that is older than MPI 5.0.
#ifndef ANYMPI_REQUIREMENTS_HPP
#define ANYMPI_REQUIREMENTS_HPP

#if __cplusplus < 202002L
#error anympi needs C++20: compile with -std=c++20 or newer
#include "the compiler stops here"
#endif

// The C++ bindings of MPI-2 only cost time, and their library need not be linked.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#if !defined(MPI_VERSION) || MPI_VERSION < 3 || (MPI_VERSION == 3 && MPI_SUBVERSION < 1)
#error anympi needs an mpi.h of MPI 3.1 or newer: compile with the mpicxx of anympi
#include "the compiler stops here"
#endif

#include "older.hpp"

#endif
