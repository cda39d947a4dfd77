#include "command/printable.hpp"

#include <algorithm>

namespace anympi::command {

std::string printable(std::string_view text) {
    std::string result(text);
    std::replace_if(
        result.begin(), result.end(), [](unsigned char byte) { return byte < ' ' || byte == 0x7f; }, '?');
    return result;
}

} // namespace anympi::command
