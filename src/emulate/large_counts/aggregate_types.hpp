#pragma once

#include "emulate/engine/owning_request.hpp"
#include "emulate/large_counts/aggregate_count.hpp"

namespace anympi::emulate {

/// The aggregate datatypes of an operation, for runtimes that do not keep the datatypes of a request alive: persistent
/// collectives of Open MPI 4.1 and 5.0, files of MPICH 3.4. They are freed with the request.
template <class Run>
struct aggregate_types {
    type_of<Run> made[2]; // the datatypes for sending and for receiving; may be null

    void release() {
        for (type_of<Run>& type : made)
            if (!is_library_null<Run, object::datatype>(type))
                library<Run>.Type_free(&type);
    }
};

/// Begins an operation that keeps its aggregate datatypes. `call` makes the runtime's request.
template <class Run, class Call>
int begin_with_aggregates(bool is_persistent, word comm, request_of<Run>* request, Call call,
                          aggregate_count<Run>& first, aggregate_count<Run>& second) {
    const auto prepare = [&](aggregate_types<Run>& own) {
        own = {{first.give_away(), second.give_away()}};
        return 0;
    };
    return begin_owning_request<Run, aggregate_types<Run>>(
        is_persistent, 1, comm, request, prepare,
        [&](aggregate_types<Run>&, request_of<Run>* child) { return call(child); });
}
template <class Run, class Call>
int begin_with_aggregates(bool is_persistent, word comm, request_of<Run>* request, Call call,
                          aggregate_count<Run>& only) {
    aggregate_count<Run> none(error_target_of(comm), 0, library_null<Run, object::datatype>());
    return begin_with_aggregates<Run>(is_persistent, comm, request, call, only, none);
}

} // namespace anympi::emulate
