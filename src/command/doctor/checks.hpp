#pragma once

#include "command/config/settings.hpp"
#include "command/doctor/finding.hpp"
#include "command/list/installed.hpp"
#include "command/list/probe.hpp"

#include <chrono>
#include <string>

// The checks of the doctor. Each returns what it has seen, good or bad, and never ends the command.

namespace anympi::command {

/// Checks /dev/shm, through which the processes of one machine exchange messages.
finding check_shared_memory();

/// Checks LD_LIBRARY_PATH, LD_PRELOAD, MPI_HOME and similar variables for paths that do not exist or lead to another
/// MPI.
findings check_environment(const survey& machine);

/// Checks that mpifort has a compiler, a place for its modules, and all modules. Returns no finding if there is no
/// compiler.
findings check_fortran();

/// Checks that one library opens, and that its launcher starts two processes that find each other before the deadline.
finding check_mpi(const runtime::library& mpi, const probe_result& probed, bool is_chosen, const settings& configured,
                  std::chrono::steady_clock::time_point deadline);

/// Checks which libraries a program loads, and that it runs on the MPIs of this machine.
findings check_program(const std::string& path, const survey& machine);

} // namespace anympi::command
