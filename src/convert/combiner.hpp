#pragma once

#include "convert/values.hpp"

namespace anympi {

/// Converts a combiner. Three combiners of MPI-1 have no number in the standard ABI; their modern counterparts describe
/// the same datatypes.
template <class P>
constexpr int combiner_to_app(int combiner) {
    using run_abi = typename P::run;
    if (combiner == run_abi::mpi_COMBINER_HVECTOR_INTEGER)
        return P::app::mpi_COMBINER_HVECTOR;
    if (combiner == run_abi::mpi_COMBINER_HINDEXED_INTEGER)
        return P::app::mpi_COMBINER_HINDEXED;
    if (combiner == run_abi::mpi_COMBINER_STRUCT_INTEGER)
        return P::app::mpi_COMBINER_STRUCT;
    return value_to_app<P, category_combiner>(combiner);
}

} // namespace anympi
