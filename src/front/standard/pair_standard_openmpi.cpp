#include "front/common/bind_pair.hpp"

namespace anympi {

template bool bind_pair<pair<standard, openmpi>>(const runtime::opened& from, void** targets);

} // namespace anympi
