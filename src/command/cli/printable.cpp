#include "command/cli/printable.hpp"

#include "base/foreign_text.hpp"

namespace anympi::command {
namespace {

std::string shown(std::string_view text, bool has_own_lines) {
    std::string result;
    for_each_shown(text, has_own_lines, [&](std::string_view piece) { result += piece; });
    return result;
}

} // namespace

std::string printable(std::string_view text) {
    return shown(text, false);
}

std::string printable_lines(std::string_view text) {
    return shown(text, true);
}

} // namespace anympi::command
