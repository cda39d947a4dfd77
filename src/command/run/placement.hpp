#pragma once

#include "command/inspect/examination.hpp"
#include "runtime/find/choose.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace anympi::command {

// Where an installation keeps its fronts, found from the command itself.
std::filesystem::path folder_of_fronts();

// One folder for each ABI, with nothing in it but the front and its companions: it comes first on the library path, and
// must not bring anything else along. Empty where it is missing.
std::string folder_of_front(abi interface);

// The library in it that has the functions.
std::string file_of_front(abi interface);

// Our library that goes with the front under this name, such as libmpi_cxx.so.40; empty where there is none.
std::string file_of_companion(abi interface, const std::string& name);

// A library without content that has the name `soname`: where it is loaded, the dynamic linker takes that name for
// found. Empty: there is none for this name.
std::string placeholder_for(const std::string& soname);

// Libraries with the other names under which programs of its own ABI know the library `soname`; each leads to that.
// Empty where it has no other.
std::string folder_of_aliases(const std::string& soname);

// The library that keeps what we put first on the library path there. Empty where it is missing, or cannot be
// preloaded.
std::string file_that_keeps_path();

// What a program needs to find the right MPI library.
struct placement {
    bool needs_fronts = false;         // all that may be needed, first on the library path
    bool needs_own_folder = false;     // the chosen MPI's, behind these
    bool may_change_path = false;      // what we put first on it is put back there
    std::vector<std::string> folders;  // of the chosen MPI's own libraries, behind these, where the path may change
    std::vector<std::string> preloads; // files, for what an RPATH would lead elsewhere
    std::string refusal;               // why it cannot run on the MPI chosen, and what to do
    std::string warning;
};

// By the ABI for which it was built: programs of the standard ABI or of another vendor's get anympi's front, those of
// the chosen MPI's own ABI get that MPI. `library_path` is LD_LIBRARY_PATH as the program has it otherwise.
placement place(const examination& program, const runtime::library& chosen, const std::string& library_path);

// Scripts, interpreters, and whatever else cannot be looked into: every front that may be needed is at hand.
placement place_unknown(const runtime::library& chosen, const std::string& library_path);

// A script that starts other programs: see keep_path.cpp.
void expect_changed_path(placement& placed, const runtime::library& chosen, const std::string& library_path);

// One placement for several programs of a job; refused where they need different files preloaded.
placement join(const placement& left, const placement& right);

// LD_LIBRARY_PATH of the program, with what it was before at the end.
std::string library_path_for(const placement& placed, const runtime::library& chosen, const std::string& library_path);

} // namespace anympi::command
