#include "abi/mpich.hpp"
#include "emulate/bind.hpp"
#include "emulate/completion.hpp"

namespace anympi::emulate {

template void bind_emulations<mpich>(void** found);
template void bind_missing_handles<mpich>();
template void keep_until_complete<mpich>(handle_of<mpich, object::request>* request, bool is_persistent, void* block);

} // namespace anympi::emulate
