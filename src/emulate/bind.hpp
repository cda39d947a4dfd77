#pragma once

#include "emulate/emulation.hpp"
#include "emulations.hpp" // generated

#include <iterator>

namespace anympi::emulate {

template <class Run>
void bind_emulations(void** found) {
    fill_missing(found, emulations<Run>, static_cast<int>(std::size(emulations<Run>)));
}

} // namespace anympi::emulate
