#pragma once

#include "base/word.hpp"

namespace anympi {

/// A place that holds this value as long as the process lives, the same one whenever it is asked for; nullptr: no
/// memory.
word* lasting_copy(word value);

} // namespace anympi
