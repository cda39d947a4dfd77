#pragma once

#include "base/text.hpp"

#include <cstddef>

namespace anympi {

// A program that another one has started, a script for example, was not looked into by `anympi run`. Folders in it
// (RPATH, RUNPATH), or the system's, may have led to libraries of another MPI. Then the program is started once more,
// with the right ones preloaded. A program on the right library may call functions that this library lacks; then the
// front is preloaded as well.

/// The libraries that are in this process and do not belong to the MPI chosen.
struct foreign_libraries {
    static constexpr std::size_t most = 8;

    const char* file = nullptr;        // the first MPI library that was not chosen
    const char* name = "";             // its soname
    const char* companions[most] = {}; // sonames of libraries for Fortran or C++ that belong to another MPI
    std::size_t companion_count = 0;
    path_text home; // the MPI library of the first of them

    bool any() const { return file != nullptr || companion_count != 0; }
    const char* some_file() const { return file != nullptr ? file : home.text; }
};

/// Why this process was started once more.
struct earlier_starts {
    bool with_chosen = false;                    // also with a supplement
    const char* preloaded_for_binding = nullptr; // what before_binding.so has preloaded; nullptr if it has not
};

/// Tells it, and puts back what was in the environment for this start alone.
earlier_starts find_earlier_starts(char** environment);

/// Starts the program once more, with the library at `chosen`, or the front over it, in the place of the foreign ones.
/// Returns if there is nothing that could be preloaded in their place, and with a message if the start fails.
void start_with_chosen(const char* chosen, const foreign_libraries& foreign, char* const* environment);

/// Starts a program that runs on the library at `chosen`, without a front, once more with the front behind that library
/// and interposers before it, if the program calls functions that the library lacks and the front has. Returns if the
/// program calls none, and with a message if the start fails.
void start_with_supplement(const char* chosen, char* const* environment);

/// The same for a process in which before_binding.so has put the front behind the library. `preloaded` has both.
/// Returns if the program needs no interposers.
void start_with_interposers(const char* chosen, const char* preloaded, char* const* environment);

/// The file `name` in the folder `folder` of this installation of anympi. Empty if there is none.
path_text own_file_in(const char* folder, const char* name);

} // namespace anympi
