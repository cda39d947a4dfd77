#pragma once

#include "emulate/large_counts/pieces.hpp"

namespace anympi::emulate {

/// Makes a committed aggregate datatype. One element of it is `count` elements of another datatype. Several aggregates
/// follow each other like the elements would.
template <class Run>
int make_aggregate_type(std::int64_t count, word type, type_of<Run>* made) {
    bounds of_one{};
    temporary_type<Run> all;
    temporary_type<Run> resized; // even if the bounds are already right: files of MPICH 3.4 need this
    int code = read_bounds<Run>(type, &of_one);
    if (code == 0)
        code = make_repeated<Run>(count, type, all.out());
    if (code == 0)
        code = library<Run>.Type_create_resized(all, of_one.lower, count * of_one.extent(), resized.out());
    if (code == 0)
        code = library<Run>.Type_commit(resized.out());
    if (code == 0)
        *made = resized.take();
    return code;
}

/// Checks whether a datatype can be used, by a call that transfers nothing. If not, the error handler of `by` is
/// called. The constructors of datatypes would call another handler, or not notice the error.
template <class Run>
int check_type(error_target by, word type) {
    std::intptr_t extent = 0;
    if (by.of == object::comm)
        return library<Run>.Send(nullptr, 0, type, Run::mpi_PROC_NULL, 0, by.handle);
    if (by.of == object::win)
        return library<Run>.Put(nullptr, 0, type, Run::mpi_PROC_NULL, 0, 0, type, by.handle);
    return library<Run>.File_get_type_extent(by.handle, type, &extent);
}

/// A count with its datatype, for a runtime without large forms. A count that does not fit into an int becomes one
/// element of an aggregate datatype. Ignored arguments are not checked. Invalid ones are passed on, so that the runtime
/// reports them.
template <class Run>
class aggregate_count {
public:
    aggregate_count(error_target by, std::int64_t count, word type, bool is_significant = true)
        : length(narrow(count)), passed(type) {
        if (!is_significant) {
            length = length < 0 ? 0 : length;
        } else if (!fits(count) && count > 0) {
            length = 1;
            if (is_library_null<Run, object::datatype>(type))
                return;
            failure = check_type<Run>(by, type);
            if (failure == 0)
                failure = make_aggregate_type<Run>(count, type, made.out());
            passed = made;
        }
    }
    int code() const { return failure; }
    int count() const { return length; }
    word type() const { return passed; }
    /// Returns the aggregate datatype, which the caller must free, or the null datatype if the count fits.
    type_of<Run> give_away() { return made.take(); }

private:
    int length;
    word passed;
    int failure = 0;
    temporary_type<Run> made;
};

} // namespace anympi::emulate
