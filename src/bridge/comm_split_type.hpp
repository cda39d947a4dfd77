#pragma once

#include "bridge/missing_reports.hpp"
#include "convert/crossings.hpp"
#include "convert/library_features.hpp"

namespace anympi::bridge {

template <class P>
int Comm_split_type(app_handle<P, object::comm> comm, int type, int key, app_handle<P, object::info> info,
                    app_handle<P, object::comm>* newcomm) {
    using run_abi = typename P::run;
    if (!features_of<run_abi>.has_all_split_types && !is_split_type_known<run_abi, typename P::app>(type))
        return missing.report(function::Comm_split_type, object::comm, comm);
    handle_out<P, object::comm> newcomm_{newcomm};
    const int code =
        target<P>.Comm_split_type(to_run<P, object::comm>(comm), value_to_run<P, category_split_type>(type), key,
                                  to_run<P, object::info>(info), newcomm_.argument());
    if (code != 0)
        return finish_failed_call<P>(code, newcomm_);
    newcomm_.finish();
    return 0;
}

} // namespace anympi::bridge
