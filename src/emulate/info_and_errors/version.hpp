#pragma once

#include "emulate/engine/replace.hpp"

namespace anympi::emulate {

/// What a program can rely on where nothing of the standard is missing.
template <class Run>
int whole_standard(int* version, int* subversion) {
    if (version == nullptr || subversion == nullptr)
        return kept<whole_standard<Run>>(version, subversion); // it reports the error
    *version = 5;
    *subversion = 0;
    return 0;
}

template <class Run>
void answer_version() {
    override_function<whole_standard<Run>>(library<Run>.Get_version);
}

} // namespace anympi::emulate
