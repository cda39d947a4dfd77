#include "abi/openmpi.hpp"
#include "emulate/bind.hpp"

namespace anympi::emulate {

template void bind_emulations<openmpi>(void** found);
template void bind_missing_handles<openmpi>();

} // namespace anympi::emulate
