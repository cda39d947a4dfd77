#include "emulate/abi.hpp"

namespace anympi::emulate {

constinit fortran_booleans told_booleans{};

} // namespace anympi::emulate
