#pragma once

#include "base/array.hpp"
#include "bridge/report_no_memory.hpp"
#include "convert/combiner.hpp"
#include "convert/crossings.hpp"

namespace anympi::bridge {

// Decodes a datatype, with the constants among its integers and the handles among its datatypes. An array that is too
// short for them is an error, even if the runtime returns success after an error handler.

/// Converts the constants among the integers of a subarray or a distributed array. Types with large counts store their
/// sizes elsewhere, so the constants have smaller indices.
template <class P>
void contents_to_app(int combiner, bool large, int count, int* integers) {
    const auto convert = [&](int at, int (*rule)(int)) {
        if (at < count)
            integers[at] = rule(integers[at]);
    };
    if (combiner == P::run::mpi_COMBINER_SUBARRAY && count > 0) {
        const int dimensions = integers[0];
        convert(large ? 1 : 3 * dimensions + 1, value_to_app<P, category_order>);
    } else if (combiner == P::run::mpi_COMBINER_DARRAY && count > 2) {
        const int dimensions = integers[2];
        const int distributions = large ? 3 : 3 + dimensions;
        for (int i = 0; i < dimensions; ++i) {
            convert(distributions + i, value_to_app<P, category_distribution>);
            convert(distributions + dimensions + i, distribution_arg_to_app<P>);
        }
        convert(distributions + 3 * dimensions, value_to_app<P, category_order>);
    }
}

/// Returns the maximum for the library. Open MPI accesses as many items as the maximum says, so it gets no more than
/// there are. It rejects a maximum that is too small.
template <class Count>
Count limit_to(Count maximum, Count there_is) {
    return maximum < there_is ? maximum : there_is;
}

template <class P>
int Type_get_contents(app_handle<P, object::datatype> type, int max_integers, int max_addresses, int max_datatypes,
                      int* integers, std::intptr_t* addresses, app_handle<P, object::datatype>* datatypes) {
    const word type_ = to_run<P, object::datatype>(type);
    int integer_count = 0;
    int address_count = 0;
    int datatype_count = 0;
    int combiner = 0;
    int code = target<P>.Type_get_envelope(type_, &integer_count, &address_count, &datatype_count, &combiner);
    handles_out<P, object::datatype> datatypes_(datatypes, datatype_count);
    if (datatypes_.lacks_memory())
        return report_no_memory<P>();
    if (code == 0)
        code = target<P>.Type_get_contents(
            type_, limit_to(max_integers, integer_count), limit_to(max_addresses, address_count),
            limit_to(max_datatypes, datatype_count), integers, addresses, datatypes_.argument());
    if (code != 0 || !has_room(integers, max_integers, integer_count) ||
        !has_room(datatypes, max_datatypes, datatype_count))
        return error_to_app<P>(code);
    contents_to_app<P>(combiner, false, integer_count, integers);
    datatypes_.finish(datatype_count);
    return 0;
}

template <class P>
int Type_get_contents_c(app_handle<P, object::datatype> type, std::int64_t max_integers, std::int64_t max_addresses,
                        std::int64_t max_counts, std::int64_t max_datatypes, int* integers, std::intptr_t* addresses,
                        std::int64_t* counts, app_handle<P, object::datatype>* datatypes) {
    const word type_ = to_run<P, object::datatype>(type);
    std::int64_t integer_count = 0;
    std::int64_t address_count = 0;
    std::int64_t large_count = 0;
    std::int64_t datatype_count = 0;
    int combiner = 0;
    int code =
        target<P>.Type_get_envelope_c(type_, &integer_count, &address_count, &large_count, &datatype_count, &combiner);
    handles_out<P, object::datatype> datatypes_(datatypes, datatype_count);
    if (datatypes_.lacks_memory())
        return report_no_memory<P>();
    if (code == 0)
        code = target<P>.Type_get_contents_c(type_, limit_to(max_integers, integer_count),
                                             limit_to(max_addresses, address_count), limit_to(max_counts, large_count),
                                             limit_to(max_datatypes, datatype_count), integers, addresses, counts,
                                             datatypes_.argument());
    if (code != 0 || !has_room(integers, max_integers, integer_count) ||
        !has_room(datatypes, max_datatypes, datatype_count))
        return error_to_app<P>(code);
    contents_to_app<P>(combiner, large_count > 0, static_cast<int>(integer_count), integers);
    datatypes_.finish(datatype_count);
    return 0;
}

} // namespace anympi::bridge
