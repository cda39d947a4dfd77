#include "front/straight_pair.hpp"

namespace anympi {

template const straight::procedure* straight_procedures<pair<standard, mpich>>();

} // namespace anympi
