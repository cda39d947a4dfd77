#pragma once

#include "emulate/engine/compound_progress.hpp"
#include "emulate/engine/error.hpp"

namespace anympi::emulate {

// MPI_Request_get_status_all and related functions, which query one request after the other.

/// The state of one request.
enum class progress : unsigned char { inactive, pending, complete };

/// Queries one request. Libraries report "complete, with the empty status" for a null or inactive request. For a
/// request that was active they write another status, or leave the status alone (MPICH for sends). The status is
/// therefore preset to values that no status has. A generalized request whose query function sets nothing is mistaken
/// for an inactive one.
template <class Run>
int look_at(request_of<Run> request, progress& seen, typename Run::status& status) {
    status = empty_status(Run{});
    status.source = status.tag = never_a_constant;
    int flag = 0;
    const int code = library<Run>.Request_get_status(request, &flag, &status);
    bool is_inactive = status.source == Run::mpi_ANY_SOURCE && status.tag == Run::mpi_ANY_TAG;
    if (const compound<Run>* const known = compound_of<Run>(request))
        is_inactive = !is_active<Run>(*known);
    seen = flag == 0 ? progress::pending : is_inactive ? progress::inactive : progress::complete;
    if (status.source == never_a_constant)
        status = empty_status(Run{});
    return code;
}

/// Checks the arguments that all three functions need.
template <class Run>
bool are_valid_arguments(int count, const request_of<Run>* requests) {
    return count == 0 || (count > 0 && requests != nullptr);
}

template <class Run>
int Request_get_status_all(int count, const request_of<Run>* requests, int* flag, typename Run::status* statuses) {
    if (flag == nullptr || !are_valid_arguments<Run>(count, requests))
        return raise<Run>(Run::mpi_ERR_ARG);
    *flag = 1;
    for (int i = 0; i < count; ++i) {
        progress seen;
        typename Run::status status;
        if (const int code = look_at<Run>(requests[i], seen, status); code != 0)
            return code;
        if (seen == progress::pending)
            *flag = 0; // no break: the other requests may need the query to make progress
        if (is_wanted<Run>(statuses))
            statuses[i] = status;
    }
    return 0;
}

template <class Run>
int Request_get_status_any(int count, const request_of<Run>* requests, int* index, int* flag,
                           typename Run::status* status) {
    if (index == nullptr || flag == nullptr || !are_valid_arguments<Run>(count, requests))
        return raise<Run>(Run::mpi_ERR_ARG);
    bool any_active = false;
    typename Run::status found = empty_status(Run{});
    *index = Run::mpi_UNDEFINED;
    for (int i = 0; i < count && *index == Run::mpi_UNDEFINED; ++i) {
        progress seen;
        if (const int code = look_at<Run>(requests[i], seen, found); code != 0)
            return code;
        any_active = any_active || seen != progress::inactive;
        if (seen == progress::complete)
            *index = i;
    }
    *flag = *index != Run::mpi_UNDEFINED || !any_active ? 1 : 0;
    if (*flag != 0 && any_active)
        set_status<Run>(status, found);
    else if (*flag != 0 && is_wanted<Run>(status))
        *status = empty_status(Run{});
    return 0;
}

template <class Run>
int Request_get_status_some(int count, const request_of<Run>* requests, int* completed, int* indices,
                            typename Run::status* statuses) {
    if (completed == nullptr || !are_valid_arguments<Run>(count, requests) || (count > 0 && indices == nullptr))
        return raise<Run>(Run::mpi_ERR_ARG);
    bool any_active = false;
    *completed = 0;
    for (int i = 0; i < count; ++i) {
        progress seen;
        typename Run::status status;
        if (const int code = look_at<Run>(requests[i], seen, status); code != 0)
            return code;
        any_active = any_active || seen != progress::inactive;
        if (seen != progress::complete)
            continue;
        if (is_wanted<Run>(statuses))
            statuses[*completed] = status;
        indices[(*completed)++] = i;
    }
    if (!any_active)
        *completed = Run::mpi_UNDEFINED;
    return 0;
}

} // namespace anympi::emulate
