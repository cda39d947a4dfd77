#include "front/bind_direct.hpp"
#include "front/pairs.hpp"

namespace anympi {

bool bind_interface(abi interface, const runtime::opened& from, void** targets) {
    switch (interface) {
    case abi::mpich:
        return bind_pair<pair<standard, mpich>>(from, targets);
    case abi::openmpi:
        return bind_pair<pair<standard, openmpi>>(from, targets);
    case abi::standard:
        bind_direct(from, targets);
        return true;
    }
    return false;
}

} // namespace anympi
