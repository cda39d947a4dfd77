#pragma once

#include <string>
#include <string_view>

namespace anympi::command {

/// Returns some lines of another program's output, without lines of ornaments. With a text, they are the sentence that
/// contains it; without, the first lines. The quotation ends with the end of a sentence, or with "…".
std::string quote_output(const std::string& output, std::string_view text = "");

} // namespace anympi::command
