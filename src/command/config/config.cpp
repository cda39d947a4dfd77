#include "command/config/config.hpp"

#include "command/cli/files.hpp"
#include "command/cli/output.hpp"
#include "command/cli/table.hpp"
#include "command/cli/this_machine.hpp"
#include "command/config/settings.hpp"
#include "runtime/find/configuration.hpp"

namespace anympi::command {
namespace {

json to_json(const setting_value& setting) {
    struct visitor {
        json operator()(std::monostate) const { return nullptr; }
        json operator()(bool value) const { return value; }
        json operator()(const std::string& value) const { return value; }
        json operator()(const text_list& value) const { return value; }
    };
    return std::visit(visitor(), setting.value);
}

// As TOML has it, which for these types is as JSON has it.
std::string to_toml(const setting_value& setting) {
    return setting.is_set() ? to_json(setting).in_one_line() : "-";
}

void print_files() {
    const std::string users = runtime::user_configuration_file().text;
    const std::string sites = runtime::site_configuration_file(this_machine()).text;
    for (const auto& [whose, file] : {std::pair{"yours", users}, std::pair{"the site's", sites}})
        if (!file.empty())
            show_wrapped(fmt::format("{:<11} ", whose), "            ", "{}{}", file,
                         is_readable(file) ? "" : " (not there)");
}

void print_table(const settings& all) {
    table rows({{"KEY"},
                {"VALUE", when_narrow::wrapped},
                {"ORIGIN", when_narrow::wrapped},
                {"MEANING", when_narrow::wrapped}});
    for (const auto& [key, setting] : all.all()) {
        const bool is_default = setting.origin == "default";
        rows.add({{key},
                  {to_toml(setting), is_default ? style::quiet : style::good},
                  {setting.origin, is_default ? style::quiet : style::plain},
                  {std::string(meaning_of(key)), style::quiet}});
    }
    rows.print();
    show("\nFiles, the first counts before the second:\n");
    print_files();
}

} // namespace

int config(bool as_json) {
    const settings all = read_settings();
    if (!as_json) {
        print_table(all);
        return 0;
    }
    json document = {{"files",
                      {{"user", runtime::user_configuration_file().text},
                       {"site", runtime::site_configuration_file(this_machine()).text}}},
                     {"settings", json::object()}};
    for (const auto& [key, setting] : all.all())
        document["settings"][key] = {{"value", to_json(setting)}, {"origin", setting.origin}};
    print_json(document);
    return 0;
}

} // namespace anympi::command
