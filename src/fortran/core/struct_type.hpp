#pragma once

#include "fortran/core/rules.hpp"

#include <algorithm>
#include <optional>

/// Structures of datatypes. Programs of the vendors may use MPI_LB and MPI_UB in them, by which MPI-1 moved the bounds
/// of a datatype. MPI 3 removed both, and not every library has them. So the structure is made without them, and then
/// resized.

namespace anympi::fortran::entry {

namespace detail {

using wide_addresses = scratch<std::intptr_t, 64>;

/// Returns false in programs of the standard ABI, which has neither: any number may be a datatype there.
inline bool is_mark(int type) {
    return app::fortran_LB != app::absent && (type == app::fortran_LB || type == app::fortran_UB);
}

template <class Calls>
int make_plain_struct(int count, const int* lengths, const std::intptr_t* places, const int* types, int* newtype) {
    rule::handles_in<object::datatype> types_c(types, count);
    if (types_c.lacks_memory()) [[unlikely]]
        return rule::exhausted();
    types_c.fill();
    rule::handle_out<object::datatype> newtype_c(newtype);
    const int code = Calls::Type_create_struct(count, lengths, places, types_c.place(), newtype_c.place(newtype));
    newtype_c.finish(newtype);
    return code;
}

/// The members of a structure without MPI_LB and MPI_UB, and the bounds that these set.
struct without_marks {
    scratch<int, 64> lengths;
    scratch<int, 64> types;
    wide_addresses places;
    int count = 0;
    std::optional<std::intptr_t> lower;
    std::optional<std::intptr_t> upper;

    without_marks(int all, const int* lengths_of_all, const std::intptr_t* places_of_all, const int* types_of_all)
        : lengths(rule::items(all)), types(rule::items(all)), places(rule::items(all)) {
        for (int i = 0; i < all && !lacks_memory(); ++i) {
            const std::intptr_t place = places_of_all[i];
            if (types_of_all[i] == app::fortran_LB)
                lower = std::min(lower.value_or(place), place);
            else if (types_of_all[i] == app::fortran_UB)
                upper = std::max(upper.value_or(place), place);
            else
                keep(lengths_of_all[i], place, types_of_all[i]);
        }
    }
    bool lacks_memory() const { return lengths.lacks_memory() || types.lacks_memory() || places.lacks_memory(); }

private:
    void keep(int length, std::intptr_t place, int type) {
        const auto at = static_cast<std::size_t>(count++);
        lengths[at] = length;
        places[at] = place;
        types[at] = type;
    }
};

template <class Calls>
int make_marked_struct(without_marks& parts, int* newtype) {
    int whole = 0;
    int code =
        make_plain_struct<Calls>(parts.count, parts.lengths.data(), parts.places.data(), parts.types.data(), &whole);
    if (code != 0)
        return code;
    auto whole_c = rule::handle<object::datatype>(whole);
    std::intptr_t lower = 0;
    std::intptr_t extent = 0;
    code = Calls::Type_get_extent(whole_c, &lower, &extent);
    const std::intptr_t upper = parts.upper.value_or(lower + extent);
    lower = parts.lower.value_or(lower);
    rule::handle_out<object::datatype> newtype_c(newtype);
    if (code == 0)
        code = Calls::Type_create_resized(whole_c, lower, upper - lower, newtype_c.place(newtype));
    newtype_c.finish(newtype);
    Calls::Type_free(&whole_c);
    return code;
}

template <class Calls>
int make_struct(int count, const int* lengths, const std::intptr_t* places, const int* types, int* newtype) {
    if (std::any_of(types, types + rule::items(count), is_mark)) {
        without_marks parts(count, lengths, places, types);
        return !parts.lacks_memory() ? make_marked_struct<Calls>(parts, newtype) : rule::exhausted();
    }
    return make_plain_struct<Calls>(count, lengths, places, types, newtype);
}

} // namespace detail

template <class Calls>
inline void Type_create_struct(const int* count, const int* lengths, const std::intptr_t* places, const int* types,
                               int* newtype, int* ierror) {
    rule::report(ierror, detail::make_struct<Calls>(*count, lengths, places, types, newtype));
}

} // namespace anympi::fortran::entry
