#pragma once

#include "bridge/missing.hpp"
#include "convert/crossings.hpp"

namespace anympi::bridge {

/// A split type that the runtime is too old to know: its number may mean something else there (2 is HW_GUIDED in MPICH
/// 4 and NEIGHBORHOOD in 3.4), unless that is emulated.
template <class P>
bool knows_split_type(int type) {
    using app = typename P::app;
    const auto& runtime = sentinels_of<typename P::run>;
    if (runtime.has_all_split_types)
        return true;
    if (type == app::mpi_COMM_TYPE_HW_GUIDED || type == app::mpi_COMM_TYPE_HW_UNGUIDED)
        return runtime.has_mpi_4_0;
    return type != app::mpi_COMM_TYPE_RESOURCE_GUIDED || runtime.has_mpi_4_1;
}

template <class P>
int Comm_split_type(app_handle<P, object::comm> comm, int type, int key, app_handle<P, object::info> info,
                    app_handle<P, object::comm>* newcomm) {
    if (!knows_split_type<P>(type))
        return missing.report(function::Comm_split_type, object::comm, comm);
    handle_out<P, object::comm> newcomm_{newcomm};
    const int code =
        target<P>.Comm_split_type(to_run<P, object::comm>(comm), value_to_run<P, category_split_type>(type), key,
                                  to_run<P, object::info>(info), newcomm_.argument());
    if (code != 0)
        return failed<P>(code, newcomm_);
    newcomm_.back();
    return 0;
}

} // namespace anympi::bridge
