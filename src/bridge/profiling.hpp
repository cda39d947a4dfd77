#pragma once

#include "convert/crossings.hpp"

namespace anympi::bridge {

/// Further arguments are dropped, because they have no meaning that all libraries share.
template <class P>
int Pcontrol(int level) {
    return error_to_app<P>(target<P>.Pcontrol(level));
}

} // namespace anympi::bridge
