#pragma once

#include <string>
#include <vector>

namespace anympi::command {

enum class level : unsigned char { good, note, warning, problem };

/// One result of a check.
struct finding {
    level how = level::good;
    std::string check;        // the name of the check, for programs to read: "start", "library_path" …
    std::string what;         // a sentence
    std::string remedy = {};  // what to do; empty if nothing needs to be done
    std::string details = {}; // lines that other programs have printed
};

using findings = std::vector<finding>;

/// Makes a finding of a message whose first line says what is wrong and whose last line says what to do. The lines
/// between are details.
finding finding_from_message(level how, std::string check, const std::string& message);

} // namespace anympi::command
