#pragma once

#include <string>
#include <vector>

namespace anympi::command {

enum class level : unsigned char { good, note, warning, problem };

// One thing that the doctor has seen.
struct finding {
    level how = level::good;
    std::string check;        // what was looked at, one word for programs to read: "start", "library_path" …
    std::string what;         // a sentence
    std::string remedy = {};  // what to do; empty where nothing needs to be done
    std::string details = {}; // what others have said, some lines
};

using findings = std::vector<finding>;

// From a message of the usual form: what is wrong, what was tried, what to do, a line each.
finding finding_from_message(level how, std::string check, const std::string& message);

} // namespace anympi::command
