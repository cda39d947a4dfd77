#include "front/common/bind_pair.hpp"

namespace anympi {

template bool bind_pair<pair<openmpi, mpich>>(const runtime::opened& from, void** targets);

} // namespace anympi
