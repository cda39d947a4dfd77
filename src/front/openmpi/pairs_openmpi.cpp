#include "front/common/data_objects.hpp"
#include "front/common/pair_instances.hpp"
#include "front/vendors/predefined_functions.hpp"
#include "front/vendors/supplement.hpp"

#include <cstring>

namespace anympi {

void* find_data_object(const char* name) {
    for (int i = 0; i < data_object_count; ++i)
        if (std::strcmp(data_objects[i].name, name) == 0)
            return data_objects[i].address;
    return nullptr;
}

bool bind_interface(abi interface, const runtime::opened& from, void** targets) {
    name_predefined_functions();
    switch (interface) {
    case abi::mpich:
        return bind_pair<pair<openmpi, mpich>>(from, targets);
    case abi::standard:
        return bind_pair<pair<openmpi, standard>>(from, targets);
    case abi::openmpi:
        return bind_supplement(from, targets);
    }
    return false;
}

} // namespace anympi
