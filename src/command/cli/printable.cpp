#include "command/cli/printable.hpp"

#include "base/foreign_text.hpp"

namespace anympi::command {
namespace {

std::string replace_unprintable(std::string_view text, bool has_own_lines) {
    std::string result;
    for_each_shown(text, has_own_lines, [&](std::string_view piece) { result += piece; });
    return result;
}

} // namespace

std::string printable(std::string_view text) {
    return replace_unprintable(text, false);
}

std::string printable_lines(std::string_view text) {
    return replace_unprintable(text, true);
}

} // namespace anympi::command
