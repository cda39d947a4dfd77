#pragma once

#include "base/stubs.hpp"
#include "bridge/report_no_memory.hpp"
#include "convert/crossings.hpp"

namespace anympi::bridge {

/// The function that the runtime calls instead of the program's reduction. A stub adds the program's function. Count is
/// the type of the length: int, or MPI_Count in the large form.
template <class P, class Count>
void call_user_reduction(void* in, void* inout, Count* length, run_handle<P, object::datatype>* type, void*,
                         void* user_function) {
    borrowed<P, object::datatype> type_(*type);
    using reduction = void(void*, void*, Count*, app_handle<P, object::datatype>*);
    reinterpret_cast<reduction*>(user_function)(in, inout, length, &type_.handle);
}

template <class P, class Count, class Create>
int create_op(Create create, void* user_function, int commute, app_handle<P, object::op>* op) {
    void* const stub = stub_unless_null(user_function, reinterpret_cast<void*>(call_user_reduction<P, Count>));
    if (lacks_counterpart(user_function, stub))
        return report_no_memory<P>();
    handle_out<P, object::op> op_{op};
    if (const int code = create(stub, commute, op_.argument()); code != 0)
        return finish_failed_call<P>(code, op_);
    op_.finish();
    return 0;
}

template <class P>
int Op_create(void* function, int commute, app_handle<P, object::op>* op) {
    return create_op<P, int>(target<P>.Op_create, function, commute, op);
}
template <class P>
int Op_create_c(void* function, int commute, app_handle<P, object::op>* op) {
    return create_op<P, std::int64_t>(target<P>.Op_create_c, function, commute, op);
}

} // namespace anympi::bridge
