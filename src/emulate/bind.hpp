#pragma once

#include "emulations.hpp" // generated
#include "emulate/emulation.hpp"

#include <iterator>

namespace anympi::emulate {

template <class Run>
void bind_emulations(void** found) {
    fill_missing(found, emulations<Run>, static_cast<int>(std::size(emulations<Run>)));
}

} // namespace anympi::emulate
