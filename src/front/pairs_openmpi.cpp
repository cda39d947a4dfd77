#include "front/data_objects.hpp"
#include "front/pairs.hpp"
#include "runtime/message.hpp"

#include <cstring>

namespace anympi {

void* find_data_object(const char* name) {
    for (int i = 0; i < data_object_count; ++i)
        if (std::strcmp(data_objects[i].name, name) == 0)
            return data_objects[i].address;
    return nullptr;
}

bool bind_interface(abi interface, const runtime::opened& from, void** targets) {
    switch (interface) {
    case abi::mpich:
        return bind_pair<pair<openmpi, mpich>>(from, targets);
    case abi::openmpi:
        runtime::stop("this program was built for Open MPI and the MPI chosen is Open MPI: it needs no front.\n"
                      "Start it without anympi's folder in LD_LIBRARY_PATH.");
    case abi::standard:
        return bind_pair<pair<openmpi, standard>>(from, targets);
    }
    return false;
}

} // namespace anympi
