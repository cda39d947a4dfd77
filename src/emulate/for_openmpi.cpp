#include "abi/openmpi.hpp"
#include "emulate/bind.hpp"
#include "emulate/completion.hpp"

namespace anympi::emulate {

template void bind_emulations<openmpi>(void** found);
template void bind_missing_handles<openmpi>();
template void keep_until_complete<openmpi>(handle_of<openmpi, object::request>* request, bool is_persistent,
                                           void* block);

} // namespace anympi::emulate
