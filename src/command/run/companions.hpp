#pragma once

#include "command/inspect/examination.hpp"
#include "runtime/identify/library.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace anympi::command {

/// The MPI libraries for one language, Fortran or C++, that a program needs in addition to the library for C.
struct companions {
    enum class source : unsigned char {
        in_place, // the dynamic linker finds the right libraries by itself
        chosen,   // the libraries of the chosen MPI
        ours,     // the libraries of anympi
        nowhere   // neither the chosen MPI nor anympi has one of the libraries
    };

    source from = source::in_place;
    std::map<std::string, std::string> files; // the file for each name that the program needs, or an empty text
    bool bring_library = true; // they load the library for C; libraries of Intel MPI 2018 leave that to programs
};

/// Chooses the libraries for each language on an MPI of the program's own ABI. The libraries of different releases
/// define different names. A library is therefore rejected if it lacks a name that the program needs and that anympi's
/// library has.
std::vector<companions> choose_companions(const examination& program, const runtime::library& chosen,
                                          const std::string& library_path);

/// Returns anympi's libraries for Fortran and C++ that a program gets with the front.
std::vector<std::string> companions_of_front(const examination& program, const std::string& library_path);

/// Adds the names that a library for Fortran or C++ defines, and the names of the libraries for Fortran or C++ that it
/// loads.
void add_offered_names(const std::string& file, const std::string& library_path, std::set<std::string>& names);

} // namespace anympi::command
