#pragma once

#include "base/entry_table.hpp"
#include "emulate/engine/handles_in_use.hpp"
#include "emulate/engine/owning_request.hpp"
#include "emulate/large_counts/aggregate_count.hpp"

namespace anympi::emulate {

/// A reduction whose count does not fit into an int. It becomes a reduction of a single element of an aggregate
/// datatype. Predefined operations accept only predefined datatypes, so it uses an operation of anympi. This operation
/// finds the true operation by the datatype that it is called with. That datatype exists as long as the reduction.
template <class Run>
struct aggregate_reduction {
    int count; // the arguments for the runtime
    word type;
    word op;

    type_of<Run> made_type; // null if the count fits
    handle_of<Run, object::op> made_op;
    std::int64_t true_count;
    type_of<Run> true_type; // kept alive by the aggregate datatype, which refers to it
    handle_of<Run, object::op> true_op;
    std::intptr_t extent; // the extent of the true type
    aggregate_reduction* next;

    word key() const { return made_type; }
    void release();
};

template <class Run>
struct reductions_in_use {
    lock guard;
    entry_table<aggregate_reduction<Run>> all;

    aggregate_reduction<Run>* find(word type) {
        const locked hold(guard);
        return all.find(type);
    }
    void add(aggregate_reduction<Run>& reduction) {
        const locked hold(guard);
        all.add(&reduction);
    }
    void remove(const aggregate_reduction<Run>& reduction) {
        const locked hold(guard);
        all.take_out(reduction);
    }
};
template <class Run>
inline reductions_in_use<Run> reductions{};

template <class Run>
int reduce_parts(const char* in, char* inout, std::int64_t count, word type, std::intptr_t extent, word op) {
    int code = 0;
    for (std::int64_t done = 0; done < count && code == 0; done += part_count) {
        const std::int64_t part = count - done < part_count ? count - done : part_count;
        code = library<Run>.Reduce_local(in + done * extent, inout + done * extent, static_cast<int>(part), type, op);
    }
    return code;
}

/// The operation of anympi. It reduces aggregates with the true operation.
template <class Run>
void reduce_aggregates(void* in, void* inout, int* length, type_of<Run>* type) {
    const aggregate_reduction<Run>* const reduction = reductions<Run>.find(*type);
    if (reduction == nullptr) {
        library<Run>.Abort(predefined<Run>(standard::mpi_COMM_WORLD), Run::mpi_ERR_INTERN);
        return;
    }
    reduce_parts<Run>(static_cast<const char*>(in), static_cast<char*>(inout), *length * reduction->true_count,
                      reduction->true_type, reduction->extent, reduction->true_op);
}

template <class Run>
int make_aggregate_type_and_op(word comm, aggregate_reduction<Run>& reduction) {
    int commutes = 0;
    std::intptr_t lower = 0;
    int code = check_type<Run>(error_target_of(comm), reduction.true_type);
    if (code == 0)
        code = library<Run>.Type_get_extent(reduction.true_type, &lower, &reduction.extent);
    if (code == 0) // finds an operation that does not support the datatype now, not later in each process
        code = library<Run>.Reduce_local(&lower, &lower + 1, 0, reduction.true_type, reduction.true_op);
    if (code == 0)
        code = library<Run>.Op_commutative(reduction.true_op, &commutes);
    if (code == 0)
        code = library<Run>.Op_create(reinterpret_cast<void*>(reduce_aggregates<Run>), commutes, &reduction.made_op);
    if (code != 0)
        return code;
    code = make_aggregate_type<Run>(reduction.true_count, reduction.true_type, &reduction.made_type);
    if (code != 0)
        library<Run>.Op_free(&reduction.made_op);
    return code;
}

/// Prepares the arguments of a reduction. Invalid arguments are unchanged, so that the runtime reports them.
template <class Run>
int make_aggregate(word comm, aggregate_reduction<Run>& reduction, std::int64_t count, word type, word op) {
    const bool is_large = !fits(count) && count > 0;
    const auto true_type = static_cast<type_of<Run>>(type);
    const auto true_op = static_cast<handle_of<Run, object::op>>(op);
    const auto no_type = library_null<Run, object::datatype>();
    reduction = {is_large ? 1 : narrow(count), type, op, no_type, {}, count, true_type, true_op, 0, nullptr};
    if (!is_large || is_library_null<Run, object::datatype>(true_type) || is_library_null<Run, object::op>(true_op))
        return 0;
    if (!handles_in_use<Run>.add_use(true_op))
        return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
    if (const int code = make_aggregate_type_and_op<Run>(comm, reduction); code != 0) {
        handles_in_use<Run>.end_use(true_op);
        return code;
    }
    reduction.type = reduction.made_type;
    reduction.op = reduction.made_op;
    reductions<Run>.add(reduction);
    return 0;
}

template <class Run>
void aggregate_reduction<Run>::release() {
    if (is_library_null<Run, object::datatype>(made_type))
        return;
    reductions<Run>.remove(*this);
    library<Run>.Type_free(&made_type);
    library<Run>.Op_free(&made_op);
    handles_in_use<Run>.end_use(true_op);
}

/// An aggregate_reduction for a blocking call.
template <class Run>
class blocking_aggregate_reduction : public aggregate_reduction<Run> {
public:
    blocking_aggregate_reduction(word comm, std::int64_t count, word type, word op)
        : failure(make_aggregate<Run>(comm, *this, count, type, op)) {}
    ~blocking_aggregate_reduction() { this->release(); }
    blocking_aggregate_reduction(const blocking_aggregate_reduction&) = delete;
    blocking_aggregate_reduction& operator=(const blocking_aggregate_reduction&) = delete;

    int code() const { return failure; }

private:
    int failure;
};

// ---- reductions with a request ----

/// Begins a reduction with a request. `call` begins the reduction, or creates it if it is persistent.
template <class Run, class Call>
int begin_reduction(bool is_persistent, std::int64_t count, word type, word op, word comm, request_of<Run>* request,
                    Call call) {
    const auto prepare = [=](aggregate_reduction<Run>& one) { return make_aggregate<Run>(comm, one, count, type, op); };
    return begin_owning_request<Run, aggregate_reduction<Run>>(is_persistent, 1, comm, request, prepare, call);
}

/// Reduces a large count locally, in parts, without communication.
template <class Run>
[[gnu::cold, gnu::noinline]] int reduce_large_local(const void* in, void* inout, std::int64_t count, word type,
                                                    word op) {
    std::intptr_t lower = 0;
    std::intptr_t extent = 0;
    if (count < 0 || is_library_null<Run, object::datatype>(type))
        return library<Run>.Reduce_local(in, inout, narrow(count), type, op);
    if (const int code = library<Run>.Type_get_extent(type, &lower, &extent); code != 0)
        return code;
    return reduce_parts<Run>(static_cast<const char*>(in), static_cast<char*>(inout), count, type, extent, op);
}
template <class Run>
int Reduce_local_c(const void* inbuf, void* inoutbuf, std::int64_t count, word datatype, word op) {
    if (fits(count)) [[likely]]
        return library<Run>.Reduce_local(inbuf, inoutbuf, static_cast<int>(count), datatype, op);
    return reduce_large_local<Run>(inbuf, inoutbuf, count, datatype, op);
}

} // namespace anympi::emulate
