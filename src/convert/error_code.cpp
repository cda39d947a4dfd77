#include "convert/error_code.hpp"

namespace anympi {

constinit thread_local callback_error_code callback_error;

} // namespace anympi
