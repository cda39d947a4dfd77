#pragma once

#include <string>
#include <vector>

namespace anympi::command {

/// The requested action of `anympi config`.
struct config_request {
    std::string command; // get, set, unset or edit; empty: show all settings
    bool as_json = false;
    bool for_site = false;          // read and change only the site's file
    std::string key;                // the key for get, set and unset
    std::vector<std::string> words; // the value to set
};

/// Does what the request asks for. Returns the exit code.
int config(const config_request& request);

} // namespace anympi::command
