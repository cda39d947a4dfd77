#pragma once

#include "emulate/error.hpp"
#include "emulate/narrow.hpp"

namespace anympi::emulate {

/// A datatype of ours, until the end of a scope. A runtime keeps those that a pending operation needs.
template <class Run>
class own_type {
public:
    own_type() = default;
    ~own_type() {
        if (handle != no_type<Run>())
            library<Run>.Type_free(&handle);
    }
    own_type(const own_type&) = delete;
    own_type& operator=(const own_type&) = delete;

    type_of<Run>* slot() { return &handle; }
    type_of<Run> get() const { return handle; }
    type_of<Run> give_away() {
        const type_of<Run> given = handle;
        handle = no_type<Run>();
        return given;
    }

private:
    type_of<Run> handle = no_type<Run>();
};

/// `count` elements of a datatype, one after another. The extent is that of an element. Returns the runtime's code.
template <class Run>
int make_contiguous(std::int64_t count, word type, std::intptr_t extent, type_of<Run>* made) {
    if (fits(count))
        return library<Run>.Type_contiguous(static_cast<int>(count), type, made);
    const std::int64_t whole_parts = count / part_count;
    const std::int64_t rest = count % part_count;
    own_type<Run> part;
    own_type<Run> whole;
    own_type<Run> remainder;
    int code = library<Run>.Type_contiguous(static_cast<int>(part_count), type, part.slot());
    if (code == 0)
        code = make_contiguous<Run>(whole_parts, part.get(), extent * part_count, whole.slot());
    if (code == 0 && rest != 0)
        code = library<Run>.Type_contiguous(static_cast<int>(rest), type, remainder.slot());
    if (code != 0)
        return code;
    const int lengths[] = {1, 1};
    const std::intptr_t places[] = {0, whole_parts * part_count * extent};
    const type_of<Run> types[] = {whole.get(), remainder.get()};
    return library<Run>.Type_create_struct(rest != 0 ? 2 : 1, lengths, places, types, made);
}

/// One element that is `count` of another datatype, committed. Elements of it follow each other as those would.
template <class Run>
int make_carrier(std::int64_t count, word type, type_of<Run>* made) {
    std::intptr_t lower = 0;
    std::intptr_t extent = 0;
    own_type<Run> contiguous;
    own_type<Run> resized; // where structures are padded, or lower bounds are not zero
    int code = library<Run>.Type_get_extent(type, &lower, &extent);
    if (code == 0)
        code = make_contiguous<Run>(count, type, extent, contiguous.slot());
    if (code == 0)
        code = library<Run>.Type_create_resized(contiguous.get(), lower, count * extent, resized.slot());
    if (code == 0)
        code = library<Run>.Type_commit(resized.slot());
    if (code == 0)
        *made = resized.give_away();
    return code;
}

/// A count with its datatype as a runtime without large forms takes them: what does not fit travels as one element.
/// What is not significant may be anything and stays as it is; what is wrong stays wrong, for the runtime to report.
template <class Run>
class carried {
public:
    carried(std::int64_t count, word type, bool is_significant = true) : length(narrow(count)), passed(type) {
        if (!is_significant) {
            length = length < 0 ? 0 : length;
        } else if (!fits(count) && count > 0) {
            length = 1;
            if (static_cast<type_of<Run>>(type) == no_type<Run>())
                return;
            failure = make_carrier<Run>(count, type, made.slot());
            passed = made.get();
        }
    }
    int code() const { return failure; }
    int count() const { return length; }
    word type() const { return passed; }
    /// The datatype of ours, which the caller frees from now on; null: there is none.
    type_of<Run> give_away() { return made.give_away(); }

private:
    int length;
    word passed;
    int failure = 0;
    own_type<Run> made;
};

} // namespace anympi::emulate
