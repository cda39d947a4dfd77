#include "abi/openmpi.hpp"
#include "emulate/datatypes/stand_in_uses.hpp"
#include "emulate/engine/bind.hpp"
#include "emulate/engine/completion.hpp"

namespace anympi::emulate {

template void bind_emulations<openmpi>(void** found, runtime::family lineage);
template void bind_missing_handles<openmpi>();
template void bind_stand_in<openmpi>();
template int operation_on<openmpi>(word type, word operation, word* ours);
template int check_accumulation<openmpi>(word type, word operation, word win);
template class keeper<openmpi>;

} // namespace anympi::emulate
