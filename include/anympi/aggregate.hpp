// Finds the members of an aggregate at compile time: their number, types and addresses.
#ifndef ANYMPI_AGGREGATE_HPP
#define ANYMPI_AGGREGATE_HPP

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "requirements.hpp"

namespace anympi::aggregate {

/// Converts to an initializer of any type except `Whole` itself: a `Whole` would initialize a copy, not a member.
template <class Whole>
struct Anything {
    template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, Whole>) operator T() const noexcept;
};

template <class T, std::size_t>
using AnythingFor = Anything<T>;

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
    return requires {
        T{AnythingFor<T, I>{}...};
    };
}

template <class T, std::size_t... Before, std::size_t... Nested, std::size_t... After>
constexpr bool takes_nested(std::index_sequence<Before...>, std::index_sequence<Nested...>,
                            std::index_sequence<After...>) {
    return requires {
        T{AnythingFor<T, Before>{}..., {AnythingFor<T, Nested>{}...}, AnythingFor<T, After>{}...};
    };
}

inline constexpr std::size_t most_members = 24;
inline constexpr std::size_t most_initializers = 128; // an array among the members takes one initializer for each
                                                      // element

/// Returns the largest number of initializers that T takes. Fewer are always allowed, so the first refusal ends the
/// search.
template <class T, std::size_t N = 0>
constexpr std::size_t initializers() {
    if constexpr (N >= most_initializers || !takes<T>(std::make_index_sequence<N + 1>{}))
        return N;
    else
        return initializers<T, N + 1>();
}

/// Returns how many of the `Total` initializers belong to the member whose first initializer has number `At`. An array
/// takes more than one. If and only if the member is an array, its braces have no room for one more.
template <class T, std::size_t At, std::size_t Total, std::size_t Size = Total - At>
constexpr std::size_t taken() {
    if constexpr (Size <= 1)
        return 1;
    else if constexpr (takes_nested<T>(std::make_index_sequence<At>{}, std::make_index_sequence<Size>{},
                                       std::make_index_sequence<Total - At - Size>{}) &&
                       !takes_nested<T>(std::make_index_sequence<At>{}, std::make_index_sequence<Size>{},
                                        std::make_index_sequence<Total - At - Size + 1>{}))
        return Size;
    else
        return taken<T, At, Total, Size - 1>();
}

template <class T, std::size_t Total, std::size_t At = 0>
constexpr std::size_t members_from() {
    if constexpr (At >= Total)
        return 0;
    else
        return 1 + members_from<T, Total, At + taken<T, At, Total>()>();
}

template <class T>
inline constexpr std::size_t member_count = members_from<T, initializers<T>()>();

/// Returns references to the members of `whole`.
template <class T>
constexpr auto members_of_aggregate(T& whole) {
    constexpr std::size_t count = member_count<std::remove_const_t<T>>;
    static_assert(count <= most_members, "anympi: too many members to be deduced; list them with anympi::members_of");
#define ANYMPI_MEMBERS(number, ...)                                                                                    \
    else if constexpr (count == number) {                                                                              \
        auto& [__VA_ARGS__] = whole;                                                                                   \
        return std::tie(__VA_ARGS__);                                                                                  \
    }
    if constexpr (count == 0) {
        return std::tuple<>{};
    }
    ANYMPI_MEMBERS(1, a)
    ANYMPI_MEMBERS(2, a, b)
    ANYMPI_MEMBERS(3, a, b, c)
    ANYMPI_MEMBERS(4, a, b, c, d)
    ANYMPI_MEMBERS(5, a, b, c, d, e)
    ANYMPI_MEMBERS(6, a, b, c, d, e, f)
    ANYMPI_MEMBERS(7, a, b, c, d, e, f, g)
    ANYMPI_MEMBERS(8, a, b, c, d, e, f, g, h)
    ANYMPI_MEMBERS(9, a, b, c, d, e, f, g, h, i)
    ANYMPI_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
    ANYMPI_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, k)
    ANYMPI_MEMBERS(12, a, b, c, d, e, f, g, h, i, j, k, l)
    ANYMPI_MEMBERS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
    ANYMPI_MEMBERS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
    ANYMPI_MEMBERS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
    ANYMPI_MEMBERS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
    ANYMPI_MEMBERS(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
    ANYMPI_MEMBERS(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
    ANYMPI_MEMBERS(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
    ANYMPI_MEMBERS(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
    ANYMPI_MEMBERS(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
    ANYMPI_MEMBERS(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
    ANYMPI_MEMBERS(23, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w)
    ANYMPI_MEMBERS(24, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x)
#undef ANYMPI_MEMBERS
}

} // namespace anympi::aggregate

#endif
