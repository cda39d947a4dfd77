#include "command/doctor/finding.hpp"

namespace anympi::command {

finding finding_from_message(level how, std::string check, const std::string& message) {
    const std::size_t first_end = message.find('\n');
    if (first_end == message.npos)
        return {how, std::move(check), message};
    const std::size_t last_begin = message.rfind('\n');
    finding result{how, std::move(check), message.substr(0, first_end), message.substr(last_begin + 1)};
    if (first_end < last_begin)
        result.details = message.substr(first_end + 1, last_begin - first_end - 1);
    return result;
}

} // namespace anympi::command
