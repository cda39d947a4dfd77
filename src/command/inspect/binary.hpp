#pragma once

#include "abi/abi.hpp"
#include "runtime/identify/elf_file.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace anympi::command {

/// The names of MPI that a binary uses and does not define.
struct mpi_use {
    std::set<std::string> functions; // MPI_Send also stands for PMPI_Send
    std::set<std::string> extensions;
    std::set<std::string> data;
    std::set<std::string> fortran;
    std::set<std::string> cxx; // MPI::Comm::Get_rank; a program may have a namespace MPI of its own

    bool is_empty() const { return functions.empty() && extensions.empty() && data.empty() && fortran.empty(); }
    void add(const mpi_use& other);
};

/// The facts that can be read from a program or library without running it.
struct binary {
    std::string path;
    std::string problem;    // why the file could not be read: "is …"; empty if it was read
    bool is_script = false; // a program that is not an ELF file
    bool is_program = false;
    bool is_static = false;            // needs no other library
    bool has_front = false;            // contains anympi's front (a front itself, or mpicc -static-mpi)
    bool implements_mpi = false;       // defines PMPI_Init; a tool defines at most MPI_Init
    std::optional<abi> own_interface;  // the ABI of the MPI linked into a program, if its symbols show it
    std::string foreign_mpi;           // a product with an ABI that anympi does not know, shown by its symbols
    std::size_t communicator_size = 0; // the size of its copies of Open MPI's communicators; 0 without copies
    std::string soname;
    std::vector<std::string> needed;
    std::vector<std::string> rpath;   // as written, with $ORIGIN
    std::vector<std::string> runpath; // also as written
    mpi_use uses;
    mpi_use required; // `uses` without the names that only weak references use
};

/// Returns true if the file defines the name.
bool offers(const binary& file, const std::string& name);

/// Returns true if the file defines objects of MPI, such as ompi_mpi_comm_world.
bool has_objects(const binary& file);

/// Reads the bytes of a file, which may be damaged or no ELF file at all.
binary read_binary(runtime::byte_range bytes);

binary read_binary(const std::string& path);

} // namespace anympi::command
