#pragma once

#include "emulate/engine/error.hpp"

#include <cstddef>

namespace anympi {

/// What a front does around the start of MPI: it checks this process against the launcher that started it. The front
/// sets these functions before MPI can start.
struct start_checks {
    /// Stops the job if launcher and runtime are known not to fit.
    void (*before_start)() = [] {};
    /// Binds the plug-ins that the runtime opened by a bare name. The runtime has opened most of them by now.
    void (*runtime_started)() = [] {};
    /// Returns true if the launcher says that there are other processes.
    bool (*is_launched_with_others)() = [] { return false; };
    /// Stops the job if each of its processes turned out to be alone.
    void (*after_start)(int world_size, bool has_parent) = [](int, bool) {};
    /// Writes what is to be compared between the processes of a job. Returns false if nothing is.
    bool (*tell_library)(char* text, std::size_t size) = [](char*, std::size_t) { return false; };
    /// Stops the job if this process differs from rank 0, which has told this text.
    void (*compare_library)(const char* text) = [](const char*) {};
    /// Writes the words that come before the command of a process that MPI starts, and returns how many there are: a
    /// program that sets variables, and these variables. None if the launcher gives such processes what it gave us.
    std::size_t (*words_before_command)(const char** words, std::size_t most) = [](const char**, std::size_t) {
        return std::size_t{0};
    };
    /// Returns true if a command is not found on this host: in `folder`, where it would start, in the folders of `path`
    /// or in PATH. Both may be empty.
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
        return; // one process alone is right whatever the launcher
    int size = 0;
    handle_of<Run, object::comm> parent{};
    if (library<Run>.Comm_size(world, &size) == 0 && library<Run>.Comm_get_parent(&parent) == 0)
        launcher_check.after_start(size, parent != static_cast<handle_of<Run, object::comm>>(no_comm));
    compare_libraries<Run>(world);
}

} // namespace anympi
