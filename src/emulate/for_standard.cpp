#include "abi/standard.hpp"
#include "emulate/bind.hpp"

namespace anympi::emulate {

template void bind_emulations<standard>(void** found);
template void bind_missing_handles<standard>();

} // namespace anympi::emulate
