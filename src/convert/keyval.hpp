#pragma once

#include "convert/values.hpp"

namespace anympi {

/// The number that is added to attribute keys of the runtime. Predefined keys are converted by table. The runtime's own
/// keys are unchanged if they cannot be mistaken for a predefined key of the program; small keys are shifted.
template <class P>
inline constexpr int keyval_shift = P::run::small_keyvals ? 0x4000 : 0;

template <class Abi>
constexpr bool is_predefined_keyval(int keyval) {
    for (int known : category_keyval<Abi>::values)
        if (keyval == known)
            return true;
    return false;
}

template <class P>
constexpr int keyval_to_run(int keyval) {
    if (is_predefined_keyval<typename P::app>(keyval))
        return value_to_run<P, category_keyval>(keyval);
    const int moved = keyval - keyval_shift<P>;
    return is_predefined_keyval<typename P::run>(moved) ? P::run::mpi_KEYVAL_INVALID : moved;
}

template <class P>
constexpr int keyval_to_app(int keyval) {
    return is_predefined_keyval<typename P::run>(keyval) ? value_to_app<P, category_keyval>(keyval)
                                                         : keyval + keyval_shift<P>;
}

} // namespace anympi
