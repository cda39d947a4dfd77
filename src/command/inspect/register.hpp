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

// One function of anympi that may stand in the place of the library's, or before it: a line of the register
// (api/overrides.api).
struct override_entry {
    std::string function; // MPI_Bsend
    std::string reason;   // absent, wrong, extended or bridged
    std::string libraries;
    std::string when;               // a word of the register
    std::vector<std::string> needs; // MPI_Send_c …: without these it is not built
    std::string file;
    std::string number; // of one that extends: its place in emulate::overrides
    std::string code;   // the template in C++
    std::string sentence;
};

// Explains a moment of the register, such as "compound_request", to people.
std::string meaning_of_moment(const std::string& when);

// Who answers when a program calls a function.
struct function_answer {
    bool is_missing = false;                       // the call reports an error
    bool is_by_anympi_alone = false;               // no function of the library is needed
    std::string needs;                             // the library's function behind the call; the same one as a rule
    std::string also;                              // by which name the library has it, if not by this one
    const override_entry* built = nullptr;         // in place of the library's: it is absent or wrong
    std::vector<const override_entry*> extensions; // before it from the beginning on, the newest first
    std::vector<const override_entry*> later;      // that may come before it, the newest first

    // It is the library's function that the program reaches. Nothing of ours stands before it from the beginning but
    // a bridge.
    bool is_native() const;
    // It is the library's function that the program reaches, behind one of ours that is no bridge.
    bool is_extended() const;
};

// The functions of one MPI library, as a program of one ABI sees them: through anympi's front, or without one if the
// library has the ABI of the vendor for which the program was built.
class function_directory {
public:
    function_directory(const runtime::library& mpi, abi of_program);

    function_answer find(const std::string& name) const;

    // Answers the conditions of api/overrides.api.
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
    bool is_direct_; // both sides have the standard ABI: the library's functions are called without a bridge
    bool has_front_; // before the library; behind it one has only what the library lacks
    bool emulates_;
    std::set<std::string> symbols_;
    std::vector<void*> bound_; // what stands for each function, as in the front: an override_entry, or a mark
};

// All functions of MPI in C, as MPI_Send.
const std::vector<std::string>& all_functions();

// The functions that a program calls, those behind Fortran procedures too.
std::set<std::string> called_functions(const mpi_use& uses);

// The function of MPI for the name that a vendor gave it before the standard had it (MPIX_Allreduce_init). Every other
// name is returned as it is.
std::string function_behind(const std::string& name);

// How the front builds a function where the MPI lacks it, in words; empty: it does not.
std::string how_it_is_built(const std::string& name);

} // namespace anympi::command
