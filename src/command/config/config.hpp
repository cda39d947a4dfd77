#pragma once

namespace anympi::command {

// `anympi config`: every setting with its value and where it comes from.
int config(bool as_json);

} // namespace anympi::command
