#include "abi/standard.hpp"
#include "emulate/engine/bind.hpp"
#include "emulate/engine/completion.hpp"

namespace anympi::emulate {

template void bind_emulations<standard>(void** found, runtime::family lineage);
template void bind_replacements<standard>(void** found, runtime::family lineage);
template void bind_missing_handles<standard>();
template class request_memory<standard>;

} // namespace anympi::emulate
