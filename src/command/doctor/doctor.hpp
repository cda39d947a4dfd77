#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace anympi::command {

/// Runs `anympi doctor`: checks the setup and programs, and prints findings with remedies. Returns 1 if one of them is
/// a problem.
int doctor(const std::vector<std::string>& programs, bool as_json);

/// Runs `anympi doctor --hosts`: asks the hosts of a list, or the hosts of the allocation if the list is empty, and
/// prints what they lack or what differs from this host. Returns 1 if a job cannot start on some of them.
int doctor_hosts(const std::string& list, const std::vector<std::string>& programs, std::chrono::seconds limit,
                 bool as_json);

} // namespace anympi::command
