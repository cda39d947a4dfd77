#include "convert/deferred_handlers.hpp"

namespace anympi {

constinit thread_local handlers_of_thread deferred_handlers{};

} // namespace anympi
