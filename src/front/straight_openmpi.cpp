#include "front/straight_pair.hpp"

namespace anympi {

template const straight::procedure* straight_procedures<pair<standard, openmpi>>();

} // namespace anympi
