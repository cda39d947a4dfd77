#pragma once

#include "base/function_ref.hpp"
#include "base/text.hpp"

#include <cstddef>
#include <string_view>

// The grammar of a configuration file, a subset of TOML: `key = value`, [tables], comments. The fronts and the command
// read all configuration files with this reader.

namespace anympi::runtime {

/// Whose file it is: the user's, or the site's, which all users of the machine share.
enum class whose : unsigned char { users, sites };

/// The kinds of values that a key may have.
enum class value_kind : unsigned char {
    flag,    // true or false
    mpi,     // a name, a folder or a library file, in quotes
    mpis,    // one of these, or a list of them
    file,    // an absolute path in quotes
    folders, // a list of absolute paths
    strings  // a list of any strings
};

struct configuration_key {
    std::string_view name; // if it ends with a point, the name of a product follows: "launcher.mpich"
    value_kind kind;
    bool is_for_sites = false; // counts in the site's file only
};

inline constexpr configuration_key configuration_keys[] = {
    {"mpi", value_kind::mpi},
    {"search", value_kind::folders},
    {"forbid", value_kind::mpis, true},
    {"require", value_kind::mpis, true},
    {"run.allow_root", value_kind::flag},
    {"run.oversubscribe", value_kind::flag},
    {"run.slurm", value_kind::flag},
    {"run.verbose", value_kind::flag},
    {"launcher.", value_kind::file},
    {"options.", value_kind::strings},
};

/// Returns the key of this name, or nullptr.
const configuration_key* find_configuration_key(std::string_view name);

inline constexpr std::size_t longest_configuration = 16384; // bytes; longer files are ignored

/// The values of one key: a flag is "true" or "false", all others are strings. Each ends with a line end.
using value_list = long_text<longest_configuration>;

/// One setting, one [table], or one line that cannot be understood.
struct configuration_line {
    int number = 0;       // the number of its first line
    std::string_view key; // the key with the name of its table: "run.slurm"; may be empty
    const configuration_key* known = nullptr;
    const char* values = "";        // in the form of value_list
    const char* problem = nullptr;  // why the line is ignored, nullptr for a good line
    bool is_table = false;          // `key` is the name of a table
    std::size_t begin = 0, end = 0; // the bytes of its lines, with the last line end
    std::size_t value_begin = 0, value_end = 0;
};

/// Calls `visit` for each setting, table and broken line of a text, in their order. After a broken line, the reader
/// goes on with the next one. A text that is too long is treated as empty.
void read_configuration_text(std::string_view text, whose owner, function_ref<void(const configuration_line&)> visit);

/// Returns "mpi: the string has no closing quote" for a broken line.
bounded_text<512> explain_problem(const configuration_line& line);

/// Problems for which a message adds further information.
inline constexpr char unknown_key[] = "there is no such key";
inline constexpr char unknown_table[] = "there is no such table";
inline constexpr char unknown_mpi[] = "no MPI goes by this name";
inline constexpr char inline_table[] = "inline tables are not read";
inline constexpr char long_string[] = "strings in three quotes are not read; write the string in one pair of quotes";

} // namespace anympi::runtime
