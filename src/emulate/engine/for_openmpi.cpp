#include "abi/openmpi.hpp"
#include "emulate/datatypes/integer16_overrides.hpp"
#include "emulate/engine/bind.hpp"
#include "emulate/engine/completion.hpp"

namespace anympi::emulate {

template void bind_emulations<openmpi>(void** found, runtime::family lineage);
template void bind_missing_handles<openmpi>();
template void bind_integer16<openmpi>();
template int find_integer16_operation<openmpi>(word type, word operation, word* ours);
template int check_accumulation<openmpi>(word type, word operation, word win);
template class request_memory<openmpi>;

} // namespace anympi::emulate
