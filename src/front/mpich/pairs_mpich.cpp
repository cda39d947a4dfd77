#include "front/common/pair_instances.hpp"
#include "front/vendors/predefined_functions.hpp"
#include "front/vendors/supplement.hpp"

namespace anympi {

bool bind_interface(abi interface, const runtime::opened& from, void** targets) {
    name_predefined_functions();
    switch (interface) {
    case abi::mpich:
        return bind_supplement(from, targets);
    case abi::openmpi:
        return bind_pair<pair<mpich, openmpi>>(from, targets);
    case abi::standard:
        return bind_pair<pair<mpich, standard>>(from, targets);
    }
    return false;
}

} // namespace anympi
