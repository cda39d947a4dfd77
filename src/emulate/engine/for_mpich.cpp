#include "abi/mpich.hpp"
#include "emulate/engine/bind_emulations.hpp"

namespace anympi::emulate {

template void bind_emulations<mpich>(void** found, runtime::family lineage);
template void bind_missing_handles<mpich>();
template int find_integer16_operation<mpich>(word type, word operation, word* ours);
template int check_accumulation<mpich>(word type, word operation, word win);
template void install_overrides<mpich>(moment now);
template class request_memory<mpich>;

} // namespace anympi::emulate
