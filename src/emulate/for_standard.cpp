#include "abi/standard.hpp"
#include "emulate/bind.hpp"
#include "emulate/completion.hpp"

namespace anympi::emulate {

template void bind_emulations<standard>(void** found, runtime::family lineage);
template void bind_replacements<standard>(void** found, runtime::family lineage);
template void bind_missing_handles<standard>();
template void keep_until_complete<standard>(handle_of<standard, object::request>* request, bool is_persistent,
                                            void* block);

} // namespace anympi::emulate
