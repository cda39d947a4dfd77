#pragma once

#include "convert/crossings.hpp"

namespace anympi::bridge {

/// Further arguments have no meaning that every library shares.
template <class P>
int Pcontrol(int level) {
    return error_to_app<P>(target<P>.Pcontrol(level));
}

} // namespace anympi::bridge
