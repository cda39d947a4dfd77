#pragma once

#include "emulate/engine/compound_progress.hpp"

namespace anympi::emulate {

/// A nonblocking duplicate that gets its hints when it has completed. The hints are a copy, because the program may
/// free its info at once.
template <class Run>
struct hinted_duplicate : compound<Run> {
    handle_of<Run, object::comm> made;
    handle_of<Run, object::info> hints;
};

template <class Run>
hinted_duplicate<Run>& as_duplicate(compound<Run>& operation) {
    return static_cast<hinted_duplicate<Run>&>(operation);
}

template <class Run>
inline constexpr typename compound<Run>::behaviour sets_hints = {
    nullptr,
    [](compound<Run>& operation, typename Run::status&) {
        return library<Run>.Comm_set_info(as_duplicate<Run>(operation).made, as_duplicate<Run>(operation).hints);
    },
    [](compound<Run>& operation) { library<Run>.Info_free(&as_duplicate<Run>(operation).hints); }};

/// Stores the handle of the duplicate at once, because MPICH 3.4 to 5.0 and Open MPI 4.1 and 5.0 return it at once.
/// Only its use must wait.
template <class Run>
int Comm_idup_with_info(word comm, word info, handle_of<Run, object::comm>* newcomm, request_of<Run>* request) {
    const auto no_info = library_null<Run, object::info>();
    if (request == nullptr || newcomm == nullptr || static_cast<handle_of<Run, object::info>>(info) == no_info)
        return library<Run>.Comm_idup(comm, newcomm, request);
    auto* const operation = make<Run, hinted_duplicate>(1);
    if (operation == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    int code = library<Run>.Info_dup(info, &operation->hints);
    if (code == 0) {
        operation->does = &sets_hints<Run>;
        code = library<Run>.Comm_idup(comm, newcomm, operation->children);
    }
    if (code != 0) {
        destroy<Run>(*operation);
        return code;
    }
    operation->made = *newcomm;
    publish<Run>(operation, request);
    return 0;
}

} // namespace anympi::emulate
