#include "command/config/config.hpp"

#include "command/cli/files.hpp"
#include "command/cli/output.hpp"
#include "command/cli/table.hpp"
#include "command/cli/this_machine.hpp"
#include "command/config/change_file.hpp"
#include "command/config/edit_text.hpp"
#include "command/config/settings.hpp"
#include "runtime/find/configuration.hpp"
#include "runtime/message.hpp"

#include <fmt/core.h>

namespace anympi::command {
namespace {

using runtime::whose;

json to_json(const setting_value& setting) {
    struct visitor {
        json operator()(std::monostate) const { return nullptr; }
        json operator()(bool value) const { return value; }
        json operator()(const std::string& value) const { return value; }
        json operator()(const text_list& value) const { return value; }
    };
    return std::visit(visitor(), setting.value);
}

// TOML and JSON have the same notation for values of these types.
std::string to_toml(const setting_value& setting) {
    return setting.is_set() ? to_json(setting).in_one_line() : "-";
}

// A path in each row would leave no place for the other columns. The paths are below the table.
std::string short_origin(const std::string& origin) {
    const std::string line = origin.substr(origin.rfind(':') + 1);
    if (origin.starts_with(std::string(runtime::user_configuration_file().text) + ":"))
        return "yours:" + line;
    if (origin.starts_with(std::string(runtime::site_configuration_file(this_machine()).text) + ":"))
        return "site:" + line;
    return origin;
}

void print_files(const config_request& request) {
    const std::string users = runtime::user_configuration_file().text;
    const std::string sites = runtime::site_configuration_file(this_machine()).text;
    for (const auto& [whose, file] : {std::pair{"yours", users}, std::pair{"site", sites}})
        if (!file.empty() && (file == sites || !request.for_site))
            show_wrapped(fmt::format("{:<6} ", whose), "       ", "{}{}", file,
                         is_readable(file) ? "" : " (not there)");
}

void print_table(const settings& all, const config_request& request) {
    table rows({{"KEY"},
                {"VALUE", when_narrow::wrapped},
                {"ORIGIN", when_narrow::wrapped},
                {"MEANING", when_narrow::wrapped}});
    for (const auto& [key, setting] : all.all()) {
        const bool is_default = setting.origin == "default";
        rows.add({{key},
                  {to_toml(setting), is_default ? style::quiet : style::good},
                  {short_origin(setting.origin), is_default ? style::quiet : style::plain},
                  {std::string(meaning_of(key)), style::quiet}});
    }
    rows.print();
    show("\n");
    if (!request.for_site)
        show_wrapped("", "", "Files; yours overrides the site's, except forbid and require:");
    print_files(request);
}

settings read_for(const config_request& request) {
    return request.for_site ? read_settings_silently({whose::sites}) : read_settings_silently();
}

void print_document(const settings& all, const config_request& request) {
    json ignored = json::array();
    for (const ignored_line& line : all.ignored())
        ignored.push_back({{"file", line.file}, {"line", line.number}, {"reason", line.reason}});
    json files = {{"site", runtime::site_configuration_file(this_machine()).text}};
    if (!request.for_site)
        files = {{"user", runtime::user_configuration_file().text},
                 {"site", runtime::site_configuration_file(this_machine()).text}};
    json document = {{"files", files}, {"settings", json::object()}, {"ignored", ignored}};
    for (const auto& [key, setting] : all.all())
        document["settings"][key] = {{"value", to_json(setting)}, {"origin", setting.origin}};
    print_json(document);
}

// Prints all settings. Returns 1 if lines are ignored, because the owner of the file meant them to have an effect.
int show_all(const config_request& request) {
    const settings all = read_for(request);
    if (request.as_json)
        print_document(all, request);
    else
        print_table(all, request);
    for (const ignored_line& line : all.ignored())
        runtime::say_lines(describe(line).c_str());
    return all.ignored().empty() ? 0 : 1;
}

// Prints one value for a script. The strings of a list are printed one per line.
int get(const config_request& request) {
    const settings all = request.for_site ? read_for(request) : read_settings();
    const auto found = all.all().find(request.key);
    if (found == all.all().end())
        throw settings_error(explain_unknown_key(request.key));
    if (!found->second.is_set()) {
        runtime::say("%s is not set", request.key.c_str());
        return 1;
    }
    struct printer {
        void operator()(std::monostate) const {}
        void operator()(bool value) const { show("{}\n", value ? "true" : "false"); }
        void operator()(const std::string& value) const { show("{}\n", value); }
        void operator()(const text_list& value) const {
            for (const std::string& one : value)
                show("{}\n", one);
        }
    };
    std::visit(printer(), found->second.value);
    return 0;
}

// Tells the user if the environment or the user's file overrides the setting that was written.
void say_if_overridden(const config_request& request, const std::string& path) {
    const std::string origin = read_settings().origin(request.key);
    if (!origin.starts_with(path + ":"))
        runtime::say("%s of %s overrides it here", request.key.c_str(), origin.c_str());
}

int set(const config_request& request, whose owner) {
    const std::string path = path_of_configuration(owner);
    const auto changed_text = [&] {
        return set_in_text(text_of_configuration(path), owner, request.key, request.words);
    };
    static_cast<void>(changed_text()); // refuses a wrong value before the folder is made
    const configuration_lock lock(path);
    write_configuration(path, changed_text());
    show("{} is set in {}\n", request.key, path);
    say_if_overridden(request, path);
    return 0;
}

int unset(const config_request& request, whose owner) {
    const std::string path = path_of_configuration(owner);
    const auto is_unset = [&](const std::string& text) { return unset_in_text(text, owner, request.key) == text; };
    if (is_unset(text_of_configuration(path))) {
        runtime::say("%s is not set in %s", request.key.c_str(), path.c_str());
        return 1;
    }
    const configuration_lock lock(path);
    write_configuration(path, unset_in_text(text_of_configuration(path), owner, request.key));
    show("{} is removed from {}\n", request.key, path);
    return 0;
}

} // namespace

int config(const config_request& request) {
    const std::string& command = request.command;
    const whose owner = request.for_site ? whose::sites : whose::users;
    if (command == "get")
        return get(request);
    if (command == "set")
        return set(request, owner);
    if (command == "unset")
        return unset(request, owner);
    if (command == "edit")
        return edit_configuration(path_of_configuration(owner), owner);
    return show_all(request);
}

} // namespace anympi::command
