#pragma once

#include "front/fortran_side.hpp"
#include "straight.hpp" // generated

namespace anympi {

template <class P>
const straight::procedure* straight_procedures() {
    return straight::procedures<P>;
}

} // namespace anympi
