#pragma once

#include "abi/abi.hpp"

#include <optional>
#include <string>
#include <string_view>

// What the names in a binary tell about MPI: those of libraries that it needs and those of symbols.

namespace anympi::command {

const char* name_of(abi interface);

// What a program is bound to by the soname of a library that it needs.
struct mpi_soname {
    abi interface;
    const char* remark = "";   // what is unusual about it, as a sentence
    bool is_draft = false;     // of the standard ABI, before its values were final
    bool is_companion = false; // for Fortran, C++ or Java, beside the library that has the functions of C
};

// Returns nothing if the soname is no MPI's. The soname may have folders before it, as in a program that was adopted.
std::optional<mpi_soname> find_mpi_soname(std::string_view soname);

// Returns true if a soname is that of a library for Fortran, C++ or Java beside an MPI's library of C.
bool is_companion(std::string_view soname);

enum class symbol_kind : unsigned char {
    other,
    function,  // MPI_Send
    profiling, // PMPI_Send
    extension, // MPIX_*, OMPI_*, MPIR_*: of one vendor
    data,      // ompi_mpi_comm_world, MPI_UNWEIGHTED …: of one ABI
    fortran    // mpi_send_, MPI_Send_f08ts
};

symbol_kind classify_symbol(std::string_view name);

// The function of C behind a Fortran name, in small letters: mpi_send of mpi_send__, PMPI_SEND and MPI_Send_f08ts.
std::string c_name_of_fortran(std::string_view name);

// The ABI to which a symbol belongs alone; nothing for those that all have.
std::optional<abi> abi_of_symbol(std::string_view name);

} // namespace anympi::command
