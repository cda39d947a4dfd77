// Writes the commands and options of `anympi` as JSON. packaging/ makes manual pages and completions from it.
#include "command/cli/command_line.hpp"
#include "command/cli/output.hpp"
#include "runtime/message.hpp"

#include <cstdio>
#include <exception>

namespace anympi::command {
namespace {

json to_json(const option_description& option) {
    return {{"names", option.names},
            {"value", option.value},
            {"positional", option.positional},
            {"text", option.text},
            {"words", option.words}};
}

json to_json(const command_description& command) {
    json options = json::array();
    for (const option_description& option : command.options)
        options.push_back(to_json(option));
    json commands = json::array();
    for (const command_description& one : command.commands)
        commands.push_back(to_json(one));
    return {{"name", command.name}, {"text", command.text}, {"footer", command.footer},
            {"help", command.help}, {"options", options},   {"commands", commands}};
}

} // namespace
} // namespace anympi::command

int main() {
    using namespace anympi::command;
    try {
        print_json(to_json(describe_commands()));
        return std::fflush(stdout) == 0 ? 0 : 1;
    } catch (const std::exception& error) {
        anympi::runtime::say("%s", error.what());
    }
    return 1;
}
