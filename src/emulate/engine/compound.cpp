#include "emulate/engine/compound.hpp"

namespace anympi::emulate {

handle_table compound_numbers{};

} // namespace anympi::emulate
