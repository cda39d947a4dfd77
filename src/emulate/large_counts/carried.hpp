#pragma once

#include "emulate/large_counts/pieces.hpp"

namespace anympi::emulate {

/// One element that is `count` of another datatype, committed. Elements of it follow each other as those would.
template <class Run>
int make_carrier(std::int64_t count, word type, type_of<Run>* made) {
    bounds of_one{};
    temporary_type<Run> all;
    temporary_type<Run> resized; // even where the bounds are right already: files of MPICH 3.4 need it
    int code = bounds_of<Run>(type, &of_one);
    if (code == 0)
        code = repeated<Run>(count, type, all.out());
    if (code == 0)
        code = library<Run>.Type_create_resized(all, of_one.lower, count * of_one.extent(), resized.out());
    if (code == 0)
        code = library<Run>.Type_commit(resized.out());
    if (code == 0)
        *made = resized.take();
    return code;
}

/// The object whose error handler is told of errors in an operation.
struct told {
    object of; ///< a communicator, a window or a file
    word handle;
};
inline told comm_told(word comm) {
    return {object::comm, comm};
}

/// Finds out whether a datatype can be used, since the error handler of the object is to be told if not, while
/// constructors of datatypes would tell another, or not find out. The calls do nothing.
template <class Run>
int check_type(told by, word type) {
    std::intptr_t extent = 0;
    if (by.of == object::comm)
        return library<Run>.Send(nullptr, 0, type, Run::mpi_PROC_NULL, 0, by.handle);
    if (by.of == object::win)
        return library<Run>.Put(nullptr, 0, type, Run::mpi_PROC_NULL, 0, 0, type, by.handle);
    return library<Run>.File_get_type_extent(by.handle, type, &extent);
}

/// A count with its datatype as a runtime without large forms takes them: what does not fit travels as one element.
/// What is not significant may be anything and stays as it is; what is wrong stays wrong, for the runtime to report.
template <class Run>
class carried {
public:
    carried(told by, std::int64_t count, word type, bool is_significant = true) : length(narrow(count)), passed(type) {
        if (!is_significant) {
            length = length < 0 ? 0 : length;
        } else if (!fits(count) && count > 0) {
            length = 1;
            if (static_cast<type_of<Run>>(type) == no_type<Run>())
                return;
            failure = check_type<Run>(by, type);
            if (failure == 0)
                failure = make_carrier<Run>(count, type, made.out());
            passed = made;
        }
    }
    int code() const { return failure; }
    int count() const { return length; }
    word type() const { return passed; }
    /// The datatype of ours, which the caller frees from now on; null: there is none.
    type_of<Run> give_away() { return made.take(); }

private:
    int length;
    word passed;
    int failure = 0;
    temporary_type<Run> made;
};

} // namespace anympi::emulate
