#include "emulate/sessions/sessions.hpp"

namespace anympi::emulate {

handle_table sessions{};
handle_table session_errhandlers{};
constinit std::atomic<int> lent_errhandlers{0};

} // namespace anympi::emulate
