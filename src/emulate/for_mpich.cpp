#include "abi/mpich.hpp"
#include "emulate/bind.hpp"

namespace anympi::emulate {

template void bind_emulations<mpich>(void** found);
template void bind_missing_handles<mpich>();

} // namespace anympi::emulate
