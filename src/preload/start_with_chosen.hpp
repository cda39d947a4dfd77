#pragma once

#include "base/text.hpp"

#include <cstddef>

namespace anympi {

// `anympi run` does not examine a program that another program, for example a script, starts. Folders in such a program
// (RPATH, RUNPATH), or the system's folders, may have led to libraries of another MPI. Then the program is started
// again with the right ones preloaded. A program on the right library may call functions that this library lacks; then
// the front is preloaded as well.

/// The libraries in this process that do not belong to the chosen MPI.
struct foreign_libraries {
    static constexpr std::size_t most = 8;

    const char* file = nullptr;        // the first MPI library that is not the chosen one
    const char* name = "";             // its soname
    const char* companions[most] = {}; // sonames of libraries for Fortran or C++ that belong to another MPI
    std::size_t companion_count = 0;
    path_text home; // the MPI library to which the first companion belongs

    bool any() const { return file != nullptr || companion_count != 0; }
    const char* some_file() const { return file != nullptr ? file : home.text; }
};

/// The reasons for which this process was started again.
struct earlier_starts {
    bool with_chosen = false;                    // also with a supplement
    const char* preloaded_for_binding = nullptr; // the files that before_binding.so has preloaded, or nullptr
};

/// Returns the earlier starts, and restores the variables of the environment that were meant for this start only.
earlier_starts find_earlier_starts(char** environment);

/// Starts the program again with the library at `chosen`, or the front for it, instead of the foreign ones. Returns if
/// there is nothing to preload instead of them. Returns with a message if the start fails.
void start_with_chosen(const char* chosen, const foreign_libraries& foreign, char* const* environment);

/// Starts a program that runs on the library at `chosen`, without a front, again with the front after that library and
/// interposers before it, if the program calls functions that the library lacks and the front has. Returns if the
/// program calls no such function. Returns with a message if the start fails.
void start_with_supplement(const char* chosen, char* const* environment);

/// Does the same in a process in which before_binding.so has put the front after the library. `preloaded` contains
/// both. Returns if the program needs no interposers.
void start_with_interposers(const char* chosen, const char* preloaded, char* const* environment);

/// Returns the file `name` in the folder `folder` of this installation of anympi. Empty if the file does not exist.
path_text own_file_in(const char* folder, const char* name);

} // namespace anympi
