#include "abi/mpich.hpp"
#include "emulate/datatypes/stand_in_uses.hpp"
#include "emulate/engine/bind.hpp"
#include "emulate/engine/completion.hpp"

namespace anympi::emulate {

template void bind_emulations<mpich>(void** found, runtime::family lineage);
template void bind_missing_handles<mpich>();
template void bind_stand_in<mpich>();
template int operation_on<mpich>(word type, word operation, word* ours);
template int check_accumulation<mpich>(word type, word operation, word win);
template class keeper<mpich>;

} // namespace anympi::emulate
