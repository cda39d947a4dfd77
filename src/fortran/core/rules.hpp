#pragma once

#include "convert/peers.hpp"
#include "fortran/callbacks/attribute_cells.hpp"
#include "fortran/core/character.hpp"
#include "fortran/core/handle_array.hpp"
#include "fortran/core/logical.hpp"
#include "fortran/core/raise_no_memory.hpp"
#include "fortran/core/sentinel.hpp"

#include "categories.hpp" // generated

namespace anympi::fortran::rule {

/// Writes ierror, which a program of mpi_f08 may omit.
[[gnu::always_inline]] inline void report(int* ierror, int code) {
    if (ierror != nullptr)
        *ierror = code;
}

// The kinds of ierror that a procedure may have: always present, possibly present, or never present.

struct always {
    static void report(int* const& ierror, int code) { *ierror = code; }
};
struct if_present {
    static void report(int* const& ierror, int code) { rule::report(ierror, code); }
};
struct never {
    static void report(int* const&, int) {}
};

/// Converts an index to Fortran, which counts from 1.
inline int index_to_fortran(int index) {
    return index == app::mpi_UNDEFINED ? index : index + 1;
}

class index_out {
public:
    explicit index_out(int* program) : program(program) { *program = app::mpi_UNDEFINED; }
    int* place() { return program; }
    void finish(int) { *program = index_to_fortran(*program); }

private:
    int* program;
};

/// The indices of MPI_Waitsome and similar procedures, and their number.
class indices_out {
public:
    indices_out(int* program, int* count) : program(program), count(count) { *count = app::mpi_UNDEFINED; }
    int* place() { return program; }
    void finish(int) {
        for (int i = 0; i < *count; ++i) // MPI_UNDEFINED is negative
            program[i] = index_to_fortran(program[i]);
    }

private:
    int* program;
    int* count;
};

/// A variable for the address that MPI_Buffer_detach writes, because the argument of mpif.h and mpi is too short for
/// it.
class unused_address {
public:
    explicit unused_address(void* /* the program's argument */) {}
    void* place() { return &written; }
    void finish(int) {}

private:
    void* written = nullptr;
};

/// Converts an attribute key to C. Keys that the program created are the same in both languages.
inline int keyval(int number) {
    if constexpr (app::fortran_keyvals != 0)
        for (const int known : category_keyval<app>::values)
            if (known != app::mpi_KEYVAL_INVALID && number == known + app::fortran_keyvals)
                return known;
    return number;
}

// Queries about a communicator: whether a process is the root, and the lengths of arrays. Tools do not see these calls.

inline bool is_root(c_handle<object::comm> comm, int root) {
    return anympi::is_root<app>(without_tools{}, comm, root);
}

inline int count_peers(c_handle<object::comm> comm) {
    block_counts blocks;
    query_peers(without_tools{}, comm, blocks);
    return blocks.send;
}

inline int count_dimensions(c_handle<object::comm> comm) {
    int count = 0;
    return PMPI_Cartdim_get(comm, &count) == 0 ? count : 0;
}

inline block_counts count_neighbors(c_handle<object::comm> comm) {
    block_counts blocks;
    query_neighbors<app>(without_tools{}, comm, blocks);
    return blocks;
}

} // namespace anympi::fortran::rule
