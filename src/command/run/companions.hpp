#pragma once

#include "command/inspect/examination.hpp"
#include "runtime/identify/library.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace anympi::command {

// The libraries of one language, Fortran or C++, that a program needs beside that of C.
struct companions {
    enum class source : unsigned char {
        in_place, // the dynamic linker finds the right ones by itself
        chosen,   // those of the MPI chosen
        ours,     // anympi's
        nowhere   // neither has one of them
    };

    source from = source::in_place;
    std::map<std::string, std::string> files; // by the name that the program needs; empty: there is none
    bool bring_library = true; // they need the library of C; those of Intel MPI 2018 leave it to programs
};

// Returns what each language gets on an MPI of the program's own ABI. Another release has other names: libraries that
// lack one which the program asks for, and which anympi's have, are not taken.
std::vector<companions> choose_companions(const examination& program, const runtime::library& chosen,
                                          const std::string& library_path);

// Returns anympi's libraries for Fortran and C++ that a program gets with the front.
std::vector<std::string> companions_of_front(const examination& program, const std::string& library_path);

// Adds the names that a library for Fortran or C++ offers, and those of the libraries that it brings along.
void add_offered_names(const std::string& file, const std::string& library_path, std::set<std::string>& names);

} // namespace anympi::command
