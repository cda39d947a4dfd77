#include "abi/mpich.hpp"
#include "emulate/datatypes/integer16_overrides.hpp"
#include "emulate/engine/bind.hpp"
#include "emulate/engine/completion.hpp"

namespace anympi::emulate {

template void bind_emulations<mpich>(void** found, runtime::family lineage);
template void bind_missing_handles<mpich>();
template void bind_integer16<mpich>();
template int find_integer16_operation<mpich>(word type, word operation, word* ours);
template int check_accumulation<mpich>(word type, word operation, word win);
template class request_memory<mpich>;

} // namespace anympi::emulate
