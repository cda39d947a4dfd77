#pragma once

#include <string>
#include <string_view>

namespace anympi::command {

/// Quotes the output of another program. Returns the sentence that contains `text`, or the first lines if `text` is
/// empty. Decorative lines are left out. The quotation ends with a whole sentence or with "…".
std::string quote_output(const std::string& output, std::string_view text = "");

} // namespace anympi::command
