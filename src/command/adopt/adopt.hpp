#pragma once

#include <string>

namespace anympi::command {

/// `anympi adopt`: writes a copy of a program or library that names anympi's front instead of its own MPI.
int adopt(const std::string& file, const std::string& copy);

} // namespace anympi::command
