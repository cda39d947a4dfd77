// The headers need C++20 and an mpi.h of the standard ABI. If one is missing, the compiler prints one sentence and then
// stops at a file that does not exist, so that hundreds of errors do not follow.
#ifndef ANYMPI_REQUIREMENTS_HPP
#define ANYMPI_REQUIREMENTS_HPP

#if __cplusplus < 202002L
#error anympi needs C++20: compile with -std=c++20 or newer
#include "the compiler stops here"
#endif

#include <mpi.h>

#if !defined(MPI_VERSION) || MPI_VERSION < 3 || (MPI_VERSION == 3 && MPI_SUBVERSION < 1)
#error anympi needs an mpi.h of MPI 3.1 or newer: compile with the mpicxx of anympi
#include "the compiler stops here"
#elif !defined(MPI_ABI_VERSION)
#error anympi needs an mpi.h of the standard ABI, and this one is of another: compile with the mpicxx of anympi
#include "the compiler stops here"
#endif

#endif
