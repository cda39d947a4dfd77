#pragma once

#include "abi/abi.hpp"
#include "command/inspect/loader.hpp"
#include "command/inspect/mpi_names.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace anympi::command {

/// The MPI for which a program or library was built, and the names that it uses of that MPI.
struct examination {
    enum class answer : unsigned char {
        unreadable, // file.problem says why
        no_mpi,     // no use of MPI can be seen
        one_abi,
        any_abi, // it uses MPI, but nothing shows the ABI: a plug-in, which uses the MPI of its process
        several  // its parts were built for different ABIs
    };

    binary file;
    answer verdict = answer::no_mpi;
    std::optional<abi> interface;               // the ABI, if `verdict` is one_abi
    bool is_draft = false;                      // the ABI is a draft of the standard ABI
    std::string foreign;                        // an MPI whose ABI anympi does not know: "SGI MPT"
    std::string own_mpi;                        // the part that an MPI is linked into statically
    std::optional<abi> own_interface;           // the ABI of that MPI, if its symbols show it
    bool is_ilp64 = false;                      // a Fortran program with integers of 8 bytes
    difference older = difference::nothing;     // the difference of the older release for which it was built
    std::map<std::string, std::string> mpis;    // the MPI libraries that it needs: soname and file, "" if not found
    std::map<std::string, std::string> renamed; // needed names that no front can have, each with a part that needs it
    mpi_use uses;                               // what all its parts use
    mpi_use required;                           // `uses` without the names that only weak references use
    std::vector<std::string> users;             // the parts that use MPI
    std::vector<std::string> not_found;         // needed libraries that the dynamic linker would not find
    std::vector<std::string> missing_folders;   // folders of RPATHs and RUNPATHs that do not exist
    std::vector<std::string> remarks;           // sentences
};

/// Examines the file that a user names. A name without a slash that is not a file here is searched in PATH.
examination examine(const std::string& path, const std::string& library_path = present_library_path());

/// Returns the reason of answer::no_mpi, as the end of a sentence. A static program, or one whose libraries are
/// missing, may hide its MPI.
std::string explain_no_mpi(const examination& program);

/// Returns what `examination::mpis` would be with another library path.
std::map<std::string, std::string> find_mpis(const examination& program, const std::string& library_path);

} // namespace anympi::command
