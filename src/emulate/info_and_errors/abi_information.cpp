#include "emulate/info_and_errors/abi_information.hpp"

namespace anympi::emulate {

constinit fortran_booleans given_booleans{};

} // namespace anympi::emulate
