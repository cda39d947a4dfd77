#pragma once

#include "convert/crossings.hpp"
#include "emulate/engine/start_checks.hpp"

namespace anympi::bridge {

// The functions that start MPI. Each one checks the process against its launcher, before and after MPI starts.

template <class P>
void check_started() {
    const word world = predefined_of_program<typename P::app>(standard::mpi_COMM_WORLD);
    check_world<typename P::run>(to_run<P, object::comm>(static_cast<app_handle<P, object::comm>>(world)),
                                 runtime_null<P, object::comm>());
}

template <class P>
int Init(int* argc, char*** argv) {
    launcher_check.before_start();
    const int code = target<P>.Init(argc, argv);
    if (code != 0)
        return error_to_app<P>(code);
    check_started<P>();
    return 0;
}

template <class P>
int Init_thread(int* argc, char*** argv, int required, int* provided) {
    launcher_check.before_start();
    const int code = target<P>.Init_thread(argc, argv, value_to_run<P, category_thread_level>(required), provided);
    if (code != 0)
        return error_to_app<P>(code);
    if (provided != nullptr)
        *provided = value_to_app<P, category_thread_level>(*provided);
    check_started<P>();
    return 0;
}

/// Returns the size of the process set mpi://WORLD, or 0 if the session does not know it.
template <class P>
int world_size_of(run_handle<P, object::session> session) {
    run_handle<P, object::group> group{};
    int size = 0;
    if (target<P>.Group_from_session_pset == nullptr ||
        target<P>.Group_from_session_pset(session, "mpi://WORLD", &group) != 0)
        return 0;
    const bool known = target<P>.Group_size(group, &size) == 0;
    target<P>.Group_free(&group);
    return known ? size : 0;
}

template <class P>
int Session_init(app_handle<P, object::info> info, app_handle<P, object::errhandler> errhandler,
                 app_handle<P, object::session>* session) {
    launcher_check.before_start();
    handle_out<P, object::session> session_{session};
    session_.clear();
    const int code = target<P>.Session_init(to_run<P, object::info>(info), to_run<P, object::errhandler>(errhandler),
                                            session_.argument());
    if (code != 0)
        return finish_failed_call<P>(code, session_);
    launcher_check.runtime_started();
    if (launcher_check.is_launched_with_others() && session_.is_made())
        if (const int size = world_size_of<P>(session_.written()); size > 0)
            launcher_check.after_start(size, false);
    session_.finish();
    return 0;
}

} // namespace anympi::bridge
