#include "command/cli/config_options.hpp"

#include "command/cli/help.hpp"

#include <CLI/CLI.hpp>

namespace anympi::command {
namespace {

CLI::App* add_command(CLI::App& config, const char* name, const char* purpose, config_request& request) {
    CLI::App* command = config.add_subcommand(name, purpose);
    command->footer(""); // by default, CLI11 shows the footer of `anympi`
    command->add_flag("--site", request.for_site, "the site's file instead of yours");
    return command;
}

void add_key(CLI::App& command, config_request& request) {
    command.add_option(name_of_key, request.key, "`anympi config` shows all keys")->type_name("")->required();
}

} // namespace

CLI::App* add_config(CLI::App& app, config_request& request) {
    CLI::App* config = app.add_subcommand("config", "Show and change the configuration");
    config->add_flag("--json", request.as_json, "for programs to read");
    config->add_flag("--site", request.for_site, "the site's file alone");
    config->require_subcommand(0, 1);
    add_key(*add_command(*config, "get", "Print the value of one key", request), request);
    CLI::App* set = add_command(*config, "set", "Set a key in your file", request);
    add_key(*set, request);
    set->add_option("VALUE", request.words, "true or false, a string, or the strings of a list")
        ->type_name("")
        ->required();
    add_key(*add_command(*config, "unset", "Remove a key from your file", request), request);
    add_command(*config, "edit", "Change your file in an editor ($VISUAL, $EDITOR)", request);
    for (CLI::App* command : config->get_subcommands([](const CLI::App*) { return true; }))
        command->callback([command, &request] { request.command = command->get_name(); });
    config->footer(config_help);
    return config;
}

} // namespace anympi::command
