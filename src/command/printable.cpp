#include "command/printable.hpp"

#include "runtime/foreign_text.hpp"

namespace anympi::command {
namespace {

std::string shown(std::string_view text, bool has_own_lines) {
    std::string result;
    while (!text.empty()) {
        const std::size_t length = runtime::length_if_harmless(text);
        if (length != 0)
            result += text.substr(0, length);
        else
            result += has_own_lines && text.front() == '\n' ? '\n' : runtime::in_place_of_harmful;
        text.remove_prefix(length != 0 ? length : 1);
    }
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
