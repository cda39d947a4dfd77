#pragma once

#include "command/inspect/examination.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace anympi::command {

// AddressSanitizer stops a program in which another library comes before its own.
bool is_address_sanitizer(std::string_view soname);

// Returns the libraries of a program that must come before what is preloaded for it: AddressSanitizer's, then those
// that have functions of MPI and come before the MPI library. These are tools that were linked with the program, and
// must see its calls.
std::vector<std::string> find_linked_tools(const examination& program, const std::string& library_path);

} // namespace anympi::command
