#include "abi/standard.hpp"
#include "emulate/engine/bind_emulations.hpp"

namespace anympi::emulate {

template void bind_emulations<standard>(void** found, runtime::family lineage);
template void bind_replacements<standard>(void** found, runtime::family lineage);
template void bind_missing_handles<standard>();
template void install_overrides<standard>(moment now);
template class request_memory<standard>;

} // namespace anympi::emulate
