#pragma once

#include "runtime/find/configuration.hpp"
#include "runtime/identify/library.hpp"

// `forbid` and `require` of the site's configuration. They guide users. They are not a security boundary, since a user
// can run programs without anympi.

namespace anympi::runtime {

/// Returns true if the site lets users run on this library.
bool is_allowed(const configuration& settings, const library& mpi);

/// Returns "/etc/anympi/config.toml:3 forbids it" for a library that is not allowed, an empty text for others.
path_text explain_rule(const configuration& settings, const library& mpi);

} // namespace anympi::runtime
