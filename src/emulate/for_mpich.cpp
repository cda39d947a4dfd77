#include "abi/mpich.hpp"
#include "emulate/bind.hpp"

namespace anympi::emulate {

template void bind_emulations<mpich>(void** found);

} // namespace anympi::emulate
