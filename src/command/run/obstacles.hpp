#pragma once

#include "command/inspect/examination.hpp"
#include "runtime/identify/library.hpp"

#include <string>

namespace anympi::command {

/// Returns why a program cannot run on the chosen MPI, whatever anympi preloads, and what to do. The text is empty if
/// the program can run. Without this check each process of such a program would become a job of its own.
std::string find_obstacle(const examination& program, const runtime::library& chosen, const std::string& library_path);

/// Returns true if the program uses MPI and gets more rights than its user has. The dynamic linker ignores LD_PRELOAD
/// and LD_LIBRARY_PATH of such a program.
bool has_more_rights(const examination& program);

/// Returns why `anympi adopt` cannot write a copy that runs on another MPI. The text is empty if a copy is possible.
std::string find_obstacle_to_adoption(const examination& program);

} // namespace anympi::command
