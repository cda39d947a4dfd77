#include "front/pairs.hpp"
#include "runtime/message.hpp"

namespace anympi {

bool bind_interface(abi interface, const runtime::opened& from, void** targets) {
    switch (interface) {
    case abi::mpich:
        runtime::stop("this program was built for MPICH and the MPI chosen is of MPICH's family: it needs no front.\n"
                      "Start it without anympi's folder in LD_LIBRARY_PATH.");
    case abi::openmpi:
        return bind_pair<pair<mpich, openmpi>>(from, targets);
    case abi::standard:
        return bind_pair<pair<mpich, standard>>(from, targets);
    }
    return false;
}

} // namespace anympi
