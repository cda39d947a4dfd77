#pragma once

#include "emulate/carried.hpp"
#include "emulate/completion.hpp"

namespace anympi::emulate {

/// A persistent collective with counts that are carried. Those of Open MPI 4.1 and 5.0 do not hold their datatypes, so
/// ours live as long as the request.
template <class Run>
struct carried_request : compound<Run> {
    type_of<Run> made[2]; ///< for what is sent and for what is received
};

template <class Run>
inline constexpr typename compound<Run>::behaviour carried_behaviour = {
    start_only_child<Run>, nullptr, [](compound<Run>& operation) {
        for (type_of<Run>& type : static_cast<carried_request<Run>&>(operation).made)
            if (type != no_type<Run>())
                library<Run>.Type_free(&type);
    }};

/// `call` makes the runtime's request, with these datatypes.
template <class Run, class Call>
int keep_carried(word comm, request_of<Run>* request, Call call, carried<Run>& first, carried<Run>& second) {
    if (request == nullptr)
        return call(request);
    auto* const operation = make<Run, carried_request>(1);
    if (operation == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    if (const int code = call(operation->children); code != 0) {
        std::free(operation);
        return code;
    }
    operation->made[0] = first.give_away();
    operation->made[1] = second.give_away();
    operation->does = &carried_behaviour<Run>;
    operation->is_persistent = true;
    publish<Run>(operation, request);
    return 0;
}
template <class Run, class Call>
int keep_carried(word comm, request_of<Run>* request, Call call, carried<Run>& only) {
    carried<Run> none(0, no_type<Run>());
    return keep_carried<Run>(comm, request, call, only, none);
}

} // namespace anympi::emulate
