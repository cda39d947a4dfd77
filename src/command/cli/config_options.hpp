#pragma once

#include "command/config/config.hpp"

namespace CLI {
class App;
}

namespace anympi::command {

/// Adds `anympi config` and its commands get, set, unset and edit.
CLI::App* add_config(CLI::App& app, config_request& request);

} // namespace anympi::command
