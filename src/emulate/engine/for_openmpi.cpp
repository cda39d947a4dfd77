#include "abi/openmpi.hpp"
#include "emulate/engine/bind_emulations.hpp"

namespace anympi::emulate {

template void bind_emulations<openmpi>(void** found, runtime::family lineage);
template void bind_missing_handles<openmpi>();
template int find_integer16_operation<openmpi>(word type, word operation, word* ours);
template int check_accumulation<openmpi>(word type, word operation, word win);
template void install_overrides<openmpi>(moment now);
template class request_memory<openmpi>;

} // namespace anympi::emulate
