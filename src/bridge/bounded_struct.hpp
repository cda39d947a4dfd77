#pragma once

#include "bridge/report_no_memory.hpp"
#include "convert/crossings.hpp"

#include <algorithm>
#include <optional>

namespace anympi::bridge {

// Structures of datatypes. In MPI-1 the datatypes MPI_LB and MPI_UB set the bounds of a structure. MPI 3 removed both,
// but programs of the vendors still use them, and the vendors' libraries support both. A library of the standard ABI
// does not, so the structure is made without them and then resized.

template <class P>
bool is_removed_type(app_handle<P, object::datatype> type, word number) {
    return type == static_cast<app_handle<P, object::datatype>>(predefined_to_app<typename P::app>[number]);
}

/// Returns true if a structure contains MPI_LB or MPI_UB and the library does not have them.
template <class P>
bool has_unknown_bounds(const app_handle<P, object::datatype>* types, int count) {
    using run = typename P::run;
    if (types == nullptr || !is_library_null<run, object::datatype>(predefined_to_run<run>[removed_UB]))
        return false;
    return std::any_of(types, types + std::max(count, 0), [](auto type) {
        return is_removed_type<P>(type, removed_LB) || is_removed_type<P>(type, removed_UB);
    });
}

/// The members of a structure without MPI_LB and MPI_UB, and the bounds that these two set.
template <class P>
class bounded_struct {
public:
    explicit bounded_struct(int all) : lengths(items(all)), places(items(all)), types(items(all)) {}
    bool lacks_memory() const { return lengths.lacks_memory() || places.lacks_memory() || types.lacks_memory(); }

    void add(int length, std::intptr_t place, app_handle<P, object::datatype> type) {
        if (is_removed_type<P>(type, removed_LB)) {
            lower = std::min(lower.value_or(place), place);
        } else if (is_removed_type<P>(type, removed_UB)) {
            upper = std::max(upper.value_or(place), place);
        } else {
            const auto at = static_cast<std::size_t>(count++);
            lengths[at] = length;
            places[at] = place;
            types[at] = static_cast<run_type>(component_to_run<P>(type));
        }
    }

    /// Creates the structure. Returns the library's error code.
    int make(run_handle<P, object::datatype>* newtype) {
        run_type whole = runtime_null<P, object::datatype>();
        const int code = target<P>.Type_create_struct(count, lengths.data(), places.data(), types.data(), &whole);
        if (code != 0)
            return code;
        const int resized = resize(whole, newtype);
        target<P>.Type_free(&whole);
        return resized;
    }

private:
    using run_type = run_handle<P, object::datatype>;

    static std::size_t items(int all) { return static_cast<std::size_t>(std::max(all, 0)); }

    int resize(run_type whole, run_type* newtype) {
        std::intptr_t begin = 0;
        std::intptr_t extent = 0;
        if (const int code = target<P>.Type_get_extent(whole, &begin, &extent); code != 0)
            return code;
        const std::intptr_t end = upper.value_or(begin + extent);
        begin = lower.value_or(begin);
        return target<P>.Type_create_resized(whole, begin, end - begin, newtype);
    }

    scratch<int, 64> lengths;
    scratch<std::intptr_t, 64> places;
    scratch<run_type, 64> types;
    int count = 0;
    std::optional<std::intptr_t> lower;
    std::optional<std::intptr_t> upper;
};

template <class P>
[[gnu::cold, gnu::noinline]] int make_bounded_struct(int count, const int* lengths, const std::intptr_t* places,
                                                     const app_handle<P, object::datatype>* types,
                                                     app_handle<P, object::datatype>* newtype) {
    bounded_struct<P> members(count);
    if (members.lacks_memory())
        return report_no_memory<P>();
    for (int i = 0; i < count; ++i)
        members.add(lengths[i], places[i], types[i]);
    handle_out<P, object::datatype> newtype_{newtype};
    const int code = members.make(newtype_.argument());
    if (is_error(code))
        return finish_failed_call<P>(code, newtype_);
    newtype_.finish();
    return 0;
}

template <class P>
int Type_create_struct(int count, const int* lengths, const std::intptr_t* places,
                       const app_handle<P, object::datatype>* types, app_handle<P, object::datatype>* newtype) {
    if constexpr (P::app::handles != handle_style::small_constants)
        if (has_unknown_bounds<P>(types, count)) [[unlikely]]
            return make_bounded_struct<P>(count, lengths, places, types, newtype);
    array_in<run_handle<P, object::datatype>> types_(types, count);
    if (types_.lacks_memory()) [[unlikely]]
        return report_no_memory<P>();
    types_.fill(types, count, [](auto type) { return component_to_run<P>(type); });
    handle_out<P, object::datatype> newtype_{newtype};
    const int code = target<P>.Type_create_struct(count, lengths, places, types_.argument(), newtype_.argument());
    if (is_error(code)) [[unlikely]]
        return finish_failed_call<P>(code, newtype_);
    newtype_.finish();
    return success_code<P>(code);
}

} // namespace anympi::bridge
