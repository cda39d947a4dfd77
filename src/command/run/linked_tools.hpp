#pragma once

#include "command/inspect/examination.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace anympi::command {

/// Returns true for AddressSanitizer's library. It stops a program in which another library is loaded before it.
bool is_address_sanitizer(std::string_view soname);

/// Returns the libraries of a program that must be loaded before all preloaded ones: AddressSanitizer's, then libraries
/// with functions of MPI that come before the MPI library. The latter are tools that were linked with the program and
/// must see its calls.
std::vector<std::string> find_linked_tools(const examination& program, const std::string& library_path);

} // namespace anympi::command
