#include "command/cli/help_formatter.hpp"

#include "command/cli/wrapping.hpp"

namespace anympi::command {

help_formatter::help_formatter() {
    column_width(22);
}

std::string help_formatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
    return lay_out_help(CLI::Formatter::make_help(app, std::move(name), mode), output_width());
}

// Returns "SECONDS" for "SECONDS:INT in [1 - 3600]".
std::string help_formatter::make_option_opts(const CLI::Option* option) const {
    const std::string type = option->get_type_size() != 0 ? option->get_type_name() : "";
    return (type.empty() ? "" : " " + type.substr(0, type.find(':'))) + (option->get_positional() ? " ..." : "");
}

} // namespace anympi::command
