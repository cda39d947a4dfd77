#pragma once

#include "abi/abi.hpp"
#include "runtime/identify/elf_file.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace anympi::command {

// The names of MPI that a binary asks others for.
struct mpi_use {
    std::set<std::string> functions; // MPI_Send, also where it was PMPI_Send
    std::set<std::string> extensions;
    std::set<std::string> data;
    std::set<std::string> fortran;
    std::set<std::string> cxx; // MPI::Comm::Get_rank; a program may have a namespace MPI of its own

    bool is_empty() const { return functions.empty() && extensions.empty() && data.empty() && fortran.empty(); }
    void add(const mpi_use& other);
};

// What a program or library shows of itself without being run.
struct binary {
    std::string path;
    std::string problem;    // "is …", why it could not be read; empty where it could
    bool is_script = false; // no ELF file, and yet a program
    bool is_program = false;
    bool is_static = false;           // needs no other library
    bool has_front = false;           // anympi's front is part of it (a front itself, or mpicc -static-mpi)
    bool implements_mpi = false;      // it has PMPI_Init; a tool has MPI_Init at most
    std::optional<abi> own_interface; // the ABI of the MPI that a program holds, if its symbols tell
    std::string foreign_mpi; // the product whose symbols it asks for or has, of an ABI that anympi does not know
    std::size_t communicator_size = 0; // that of its copies of Open MPI's communicators; 0: there is none
    std::string soname;
    std::vector<std::string> needed;
    std::vector<std::string> rpath;   // as written, with $ORIGIN
    std::vector<std::string> runpath; //
    mpi_use uses;
    mpi_use required; // without what is only asked for by weak references
};

// Returns true if the file defines the name.
bool offers(const binary& file, const std::string& name);

// Returns true if the file defines objects of MPI, such as ompi_mpi_comm_world.
bool has_objects(const binary& file);

// From bytes that may be anything at all.
binary read_binary(runtime::byte_range bytes);

binary read_binary(const std::string& path);

} // namespace anympi::command
