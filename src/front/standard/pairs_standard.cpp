#include "front/common/pair_instances.hpp"
#include "front/standard/bind_direct.hpp"
#include "front/standard/fortran_link.hpp"

namespace anympi {

// Binds a pair for programs in C and in Fortran.
template <class P>
static bool bind_both(const runtime::opened& from, void** targets) {
    if (!bind_pair<P>(from, targets))
        return false;
    use_fast_paths(fast_path_procedures<P>(), targets);
    return true;
}

bool bind_interface(abi interface, const runtime::opened& from, void** targets) {
    check_fortran_release();
    switch (interface) {
    case abi::mpich:
        return bind_both<pair<standard, mpich>>(from, targets);
    case abi::openmpi:
        return bind_both<pair<standard, openmpi>>(from, targets);
    case abi::standard:
        bind_direct(from, targets);
        return true;
    }
    return false;
}

} // namespace anympi
