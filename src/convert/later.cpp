#include "convert/later.hpp"

namespace anympi {

constinit thread_local handlers_of_thread handlers_later{};

} // namespace anympi
