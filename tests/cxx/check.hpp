// Checks for the programs with the C++ bindings, which are compiled with the headers of a vendor. The last line of a
// program has the form of tests/programs/check.h: `ok N checks` or `FAILED: F of N checks`.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static int rank_here, ranks;
static int checks_done, checks_failed;

static inline bool check(bool good, const char* expression, const char* file, int line) {
    ++checks_done;
    if (!good) {
        ++checks_failed;
        std::printf("FAILED %s:%d: rank %d: %s\n", file, line, rank_here, expression);
        std::fflush(stdout);
    }
    return good;
}

#define CHECK(condition) check(static_cast<bool>(condition), #condition, __FILE__, __LINE__)

/// An object whose type the compiler does not see: calls go through its table of virtual functions.
template <class Object>
[[gnu::noinline]] Object& opaque(Object& object) {
    Object* address = &object;
    asm volatile("" : "+r"(address));
    return *address;
}

static inline MPI::Intracomm& world() {
    return opaque(MPI::COMM_WORLD);
}

/// The driver passes the number of ranks: separate jobs of one rank must not count as one job.
static inline void join() {
    rank_here = world().Get_rank();
    ranks = world().Get_size();
    const char* expected = std::getenv("ANYMPI_TEST_RANKS");
    CHECK(expected != NULL && std::atoi(expected) == ranks);
}

static inline int finish() {
    int mine[2] = {checks_done, checks_failed}, all[2] = {0, 0};
    MPI_Allreduce(mine, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI::Finalize();
    if (rank_here == 0 && all[1] != 0)
        std::printf("FAILED: %d of %d checks\n", all[1], all[0]);
    else if (rank_here == 0)
        std::printf("ok %d checks\n", all[0]);
    return all[1] != 0;
}
