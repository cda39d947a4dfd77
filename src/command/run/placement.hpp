#pragma once

#include "command/inspect/examination.hpp"
#include "runtime/find/choose.hpp"

#include <string>
#include <vector>

namespace anympi::command {

/// The changes with which a program finds the right MPI library.
struct placement {
    bool needs_fronts = false;           // all fronts that it may need come first on the library path
    bool needs_own_folder = false;       // the folder of the chosen MPI comes next
    bool may_change_path = false;        // keep_path.so restores the folders that anympi put first
    std::vector<std::string> folders;    // hold libraries that the chosen MPI needs, if the path may change
    bool bears_preloads = true;          // libraries can be preloaded into the program
    std::vector<std::string> preloads;   // files whose names an RPATH would find elsewhere
    std::vector<std::string> supplement; // interposers, library, front: for functions that the library lacks
    bool is_native = false;              // the chosen library has the program's ABI
    std::string refusal;                 // why it cannot run on the chosen MPI, and what to do
    std::string warning;
};

/// Returns what a program needs on the chosen MPI. A program with the ABI of the chosen MPI gets that MPI, any other
/// gets anympi's front for its ABI. `library_path` is the LD_LIBRARY_PATH that the program would have without anympi.
placement place(const examination& program, const runtime::library& chosen, const std::string& library_path);

/// Returns the placement of a file whose ABI cannot be read, such as a script or an interpreter. It has every front
/// that the file may need.
placement place_unknown(const runtime::library& chosen, const std::string& library_path);

/// Adds what a script needs if it may change LD_LIBRARY_PATH for the programs that it starts (keep_path.cpp).
void expect_changed_path(placement& placed, const runtime::library& chosen, const std::string& library_path);

/// Returns all files that are preloaded for the program. The files before the library in `preloads` (tools, conversions
/// for an older release, libraries for C++ that have functions for C) also come before the interposers.
std::vector<std::string> files_before(const placement& placed);

/// Returns one placement for two programs of a job. It has a refusal if the programs need different preloaded files.
placement join(const placement& left, const placement& right);

/// Returns the program's LD_LIBRARY_PATH, which ends with `library_path`.
std::string library_path_for(const placement& placed, const runtime::library& chosen, const std::string& library_path);

} // namespace anympi::command
