#pragma once

#include <string>
#include <vector>

namespace anympi::command {

/// `anympi inspect`: prints which MPI programs and libraries were built for, and what each MPI of this machine offers
/// them.
int inspect(const std::vector<std::string>& files, bool as_json);

} // namespace anympi::command
