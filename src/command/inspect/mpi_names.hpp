#pragma once

#include "abi/abi.hpp"

#include <optional>
#include <string>
#include <string_view>

// Two kinds of names in a binary show which MPI it uses: the libraries that it needs, and its symbols.

namespace anympi::command {

/// Returns the ABI with this name, or nothing.
std::optional<abi> find_abi(std::string_view name);

/// The part of an ABI that is different in an older release.
enum class difference : unsigned char {
    nothing,
    combiners, // MPICH2 1.5: MPI_Type_get_envelope returns other numbers
    statuses   // MPICH 3.0 (also with those combiners) and Open MPI up to 1.4: MPI_Status has another layout
};

/// An older release whose programs need a library of anympi that converts. That library has the soname of the release.
struct older_release {
    abi interface;
    difference differs;
    const char* soname;
    const char* title; // the name of the release in messages
};

/// Returns the release with this difference, or nullptr for difference::nothing.
const older_release* find_older_release(abi interface, difference differs);

/// The facts that the soname of a needed library tells about a program.
struct mpi_soname {
    abi interface;
    const char* remark = "";   // what is unusual about it, as a sentence
    bool is_draft = false;     // the standard ABI before its values were final
    bool is_companion = false; // the library is for Fortran, C++ or Java; another library has the functions of C
    bool is_ilp64 = false; // the library is for Fortran programs with integers of 8 bytes; `is_companion` is true, too
    difference older = difference::nothing;
};

/// Returns the facts that a soname tells, or nothing if the soname does not belong to an MPI. Folders may precede the
/// soname, as in an adopted program.
std::optional<mpi_soname> find_mpi_soname(std::string_view soname);

/// Returns the original soname of a library that a packing tool (auditwheel) has renamed: libmpich.so.12 for
/// libmpich-1a2b3c4d.so.12.1.1. Returns an empty text if the name has no hash.
std::string soname_without_hash(std::string_view soname);

/// Returns true if the soname names an MPI's library for Fortran, C++ or Java.
bool is_companion(std::string_view soname);

enum class symbol_kind : unsigned char {
    other,
    function,  // MPI_Send
    profiling, // PMPI_Send
    extension, // MPIX_*, OMPI_*, MPIR_*: functions of one vendor
    data,      // ompi_mpi_comm_world, MPI_UNWEIGHTED …: variables of one ABI
    fortran,   // mpi_send_, MPI_Send_f08ts, __mpi_types_MOD_ompi_comm_op_eq
    cxx        // _ZNK3MPI4Comm8Get_rankEv
};

symbol_kind classify_symbol(std::string_view name);

/// Returns the name of the C function for a Fortran name, in small letters: mpi_send for mpi_send__, PMPI_SEND and
/// MPI_Send_f08ts.
std::string c_name_of_fortran(std::string_view name);

/// Return the product whose ABI anympi does not know, if only this product has the symbol or the soname. Return an
/// empty text otherwise.
const char* foreign_mpi_of_symbol(std::string_view name);
const char* foreign_mpi_of_soname(std::string_view soname);

/// Returns the ABI if only libraries of one ABI have the symbol.
std::optional<abi> abi_of_symbol(std::string_view name);

} // namespace anympi::command
