#include "front/common/bind_pair.hpp"

namespace anympi {

template bool bind_pair<pair<standard, mpich>>(const runtime::opened& from, void** targets);

} // namespace anympi
