#pragma once

#include "abi/abi.hpp"

#include <optional>
#include <string>
#include <string_view>

// What the names in a binary tell about MPI: those of libraries that it needs and those of symbols.

namespace anympi::command {

// Returns nothing if no ABI has this name.
std::optional<abi> find_abi(std::string_view name);

// What is different in an older release of an ABI.
enum class difference : unsigned char {
    nothing,
    combiners, // MPICH2 1.5: numbers of MPI_Type_get_envelope
    statuses   // MPICH 3.0, with the same combiners, and Open MPI up to 1.4: the layout of MPI_Status
};

// A release in which something is different. The library that converts for its programs has the name of its library.
struct older_release {
    abi interface;
    difference differs;
    const char* soname;
    const char* title; // for messages
};

// Returns nullptr if nothing is different.
const older_release* find_older_release(abi interface, difference differs);

// What a program is bound to by the soname of a library that it needs.
struct mpi_soname {
    abi interface;
    const char* remark = "";   // what is unusual about it, as a sentence
    bool is_draft = false;     // of the standard ABI, before its values were final
    bool is_companion = false; // for Fortran, C++ or Java, beside the library that has the functions of C
    bool is_ilp64 = false;     // for Fortran programs with integers of 8 bytes; a companion, too
    difference older = difference::nothing;
};

// Returns nothing if the soname is no MPI's. The soname may have folders before it, as in a program that was adopted.
std::optional<mpi_soname> find_mpi_soname(std::string_view soname);

// Packing tools (auditwheel) copy libraries into a package and put a hash into their names. Returns the soname before
// that, libmpich.so.12 for libmpich-1a2b3c4d.so.12.1.1, or an empty text if there is no hash in the name.
std::string soname_without_hash(std::string_view soname);

// Returns true if a soname is that of a library for Fortran, C++ or Java beside an MPI's library of C.
bool is_companion(std::string_view soname);

enum class symbol_kind : unsigned char {
    other,
    function,  // MPI_Send
    profiling, // PMPI_Send
    extension, // MPIX_*, OMPI_*, MPIR_*: of one vendor
    data,      // ompi_mpi_comm_world, MPI_UNWEIGHTED …: of one ABI
    fortran,   // mpi_send_, MPI_Send_f08ts, __mpi_types_MOD_ompi_comm_op_eq
    cxx        // _ZNK3MPI4Comm8Get_rankEv
};

symbol_kind classify_symbol(std::string_view name);

// The function of C behind a Fortran name, in small letters: mpi_send of mpi_send__, PMPI_SEND and MPI_Send_f08ts.
std::string c_name_of_fortran(std::string_view name);

// The product to which a symbol, or a soname, belongs alone and whose ABI anympi does not know; an empty text for all
// others.
const char* foreign_mpi_of_symbol(std::string_view name);
const char* foreign_mpi_of_soname(std::string_view soname);

// The ABI to which a symbol belongs alone; nothing for those that all have.
std::optional<abi> abi_of_symbol(std::string_view name);

} // namespace anympi::command
