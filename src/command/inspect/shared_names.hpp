#pragma once

#include "command/inspect/loader.hpp"
#include "command/inspect/mpi_names.hpp"

#include <map>
#include <optional>
#include <string>

namespace anympi::command {

// The ABI to which the symbols that a file asks for belong alone; nothing if all have them.
std::optional<abi> abi_by_symbols(const mpi_use& uses);

// Sonames that libraries of several ABIs have, or of several releases whose structures differ. A soname means one
// library in a process, so whatever part of a program tells for one part tells it for all.
class shared_names {
public:
    explicit shared_names(const loaded_files& loaded);

    // What a part of the program is bound to by a soname. Returns nothing if the soname is no MPI's.
    std::optional<mpi_soname> find(const std::string& name, const binary& part) const;

    // The products that have this name and whose ABI anympi does not know, if nothing in the program tells that it is
    // meant for another one; an empty text for all other names.
    std::string foreign_owner(const std::string& soname) const;

private:
    struct evidence {
        std::optional<abi> of_parts;   // those that need it
        std::optional<abi> of_library; // the one that would be loaded
        bool is_disputed = false;      // the parts tell different things
        bool is_old = false;           // Open MPI up to 1.4
        bool is_new = false;           // Open MPI from 1.5 on
        bool is_used = false;          // functions of MPI are called by a part that needs it

        std::optional<abi> interface() const { return of_parts ? of_parts : of_library; }
    };

    void add_library(const loaded_file& part);
    void add(const std::string& soname, const binary& part, std::optional<abi> interface);

    std::map<std::string, evidence> evidence_; // by soname
};

} // namespace anympi::command
