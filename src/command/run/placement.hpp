#pragma once

#include "command/inspect/examination.hpp"
#include "runtime/find/choose.hpp"

#include <string>
#include <vector>

namespace anympi::command {

// What a program needs to find the right MPI library.
struct placement {
    bool needs_fronts = false;           // all that may be needed, first on the library path
    bool needs_own_folder = false;       // the chosen MPI's, behind these
    bool may_change_path = false;        // what we put first on it is put back there
    std::vector<std::string> folders;    // of the chosen MPI's own libraries, behind these, where the path may change
    bool bears_preloads = true;          // no library in it insists on being the first
    std::vector<std::string> preloads;   // files, for what an RPATH would lead elsewhere
    std::vector<std::string> supplement; // interposers, library, front: what a library of the program's family lacks
    bool is_native = false;              // the library chosen has the program's ABI
    std::string refusal;                 // why it cannot run on the MPI chosen, and what to do
    std::string warning;
};

// By the ABI for which it was built: programs of the standard ABI or of another vendor's get anympi's front, those of
// the chosen MPI's own ABI get that MPI. `library_path` is LD_LIBRARY_PATH as the program has it otherwise.
placement place(const examination& program, const runtime::library& chosen, const std::string& library_path);

// Scripts, interpreters, and whatever else cannot be looked into: every front that may be needed is at hand.
placement place_unknown(const runtime::library& chosen, const std::string& library_path);

// A script that starts other programs: see keep_path.cpp.
void expect_changed_path(placement& placed, const runtime::library& chosen, const std::string& library_path);

// All that is preloaded for the program. What stands before the library among `preloads` (tools, conversions for an
// older release, libraries for C++ with functions of C) also comes before the interposers.
std::vector<std::string> files_before(const placement& placed);

// One placement for several programs of a job; refused where they need different files preloaded.
placement join(const placement& left, const placement& right);

// LD_LIBRARY_PATH of the program, with what it was before at the end.
std::string library_path_for(const placement& placed, const runtime::library& chosen, const std::string& library_path);

} // namespace anympi::command
