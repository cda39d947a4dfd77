#pragma once

#include "command/config/config.hpp"

namespace CLI {
class App;
}

namespace anympi::command {

/// The name of the argument that is the key of a setting.
inline constexpr char name_of_key[] = "KEY";

/// Adds `anympi config` and its commands get, set, unset and edit.
CLI::App* add_config(CLI::App& app, config_request& request);

} // namespace anympi::command
