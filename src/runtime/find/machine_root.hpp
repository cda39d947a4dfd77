#pragma once

namespace anympi::runtime {

/// The folder in which the machine's own absolute paths (/usr/lib64, /etc/anympi, /proc …) begin. Tests build a machine
/// in a folder. Paths that the user or the environment names do not begin there.
struct machine {
    const char* root = "";
};

} // namespace anympi::runtime
