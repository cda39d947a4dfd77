#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace anympi::command {

// `anympi doctor`: looks at the setup as somebody from support would, and at programs. 1: there is a problem.
int doctor(const std::vector<std::string>& programs, bool as_json);

// `anympi doctor --hosts`: asks the hosts of a list, or those of the allocation if the list is empty, and prints what
// they lack or have otherwise than this host. 1: a job cannot start on some of them.
int doctor_hosts(const std::string& list, const std::vector<std::string>& programs, std::chrono::seconds limit,
                 bool as_json);

} // namespace anympi::command
