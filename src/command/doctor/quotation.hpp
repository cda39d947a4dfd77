#pragma once

#include <string>
#include <string_view>

namespace anympi::command {

/// Returns the sentence of another program's output that contains a text, or the first lines if no text is given. Lines
/// of ornaments are left out. What is returned ends with a whole sentence, or with "…".
std::string quote_output(const std::string& output, std::string_view text = "");

} // namespace anympi::command
