#pragma once

#include "emulate/engine/compound_progress.hpp"

namespace anympi::emulate {

/// A request that owns a resource. The resource is released when the request has completed; for a persistent request,
/// when it is freed. The resource has
///     void release()     frees it
///     void begin()       optional: runs before each start of the operation
///     int finish()       optional: runs after the operation has completed; returns an error code of the runtime
template <class Resource>
struct owning_request {
    template <class Run>
    struct request : compound<Run> {
        Resource resource;
    };

    template <class Run>
    static Resource& of(compound<Run>& operation) {
        return static_cast<request<Run>&>(operation).resource;
    }
    static void begin(Resource& resource) {
        if constexpr (requires { resource.begin(); })
            resource.begin();
    }

    template <class Run>
    static int start(compound<Run>& operation) {
        begin(of<Run>(operation));
        return library<Run>.Startall(operation.count, operation.children);
    }
    template <class Run>
    static int finish(compound<Run>& operation, typename Run::status&) {
        if constexpr (requires { of<Run>(operation).finish(); })
            return of<Run>(operation).finish();
        else
            return 0;
    }
    template <class Run>
    static void destroy(compound<Run>& operation) {
        of<Run>(operation).release();
    }

    template <class Run>
    static constexpr typename compound<Run>::behaviour behaviour = {start<Run>, finish<Run>, destroy<Run>};
};

/// Begins an operation whose request owns a resource. `prepare(resource)` fills in the resource. `call(resource,
/// children)` begins the children, or creates them if they are persistent. Both return error codes that have been
/// reported.
template <class Run, class Resource, class Prepare, class Call>
int begin_owning_request(bool is_persistent, int children, word comm, request_of<Run>* request, Prepare prepare,
                         Call call) {
    if (request == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_ARG);
    auto* const operation = make<Run, owning_request<Resource>::template request>(children);
    if (operation == nullptr)
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    operation->does = &owning_request<Resource>::template behaviour<Run>;
    operation->is_persistent = is_persistent;
    operation->status_from = 0;
    int code = prepare(operation->resource);
    if (code == 0 && !is_persistent)
        owning_request<Resource>::begin(operation->resource);
    if (code == 0)
        code = call(operation->resource, operation->children);
    if (code == 0) {
        publish<Run>(operation, request);
    } else if (!is_library_null<Run, object::request>(operation->children[0])) {
        end_later<Run>(operation);
    } else {
        operation->resource.release();
        std::free(operation);
    }
    return code;
}

} // namespace anympi::emulate
