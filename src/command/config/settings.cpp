#include "command/config/settings.hpp"

#include "base/edit_distance.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/cli/this_machine.hpp"
#include "command/config/toml.hpp"
#include "runtime/environment.hpp"
#include "runtime/find/configuration.hpp"
#include "runtime/find/requested_name.hpp"
#include "runtime/identify/library.hpp"
#include "runtime/message.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace anympi::command {
namespace {

enum class kind : unsigned char { flag, text, path, list };

struct known_key {
    std::string name;
    kind type;
    std::string_view meaning;
};

const std::vector<known_key>& known_keys() {
    static const std::vector<known_key> keys = [] {
        std::vector<known_key> all = {
            {"mpi", kind::text, "the MPI to run on: a name, the folder of an installation or a library file"},
            {"search", kind::list, "folders of further installations"},
            {"run.allow_root", kind::flag, "let Open MPI's launcher run as root"},
            {"run.oversubscribe", kind::flag, "let Open MPI's launcher start more processes than there are cores"},
            {"run.slurm", kind::flag, "start by srun inside an allocation of Slurm"},
            {"run.verbose", kind::flag, "say which MPI was chosen and why"},
        };
        for (const runtime::known_product& product : runtime::products) {
            all.push_back({fmt::format("launcher.{}", product.name), kind::path, "the launcher of this MPI"});
            all.push_back({fmt::format("options.{}", product.name), kind::list, "options for its launcher"});
        }
        return all;
    }();
    return keys;
}

const known_key* find_key(const std::string& name) {
    const auto& keys = known_keys();
    const auto found = std::find_if(keys.begin(), keys.end(), [&](const known_key& key) { return key.name == name; });
    return found == keys.end() ? nullptr : &*found;
}

// A key in the wrong table is near, too.
std::size_t distance_to(const std::string& name, const known_key& key) {
    const auto last_part = [](const std::string& text) { return text.substr(text.rfind('.') + 1); };
    return std::min(edit_distance(name, key.name), edit_distance(last_part(name), last_part(key.name)) + 1);
}

std::string advice_for(const std::string& name) {
    const auto& keys = known_keys();
    const auto best = std::min_element(keys.begin(), keys.end(), [&](const known_key& left, const known_key& right) {
        return distance_to(name, left) < distance_to(name, right);
    });
    if (is_misspelling(distance_to(name, *best), name.size()))
        return sentence_of("did you mean `{}`?", best->name);
    std::string names;
    for (const known_key& key : keys)
        names += (names.empty() ? "" : ", ") + key.name;
    return "known are: " + names;
}

// --- one value of a file ---

[[noreturn]] void refuse(const std::string& file, const toml::node& node, const std::string& what) {
    throw settings_error(sentence_of("{}:{}: {}", file, node.source().begin.line, what));
}

std::string checked_path(const std::string& file, const toml::node& node, const known_key& key, std::string text) {
    const bool is_path = key.type == kind::path || text.find('/') != text.npos;
    if (text.empty())
        refuse(file, node, sentence_of("{} is empty", key.name));
    if (is_path && !text.starts_with('/'))
        refuse(file, node, "a path must begin with /");
    if (!is_path && !runtime::is_known_name(text))
        refuse(file, node, explain_unknown_mpi(text));
    return text;
}

text_list read_list(const std::string& file, const toml::node& node, const known_key& key) {
    text_list list;
    const toml::array* array = node.as_array();
    if (!array)
        refuse(file, node, sentence_of("{} must be a list of strings", key.name));
    for (const toml::node& entry : *array) {
        const auto text = entry.value_exact<std::string>();
        if (!text)
            refuse(file, entry, sentence_of("{} must be a list of strings", key.name));
        list.push_back(*text);
    }
    return list;
}

setting_value read_value(const std::string& file, const toml::node& node, const known_key& key) {
    setting_value result;
    result.origin = fmt::format("{}:{}", file, node.source().begin.line);
    switch (key.type) {
    case kind::flag:
        if (!node.is_boolean())
            refuse(file, node, sentence_of("{} must be true or false", key.name));
        result.value = node.value_exact<bool>().value();
        break;
    case kind::text:
    case kind::path:
        if (!node.is_string())
            refuse(file, node, sentence_of("{} must be a string in quotes", key.name));
        result.value = checked_path(file, node, key, node.value_exact<std::string>().value());
        break;
    case kind::list:
        result.value = read_list(file, node, key);
        break;
    }
    return result;
}

void read_table(const std::string& file, const toml::table& table, const std::string& prefix,
                std::map<std::string, setting_value>& values) {
    for (const auto& [word, node] : table) {
        const std::string name = prefix + std::string(word.str());
        const bool has_keys_below = std::any_of(known_keys().begin(), known_keys().end(),
                                                [&](const known_key& key) { return key.name.starts_with(name + "."); });
        if (const known_key* key = find_key(name))
            values[name] = read_value(file, node, *key);
        else if (node.is_table() && has_keys_below)
            read_table(file, *node.as_table(), name + ".", values);
        else
            throw settings_error(
                sentence_of("{}:{}: unknown key `{}`; {}", file, word.source().begin.line, name, advice_for(name)));
    }
}

// --- whole files ---

// What the front would make of it. It has a smaller reader: what it does not take must not be taken here either.
runtime::configuration read_as_front(const std::string& text, const std::string& file) {
    runtime::configuration seen;
    const runtime::syntax_error error = runtime::parse_configuration(text, seen);
    if (error.line != 0)
        throw settings_error(sentence_of("{}:{}: {}", file, error.line, error.reason));
    return seen;
}

// TOML has more ways to write a key (`[table]`, `a.b`) than the front can follow.
void compare_with_front(const settings& ours, const runtime::configuration& fronts, const std::string& file) {
    if (ours.text("mpi") != fronts.mpi.text || join_list(ours.list("search"), ":") != fronts.search.text)
        throw settings_error(sentence_of("{}: write `mpi` and `search` at the beginning of the file, before the first "
                                         "[table], each as `key = value`",
                                         file));
}

// A file that cannot be read is left alone, as the front does, but not in silence.
std::string content_of(path_text& file, runtime::whose owner) {
    std::string text(16384, '\0'); // as much as the front reads
    const runtime::file_content content = runtime::read_configuration_file(file, owner, text.data(), text.size());
    if (content.error != 0)
        runtime::say("%s cannot be read and is left out: %s", file.text, std::strerror(content.error));
    if (!content.is_read)
        return "";
    if (content.length == text.size())
        throw settings_error(sentence_of("{} is too long: at most {} bytes are read", file.text, text.size()));
    text.resize(content.length);
    return text;
}

} // namespace

settings::settings() {
    for (const known_key& key : known_keys()) {
        setting_value& value = values_[key.name];
        value.origin = "default";
        if (key.type == kind::flag)
            value.value = key.name == "run.slurm";
    }
}

void settings::add_text(const std::string& text, const std::string& file) {
    const runtime::configuration fronts = read_as_front(text, file);
    settings said;
    said.values_.clear();
    try {
        read_table(file, toml::parse(text, file), "", said.values_);
    } catch (const toml::parse_error& error) {
        throw settings_error(sentence_of("{}:{}: {}", file, error.source().begin.line, error.description()));
    } catch (const std::invalid_argument& error) {
        throw settings_error(sentence_of("{} {}", file, error.what()));
    }
    compare_with_front(said, fronts, file);
    for (auto& [name, value] : said.values_)
        values_[name] = std::move(value);
}

bool settings::flag(const std::string& key) const {
    return std::get<bool>(values_.at(key).value);
}

std::string settings::text(const std::string& key) const {
    const auto found = values_.find(key); // an MPI may have no name
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

settings read_settings() {
    settings all;
    const auto add = [&](path_text file, runtime::whose owner) {
        if (file.length != 0 && !file.cut)
            all.add_text(content_of(file, owner), file.text);
    };
    add(runtime::site_configuration_file(this_machine()), runtime::whose::sites);
    add(runtime::user_configuration_file(), runtime::whose::users);
    if (const char* mpi = runtime::read_variable("ANYMPI_MPI"))
        all.values_["mpi"] = {std::string(mpi), "ANYMPI_MPI"};
    if (runtime::read_variable("ANYMPI_VERBOSE"))
        all.values_["run.verbose"] = {runtime::is_on("ANYMPI_VERBOSE"), "ANYMPI_VERBOSE"};
    return all;
}

std::string explain_unknown_mpi(const std::string& name) {
    return sentence_of("anympi knows no MPI of the name `{}`; {}", name, runtime::advise_on_name(name).text);
}

std::string_view meaning_of(const std::string& key) {
    const known_key* known = find_key(key);
    return known ? known->meaning : "";
}

} // namespace anympi::command
