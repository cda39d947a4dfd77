#pragma once

#include "command/config/settings.hpp"
#include "command/doctor/finding.hpp"
#include "command/list/installed.hpp"
#include "command/list/probe.hpp"

#include <chrono>
#include <string>

// What the doctor looks at. Each check tells what it has seen, good or bad, and never ends the command.

namespace anympi::command {

// /dev/shm: processes of one machine exchange their messages there.
finding check_shared_memory();

// LD_LIBRARY_PATH, LD_PRELOAD, MPI_HOME and the like: what leads nowhere, or to another MPI.
findings check_environment(const survey& machine);

// Checks that mpifort has a compiler, a place for its modules, and all modules. Finds nothing if there is no compiler.
findings check_fortran();

// Checks that one library opens, and that its launcher starts two processes that find each other before the deadline.
finding check_mpi(const runtime::library& mpi, const probe_result& probed, bool is_chosen, const settings& configured,
                  std::chrono::steady_clock::time_point deadline);

// What a program would load, and whether it can run on the MPIs of this machine.
findings check_program(const std::string& path, const survey& machine);

} // namespace anympi::command
