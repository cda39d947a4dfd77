#pragma once

#include "runtime/find/configuration_text.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The configuration as the command sees it: all keys of both files and the environment, each with its origin.

namespace anympi::command {

using text_list = std::vector<std::string>;

struct setting_value {
    std::variant<std::monostate, bool, std::string, text_list> value; // monostate: the key is not set
    std::string origin;                                               // "default", "FILE:LINE", "ANYMPI_MPI"

    bool is_set() const { return !std::holds_alternative<std::monostate>(value); }
};

/// A line of a file that is ignored.
struct ignored_line {
    std::string file;
    int number;
    std::string reason;
};

/// An error in a setting. The message says what is wrong, with file and line, and what to do.
class settings_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class settings {
public:
    settings(); // the defaults

    /// Applies the setting in one line of a file. It overrides an earlier value of the key.
    void add(const runtime::configuration_line& line, const std::string& file);

    /// Applies the settings in the lines of a text, and records the lines that are ignored.
    void add_text(const std::string& text, runtime::whose owner, const std::string& file);

    bool flag(const std::string& key) const;
    std::string text(const std::string& key) const; // "" if the key is not set
    text_list list(const std::string& key) const;   // {} if the key is not set
    const std::string& origin(const std::string& key) const;

    /// Returns all keys with their values, including keys that are not set.
    const std::map<std::string, setting_value>& all() const { return values_; }

    /// Returns the lines that are ignored. They are recorded only when a process reads a file for the first time.
    const std::vector<ignored_line>& ignored() const { return ignored_; }

private:
    friend settings read_settings_silently(const std::vector<runtime::whose>& files);

    std::map<std::string, setting_value> values_;
    std::vector<ignored_line> ignored_;
};

/// Reads the site's file, the user's file and the environment. Reports each ignored line once in a process.
settings read_settings();

/// Reads the files, and also the environment if the user's file is one of them. The caller reports the ignored lines.
settings read_settings_silently(const std::vector<runtime::whose>& files = {runtime::whose::sites,
                                                                            runtime::whose::users});

/// Returns "FILE:3 is ignored: mip: there is no such key; did you mean `mpi`?"
std::string describe(const ignored_line& line);

/// Returns why a line is ignored, with the name that was probably meant.
std::string explain(const runtime::configuration_line& line);

/// Returns all keys. A key with a product's name is listed once for each product: "launcher.mpich".
const std::vector<std::string>& known_keys();

/// Returns the message about an unknown name of an MPI.
std::string explain_unknown_mpi(const std::string& name);

/// Returns the message about an unknown key, with the key that was probably meant.
std::string explain_unknown_key(const std::string& name);

/// Returns the description of a key.
std::string_view meaning_of(const std::string& key);

} // namespace anympi::command
