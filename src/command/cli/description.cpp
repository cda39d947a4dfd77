// Tells the commands and options of `anympi` as JSON, from which manual pages and completions are made (packaging/).
#include "command/cli/command_line.hpp"
#include "command/config/settings.hpp"
#include "runtime/message.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <exception>

namespace anympi::command {
namespace {

using json = nlohmann::ordered_json;

json describe(const CLI::Option& option) {
    json names = json::array();
    for (const std::string& name : option.get_snames())
        names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        names.push_back("--" + name);
    const bool takes_value = option.get_items_expected_max() > 0;
    return {{"names", names},
            {"value", takes_value ? option.get_type_name() : ""},
            {"positional", option.get_positional() ? option.get_name(true) : ""},
            {"text", option.get_description()}};
}

json describe(const CLI::App& app, const std::string& parent) {
    json options = json::array();
    for (const CLI::Option* option : app.get_options())
        options.push_back(describe(*option));
    json commands = json::array();
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        commands.push_back(describe(*command, app.get_name()));
    return {{"name", app.get_name()},     {"text", app.get_description()},
            {"footer", app.get_footer()}, {"help", app.help(parent)},
            {"options", options},         {"commands", commands}};
}

} // namespace
} // namespace anympi::command

int main() {
    using namespace anympi::command;
    try {
        const command_line described;
        json document = describe(described.description(), "");
        document["mpis"] = names_of_mpis();
        fmt::print("{}\n", document.dump(2));
        return std::fflush(stdout) == 0 ? 0 : 1;
    } catch (const std::exception& error) {
        anympi::runtime::say("%s", error.what());
    }
    return 1;
}
