#pragma once

namespace anympi::runtime {

// Where the machine's own absolute paths (/usr/lib64, /etc/anympi, /proc …) begin. Tests build a machine in a folder;
// paths that the user or the environment names are never moved.
struct machine {
    const char* root = "";
};

} // namespace anympi::runtime
