#pragma once

#include "runtime/choose.hpp"

#include <filesystem>
#include <string>

namespace anympi::command {

// Where an installation keeps its fronts, found from the command itself.
std::filesystem::path folder_of_fronts();

// One folder for each ABI, with nothing in it but the front: it comes first on the library path, and must not bring
// anything else along. Empty where it is missing.
std::string folder_of_front(abi interface);

// What a program needs to find the right MPI library.
struct placement {
    std::string library_path; // LD_LIBRARY_PATH for the program, not for its launcher; empty: as it is
    std::string refusal;      // why it cannot run on the MPI chosen, and what to do
    std::string warning;
};

// By the ABI for which it was built: programs of the standard ABI get anympi's front, also before a draft that may
// stand on the library path (Intel MPI); those of the chosen MPI's own ABI get that MPI. Scripts, interpreters and
// whatever else shows no MPI have the front at hand for what they load. `program` is a file, or empty where it is not
// known.
placement place(const std::string& program, const runtime::library& chosen);

} // namespace anympi::command
