#include "convert/error.hpp"

namespace anympi {

constinit thread_local kept_code kept;

} // namespace anympi
