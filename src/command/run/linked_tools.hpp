#pragma once

#include "command/inspect/examination.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace anympi::command {

/// Returns true for AddressSanitizer's library. It stops a program in which another library is loaded before it.
bool is_address_sanitizer(std::string_view soname);

/// Returns the libraries of a program that must be loaded before all preloaded ones: AddressSanitizer's library, then
/// linked tools. A linked tool is a library that defines functions of MPI and comes before the MPI library, so that it
/// sees the program's calls.
std::vector<std::string> find_linked_tools(const examination& program, const std::string& library_path);

} // namespace anympi::command
