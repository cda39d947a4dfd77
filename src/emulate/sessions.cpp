#include "emulate/sessions.hpp"

namespace anympi::emulate {

handle_table sessions{};
handle_table session_errhandlers{};

} // namespace anympi::emulate
