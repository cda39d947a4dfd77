#pragma once

#include "command/inspect/loader.hpp"
#include "command/inspect/mpi_names.hpp"

#include <map>
#include <optional>
#include <string>

namespace anympi::command {

/// Returns the ABI if a file uses symbols that only libraries of this ABI define.
std::optional<abi> abi_by_symbols(const mpi_use& uses);

/// Sonames that are used by libraries of several ABIs, or by several releases with different structures. A process
/// loads one library for each soname. Evidence in one part of a program therefore counts for all parts.
class shared_names {
public:
    explicit shared_names(const loaded_files& loaded);

    /// Returns what a soname says about a part of the program, or nothing if it does not belong to an MPI.
    std::optional<mpi_soname> find(const std::string& name, const binary& part) const;

    /// Returns the products that have this soname and whose ABI anympi does not know, if the program shows nothing of a
    /// known MPI. Returns an empty text otherwise.
    std::string foreign_owner(const std::string& soname) const;

private:
    struct evidence {
        std::optional<abi> of_parts;   // the ABI that the parts that need the library show
        std::optional<abi> of_library; // the ABI of the library that would be loaded
        bool is_disputed = false;      // the parts show different ABIs
        bool is_old = false;           // Open MPI up to 1.4
        bool is_new = false;           // Open MPI from 1.5 on
        bool is_used = false;          // a part that needs the library calls functions of MPI

        std::optional<abi> interface() const { return of_parts ? of_parts : of_library; }
    };

    void add_library(const loaded_file& part);
    void add(const std::string& soname, const binary& part, std::optional<abi> interface);

    std::map<std::string, evidence> evidence_; // by soname
};

} // namespace anympi::command
