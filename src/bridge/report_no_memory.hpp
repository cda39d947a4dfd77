#pragma once

#include "convert/error_code.hpp"
#include "emulate/engine/error.hpp"

namespace anympi {

/// Reports that memory is exhausted, as the runtime would do it. Returns the error code for the call.
template <class P>
[[gnu::cold, gnu::noinline]] int report_no_memory() {
    return error_to_app<P>(emulate::raise<typename P::run>(P::run::mpi_ERR_NO_MEM));
}

} // namespace anympi
