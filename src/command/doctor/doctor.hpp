#pragma once

#include <string>
#include <vector>

namespace anympi::command {

// `anympi doctor`: looks at the setup as somebody from support would, and at programs. 1: there is a problem.
int doctor(const std::vector<std::string>& programs, bool as_json);

} // namespace anympi::command
