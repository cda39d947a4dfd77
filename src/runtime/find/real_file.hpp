#pragma once

#include "base/text.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace anympi::runtime {

/// Follows all links of a path to a file or folder. Returns false if the path leads to nothing. It resolves the path
/// with open() and one readlink(), whereas realpath() needs a system call for each folder of the path.
inline bool find_real_file(const char* path, path_text& real) {
    const int descriptor = open(path, O_PATH | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    bounded_text<32> link;
    link.append("/proc/self/fd/%d", descriptor);
    const ssize_t length = real.reserve() ? readlink(link.text, real.text, PATH_MAX - 1) : -1;
    close(descriptor);
    if (length <= 0)
        real.append("%s", path);
    else
        real.text[real.length = static_cast<std::size_t>(length)] = '\0';
    return true;
}

} // namespace anympi::runtime
