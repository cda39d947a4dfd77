#pragma once

#include "emulate/engine/error.hpp"

#include <cstddef>

namespace anympi {

/// The checks around the start of MPI, which compare this process with the launcher that started it. The front sets
/// these functions before MPI can start.
struct start_checks {
    /// Stops the job if the launcher and the runtime are known not to work together.
    void (*before_start)() = [] {};
    /// Rebinds the plug-ins that the runtime has opened by a bare name. By now it has opened most of them.
    void (*runtime_started)() = [] {};
    /// Returns true if the launcher has started other processes, too.
    bool (*is_launched_with_others)() = [] { return false; };
    /// Stops the job if each of its processes runs as a job of its own.
    void (*after_start)(int world_size, bool has_parent) = [](int, bool) {};
    /// Writes the text that the processes of a job compare. Returns false if there is nothing to compare.
    bool (*tell_library)(char* text, std::size_t size) = [](char*, std::size_t) { return false; };
    /// Stops the job if this process differs from rank 0, whose text this is.
    void (*compare_library)(const char* text) = [](const char*) {};
    /// Writes the words that come before the command of a process that MPI starts, and returns their number. They are a
    /// program that sets variables, and these variables. Returns 0 if the launcher passes its environment on to such
    /// processes.
    std::size_t (*words_before_command)(const char** words, std::size_t most) = [](const char**, std::size_t) {
        return std::size_t{0};
    };
    /// Returns true if a command is not found on this host: not in `folder`, where it would start, not in the folders
    /// of `path`, and not in PATH. `folder` and `path` may be empty.
    bool (*is_missing)(const char* command, const char* folder, const char* path) = [](const char*, const char*,
                                                                                       const char*) { return false; };
};
inline constinit start_checks launcher_check{};

template <class Run>
void compare_libraries(word world) {
    char text[256] = {};
    if (launcher_check.tell_library(text, sizeof text) &&
        library<Run>.Bcast(text, sizeof text, emulate::predefined<Run>(standard::mpi_BYTE), 0, world) == 0)
        launcher_check.compare_library(text);
}

/// Checks the world after the start of MPI. `world` and `no_comm` are the library's MPI_COMM_WORLD and MPI_COMM_NULL.
template <class Run>
void check_world(word world, word no_comm) {
    launcher_check.runtime_started();
    if (!launcher_check.is_launched_with_others())
        return; // a process that was started alone is always right
    int size = 0;
    handle_of<Run, object::comm> parent{};
    if (library<Run>.Comm_size(world, &size) == 0 && library<Run>.Comm_get_parent(&parent) == 0)
        launcher_check.after_start(size, parent != static_cast<handle_of<Run, object::comm>>(no_comm));
    compare_libraries<Run>(world);
}

} // namespace anympi
