#pragma once

#include <string>
#include <vector>

namespace anympi::command {

// `anympi inspect`: what programs and libraries were built for, and how they get along with the MPIs of this machine.
int inspect(const std::vector<std::string>& files, bool as_json);

} // namespace anympi::command
