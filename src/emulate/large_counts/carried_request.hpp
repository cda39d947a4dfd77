#pragma once

#include "emulate/engine/holding.hpp"
#include "emulate/large_counts/carried.hpp"

namespace anympi::emulate {

/// The datatypes of an operation with counts that are carried, where the runtime does not hold them: persistent
/// collectives of Open MPI 4.1 and 5.0, files of MPICH 3.4. Ours live as long as the request.
template <class Run>
struct carriers {
    type_of<Run> made[2]; ///< for what is sent and for what is received; null: none

    void release() {
        for (type_of<Run>& type : made)
            if (type != no_type<Run>())
                library<Run>.Type_free(&type);
    }
};

/// `call` makes the runtime's request.
template <class Run, class Call>
int keep_carriers(bool is_persistent, word comm, request_of<Run>* request, Call call, carried<Run>& first,
                  carried<Run>& second) {
    const auto prepare = [&](carriers<Run>& kept) {
        kept = {{first.give_away(), second.give_away()}};
        return 0;
    };
    return begin_holding<Run, carriers<Run>>(is_persistent, 1, comm, request, prepare,
                                             [&](carriers<Run>&, request_of<Run>* child) { return call(child); });
}
template <class Run, class Call>
int keep_carriers(bool is_persistent, word comm, request_of<Run>* request, Call call, carried<Run>& only) {
    carried<Run> none(comm_told(comm), 0, no_type<Run>());
    return keep_carriers<Run>(is_persistent, comm, request, call, only, none);
}

} // namespace anympi::emulate
