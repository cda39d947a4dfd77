#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The configuration as the command sees it: all keys of both files and the environment, each with its origin. The front
// reads `mpi` and `search` of the same files with a reader of its own (runtime/find/configuration.hpp).

namespace anympi::command {

using text_list = std::vector<std::string>;

struct setting_value {
    std::variant<std::monostate, bool, std::string, text_list> value; // monostate: nothing is said
    std::string origin;                                               // "default", "FILE:LINE", "ANYMPI_MPI"

    bool is_set() const { return !std::holds_alternative<std::monostate>(value); }
};

// What is wrong, with file and line; what to do.
class settings_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class settings {
public:
    settings(); // the defaults

    // Puts what a file says in front of what is known so far.
    void add_text(const std::string& text, const std::string& file);

    bool flag(const std::string& key) const;
    std::string text(const std::string& key) const; // "" where nothing is said
    text_list list(const std::string& key) const;
    const std::string& origin(const std::string& key) const;

    // Every key that there is.
    const std::map<std::string, setting_value>& all() const { return values_; }

private:
    friend settings read_settings();

    std::map<std::string, setting_value> values_;
};

// The site's file, the user's, the environment.
settings read_settings();

// The message about an unknown name of an MPI.
std::string explain_unknown_mpi(const std::string& name);

// What one key means, for the documentation in the command.
std::string_view meaning_of(const std::string& key);

} // namespace anympi::command
