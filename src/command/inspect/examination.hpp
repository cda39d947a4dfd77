#pragma once

#include "abi/abi.hpp"
#include "command/inspect/loader.hpp"
#include "command/inspect/mpi_names.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace anympi::command {

// Which MPI a program or library was built for, and what it uses of it.
struct examination {
    enum class answer : unsigned char {
        unreadable, // file.problem says why
        no_mpi,     // that can be seen
        one_abi,
        any_abi, // it uses MPI, and nothing in it tells of which ABI: a plug-in, which finds it in its process
        several  // parts of it were built for different ABIs
    };

    binary file;
    answer verdict = answer::no_mpi;
    std::optional<abi> interface;            // of answer::one_abi
    bool is_draft = false;                   // of the standard ABI
    std::string foreign;                     // an MPI whose ABI anympi does not know: "SGI MPT"
    std::string own_mpi;                     // the part with which an MPI is linked statically
    std::optional<abi> own_interface;        // of that MPI, if its symbols tell
    bool is_ilp64 = false;                   // a Fortran program with integers of 8 bytes
    difference older = difference::nothing;  // from the ABI as its later releases have it
    std::map<std::string, std::string> mpis; // soname and file of the MPI libraries that it would load; "": not found
    std::map<std::string, std::string>
        renamed;                    // of these, names under which the front cannot stand, and the part that needs it
    mpi_use uses;                   // of all its parts
    mpi_use required;               // without what is only asked for by weak references
    std::vector<std::string> users; // the parts that use MPI
    std::vector<std::string> not_found;       // needed libraries that the dynamic linker would not find
    std::vector<std::string> missing_folders; // where their RPATHs and RUNPATHs lead
    std::vector<std::string> remarks;         // sentences
};

// `path` as a person writes it; a name without a slash that is no file here is looked for in PATH.
examination examine(const std::string& path, const std::string& library_path = present_library_path());

// The reason of answer::no_mpi, as the end of a sentence: a static program, or one whose libraries are missing, may
// hide its MPI.
std::string explain_no_mpi(const examination& program);

// The same as `examination::mpis`, with another library path: which files the program would load by it.
std::map<std::string, std::string> find_mpis(const examination& program, const std::string& library_path);

} // namespace anympi::command
