#pragma once

#include "abi/abi.hpp"
#include "command/inspect/binary.hpp"
#include "override_rules.hpp" // generated
#include "runtime/identify/elf_file.hpp"
#include "runtime/identify/library.hpp"

#include <set>
#include <string>
#include <vector>

namespace anympi::command {

/// One function of anympi that may replace or extend a function of the library: a line of the register
/// (api/overrides.api).
struct override_entry {
    std::string function; // MPI_Bsend
    std::string reason;   // absent, wrong, extended or bridged
    std::string libraries;
    std::string when;               // the moment of its installation, as the register names it
    std::vector<std::string> needs; // MPI_Send_c …: functions of the library without which it is not built
    std::string file;
    std::string number; // the place of an extension in emulate::overrides; "-" otherwise
    std::string code;   // the C++ template
    std::string sentence;
};

/// Returns an explanation of a moment in the register, such as "compound_request".
std::string meaning_of_moment(const std::string& when);

/// The functions that a program reaches when it calls one function of MPI.
struct function_answer {
    bool is_missing = false;                       // the call reports an error
    bool is_by_anympi_alone = false;               // anympi answers without a function of the library
    std::string needs;                             // the library's function that is called last, usually the same one
    std::string also;                              // the library's name for it, if the name differs
    const override_entry* built = nullptr;         // replaces the library's function, which is absent or wrong
    std::vector<const override_entry*> extensions; // called before the library's function, newest first
    std::vector<const override_entry*> later;      // the same, but installed on a later event

    /// Returns true if the program reaches the library's function directly or by a bridge.
    bool is_native() const;
    /// Returns true if a function of anympi other than a bridge is called first and then calls the library's function.
    bool is_extended() const;
};

/// Tells which functions a program of one ABI reaches on one MPI library. The program goes through anympi's front
/// unless it was built for a vendor and the library has this vendor's ABI.
class function_directory {
public:
    function_directory(const runtime::library& mpi, abi of_program);

    function_answer find(const std::string& name) const;

    /// These functions evaluate the conditions in api/overrides.api.
    bool has_abi(abi name) const;
    bool has(function one) const;
    bool lacks_type(const emulate::datatype_name& type) const;

private:
    void find_symbols();
    void bind();
    bool is_there(const std::string& name) const;
    bool is_whole() const;
    bool is_installed_at_binding(emulate::moment when) const;
    bool may_be_installed_later(emulate::moment when) const;
    const override_entry* find_built(const std::string& name) const;
    void add_overrides(function_answer& answer) const;
    void add_bridge(const std::string& name, function_answer& answer) const;

    runtime::library mpi_;
    abi of_program_;
    bool is_direct_; // both sides have the standard ABI, so that calls need no bridge
    bool has_front_; // calls reach the front first; otherwise the front only adds what the library lacks
    bool emulates_;
    std::set<std::string> symbols_;
    std::vector<void*> bound_; // the override_entry that is bound for each function, or a mark
};

/// Returns the names of all C functions of MPI, such as MPI_Send.
const std::vector<std::string>& all_functions();

/// Returns the C functions that a program calls directly or by Fortran procedures.
std::set<std::string> called_functions(const mpi_use& uses);

/// Returns the standard name for a name that a vendor used before the standard had the function (MPIX_Allreduce_init).
/// Returns every other name unchanged.
std::string function_behind(const std::string& name);

/// Returns how the front builds a function that the MPI lacks, in words. Returns an empty text if the front does not
/// build the function.
std::string how_it_is_built(const std::string& name);

} // namespace anympi::command
