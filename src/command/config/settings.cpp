#include "command/config/settings.hpp"

#include "base/edit_distance.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/cli/this_machine.hpp"
#include "runtime/environment.hpp"
#include "runtime/find/configuration.hpp"
#include "runtime/find/requested_name.hpp"
#include "runtime/identify/library.hpp"
#include "runtime/message.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace anympi::command {
namespace {

using runtime::configuration_line;
using runtime::value_kind;
using runtime::whose;

struct key_meaning {
    std::string_view name; // as in runtime::configuration_keys
    std::string_view meaning;
};

constexpr key_meaning meanings[] = {
    {"mpi", "the MPI to run on: a name, the folder of an installation or a library file"},
    {"search", "folders of further installations"},
    {"forbid", "MPIs that nobody may use (site's file only)"},
    {"require", "the only MPIs that may be used (site's file only)"},
    {"run.allow_root", "let Open MPI's launcher run as root"},
    {"run.oversubscribe", "let Open MPI's launcher start more processes than there are cores"},
    {"run.slurm", "start by srun inside an allocation of Slurm"},
    {"run.verbose", "print which MPI was chosen and why"},
    {"launcher.", "the launcher of this MPI"},
    {"options.", "options for its launcher"},
};

std::string last_part_of(const std::string& name) {
    return name.substr(name.rfind('.') + 1);
}

// Returns the edit distance of the parts after the table. A wrong or misspelled table counts as one more change.
std::size_t distance_to(const std::string& name, const std::string& key) {
    const std::string part = last_part_of(name);
    if (part.size() == name.size())
        return std::min(edit_distance(name, key), edit_distance(name, last_part_of(key)) + 1);
    const std::string part_of_key = last_part_of(key);
    const bool has_same_table = std::string_view(name).substr(0, name.size() - part.size()) ==
                                std::string_view(key).substr(0, key.size() - part_of_key.size());
    return edit_distance(part, part_of_key) + (has_same_table ? 0 : 1);
}

// Returns the names of MPIs that may follow "launcher." or "options.", or an empty text for other keys.
std::string names_after(const std::string& name) {
    for (const runtime::configuration_key& key : runtime::configuration_keys) {
        if (!key.name.ends_with('.') || !name.starts_with(key.name))
            continue;
        std::vector<std::string> names;
        for (const runtime::known_product& product : runtime::products)
            names.emplace_back(product.name);
        return sentence_of("NAME in `{}NAME` is one of {}", key.name, join_list(names));
    }
    return "";
}

std::string advice_for(const std::string& name) {
    const auto& keys = known_keys();
    const auto best = std::min_element(keys.begin(), keys.end(), [&](const auto& left, const auto& right) {
        return distance_to(name, left) < distance_to(name, right);
    });
    const std::string names = names_after(name);
    const bool may_be_meant = names.empty() || !names_after(*best).empty(); // `mpi` is not meant by `launcher.mpi`
    if (may_be_meant && is_misspelling(distance_to(name, *best), last_part_of(name).size()))
        return sentence_of("did you mean `{}`?", *best);
    return names.empty() ? "`anympi config` shows all keys" : names;
}

text_list strings_of(const configuration_line& line) {
    text_list strings = split_list(line.values, "\n");
    if (!strings.empty())
        strings.pop_back(); // after the last line end
    return strings;
}

} // namespace

const std::vector<std::string>& known_keys() {
    static const std::vector<std::string> keys = [] {
        std::vector<std::string> all;
        for (const runtime::configuration_key& key : runtime::configuration_keys)
            if (!key.name.ends_with('.'))
                all.emplace_back(key.name);
        for (const runtime::known_product& product : runtime::products)
            for (const runtime::configuration_key& key : runtime::configuration_keys)
                if (key.name.ends_with('.'))
                    all.push_back(std::string(key.name) + product.name);
        return all;
    }();
    return keys;
}

settings::settings() {
    for (const std::string& key : known_keys()) {
        setting_value& value = values_[key];
        value.origin = "default";
        if (runtime::find_configuration_key(key)->kind == value_kind::flag)
            value.value = key == "run.slurm";
    }
}

void settings::add(const configuration_line& line, const std::string& file) {
    if (line.is_table || line.problem != nullptr)
        return;
    setting_value& setting = values_[std::string(line.key)];
    setting.origin = fmt::format("{}:{}", file, line.number);
    switch (line.known->kind) {
    case value_kind::flag:
        setting.value = std::string_view(line.values) == "true\n";
        break;
    case value_kind::mpi:
    case value_kind::file:
        setting.value = strings_of(line).front();
        break;
    case value_kind::mpis:
    case value_kind::folders:
    case value_kind::strings:
        setting.value = strings_of(line);
        break;
    }
}

void settings::add_text(const std::string& text, whose owner, const std::string& file) {
    runtime::read_configuration_text(text, owner, [&](const configuration_line& line) {
        add(line, file);
        if (line.problem != nullptr)
            ignored_.push_back({file, line.number, explain(line)});
    });
}

bool settings::flag(const std::string& key) const {
    return std::get<bool>(values_.at(key).value);
}

std::string settings::text(const std::string& key) const {
    const auto found = values_.find(key); // an MPI without a product name has no key
    const auto* value = found == values_.end() ? nullptr : std::get_if<std::string>(&found->second.value);
    return value ? *value : "";
}

text_list settings::list(const std::string& key) const {
    const auto found = values_.find(key);
    const auto* value = found == values_.end() ? nullptr : std::get_if<text_list>(&found->second.value);
    return value ? *value : text_list();
}

const std::string& settings::origin(const std::string& key) const {
    return values_.at(key).origin;
}

settings read_settings_silently(const std::vector<whose>& files) {
    settings all;
    const auto read = [&](path_text file, whose owner) {
        const std::string name = file.text;
        runtime::visit_configuration_file(
            file, owner, [&](const configuration_line& line) { all.add(line, name); },
            [&](const configuration_line& line) {
                all.ignored_.push_back({name, line.number, explain(line)});
            });
    };
    for (const whose owner : files)
        read(owner == whose::sites ? runtime::site_configuration_file(this_machine())
                                   : runtime::user_configuration_file(),
             owner);
    if (std::find(files.begin(), files.end(), whose::users) == files.end())
        return all;
    if (const char* mpi = runtime::read_variable("ANYMPI_MPI"))
        all.values_["mpi"] = {std::string(mpi), "ANYMPI_MPI"};
    if (runtime::read_variable("ANYMPI_VERBOSE"))
        all.values_["run.verbose"] = {runtime::is_on("ANYMPI_VERBOSE"), "ANYMPI_VERBOSE"};
    return all;
}

settings read_settings() {
    settings all = read_settings_silently();
    for (const ignored_line& line : all.ignored())
        runtime::say_lines(describe(line).c_str());
    return all;
}

std::string describe(const ignored_line& line) {
    return sentence_of("{}:{} is ignored: {}", line.file, line.number, line.reason);
}

std::string explain(const configuration_line& line) {
    std::string reason = printable(runtime::explain_problem(line).text);
    if (line.problem == runtime::unknown_key || line.problem == runtime::unknown_table)
        reason += "; " + advice_for(std::string(line.key));
    else if (line.problem == runtime::unknown_mpi)
        reason += sentence_of("; {}", runtime::advise_on_name(strings_of(line).back().c_str()).text);
    return reason;
}

std::string explain_unknown_mpi(const std::string& name) {
    return sentence_of("anympi knows no MPI of the name `{}`; {}", name, runtime::advise_on_name(name).text);
}

std::string explain_unknown_key(const std::string& name) {
    return sentence_of("there is no key `{}`; {}", name, advice_for(name));
}

std::string_view meaning_of(const std::string& key) {
    const runtime::configuration_key* const known = runtime::find_configuration_key(key);
    for (const key_meaning& one : meanings)
        if (known && one.name == known->name)
            return one.meaning;
    return "";
}

} // namespace anympi::command
