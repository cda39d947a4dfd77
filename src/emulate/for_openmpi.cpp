#include "abi/openmpi.hpp"
#include "emulate/bind.hpp"

namespace anympi::emulate {

template void bind_emulations<openmpi>(void** found);

} // namespace anympi::emulate
