// Finds the members of an aggregate at compile time: their number, types and addresses.
#ifndef ANYMPI_AGGREGATE_HPP
#define ANYMPI_AGGREGATE_HPP

#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

#include "described.hpp"

namespace anympi::aggregate {

inline constexpr std::size_t most_members = 24;
inline constexpr std::size_t most_initializers = 128; // an array among the members takes one initializer for each
                                                      // element

/// Why the members of a type can be found or not.
enum class Finding {
    found,
    unknown,
    too_many,
    in_base,         // a base class has members
    in_union,        // a member is a union
    without_address, // a member is a bit-field, or packed
    reference,       // a member is a reference
};

// The first members, each as the argument of a macro.
#define ANYMPI_FIRST_1(X) X(a)
#define ANYMPI_FIRST_2(X) ANYMPI_FIRST_1(X), X(b)
#define ANYMPI_FIRST_3(X) ANYMPI_FIRST_2(X), X(c)
#define ANYMPI_FIRST_4(X) ANYMPI_FIRST_3(X), X(d)
#define ANYMPI_FIRST_5(X) ANYMPI_FIRST_4(X), X(e)
#define ANYMPI_FIRST_6(X) ANYMPI_FIRST_5(X), X(f)
#define ANYMPI_FIRST_7(X) ANYMPI_FIRST_6(X), X(g)
#define ANYMPI_FIRST_8(X) ANYMPI_FIRST_7(X), X(h)
#define ANYMPI_FIRST_9(X) ANYMPI_FIRST_8(X), X(i)
#define ANYMPI_FIRST_10(X) ANYMPI_FIRST_9(X), X(j)
#define ANYMPI_FIRST_11(X) ANYMPI_FIRST_10(X), X(k)
#define ANYMPI_FIRST_12(X) ANYMPI_FIRST_11(X), X(l)
#define ANYMPI_FIRST_13(X) ANYMPI_FIRST_12(X), X(m)
#define ANYMPI_FIRST_14(X) ANYMPI_FIRST_13(X), X(n)
#define ANYMPI_FIRST_15(X) ANYMPI_FIRST_14(X), X(o)
#define ANYMPI_FIRST_16(X) ANYMPI_FIRST_15(X), X(p)
#define ANYMPI_FIRST_17(X) ANYMPI_FIRST_16(X), X(q)
#define ANYMPI_FIRST_18(X) ANYMPI_FIRST_17(X), X(r)
#define ANYMPI_FIRST_19(X) ANYMPI_FIRST_18(X), X(s)
#define ANYMPI_FIRST_20(X) ANYMPI_FIRST_19(X), X(t)
#define ANYMPI_FIRST_21(X) ANYMPI_FIRST_20(X), X(u)
#define ANYMPI_FIRST_22(X) ANYMPI_FIRST_21(X), X(v)
#define ANYMPI_FIRST_23(X) ANYMPI_FIRST_22(X), X(w)
#define ANYMPI_FIRST_24(X) ANYMPI_FIRST_23(X), X(x)

/// Converts to an initializer of any type except `Whole` itself: a `Whole` would initialize a copy, not a member.
template <class Whole>
struct Anything {
    template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, Whole>) operator T() const noexcept;
};
/// Converts to the base classes of `Whole`, or only to those without data.
template <class Whole, bool only_empty>
struct AnyBase {
    template <class B>
    requires(std::is_base_of_v<B, Whole> && !std::is_same_v<B, Whole> && (!only_empty || std::is_empty_v<B>))
    operator B() const noexcept;
};
/// Converts to unions, except those that the program describes.
struct AnyUnion {
    template <class T>
    requires(std::is_union_v<T> && !is_described<T>) operator T() const noexcept;
};
struct AnyDescribed {
    template <class T>
    requires is_described<T>
    operator T() const noexcept;
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

/// Returns true if T takes N empty braces and then the other initializers. Each brace initializes one member or base.
template <class T, std::size_t N, class... Other>
constexpr bool takes_braces() {
#define ANYMPI_BRACES(name)                                                                                            \
    {}
#define ANYMPI_TAKES(number)                                                                                           \
    else if constexpr (N == number) {                                                                                  \
        return requires {                                                                                              \
            T{ANYMPI_FIRST_##number(ANYMPI_BRACES), Other{}...};                                                       \
        };                                                                                                             \
    }
    if constexpr (N == 0) {
        return requires {
            T{Other{}...};
        };
    }
    ANYMPI_TAKES(1)
    ANYMPI_TAKES(2)
    ANYMPI_TAKES(3)
    ANYMPI_TAKES(4)
    ANYMPI_TAKES(5)
    ANYMPI_TAKES(6)
    ANYMPI_TAKES(7)
    ANYMPI_TAKES(8)
    ANYMPI_TAKES(9)
    ANYMPI_TAKES(10)
    ANYMPI_TAKES(11)
    ANYMPI_TAKES(12)
    ANYMPI_TAKES(13)
    ANYMPI_TAKES(14)
    ANYMPI_TAKES(15)
    ANYMPI_TAKES(16)
    ANYMPI_TAKES(17)
    ANYMPI_TAKES(18)
    ANYMPI_TAKES(19)
    ANYMPI_TAKES(20)
    ANYMPI_TAKES(21)
    ANYMPI_TAKES(22)
    ANYMPI_TAKES(23)
    ANYMPI_TAKES(24)
    else {
        return requires {
            T{ANYMPI_FIRST_24(ANYMPI_BRACES), {}, Other{}...};
        };
    }
#undef ANYMPI_TAKES
#undef ANYMPI_BRACES
}

/// Returns how many members T has, if all of them can be initialized by empty braces. Fewer are always allowed, so the
/// first refusal ends the search.
template <class T, std::size_t N = 0>
constexpr std::size_t count_braces() {
    if constexpr (N > most_members || !takes_braces<T, N + 1>())
        return N;
    else
        return count_braces<T, N + 1>();
}

/// Returns the largest number of initializers that T takes.
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

/// True if empty braces initialize all members. This is not so for members without a default constructor.
template <class T>
inline constexpr bool takes_only_braces = count_braces<T>() > most_members ||
                                          (count_braces<T>() > 0 && !takes_braces<T, count_braces<T>(), Anything<T>>());

template <class T>
constexpr std::size_t count_parts() {
    if constexpr (takes_only_braces<T>)
        return count_braces<T>();
    else
        return members_from<T, initializers<T>()>();
}
/// The number of bases and members.
template <class T>
inline constexpr std::size_t part_count = count_parts<T>();

/// Converts to nothing, so only a class that converts from anything takes it.
struct Unrelated {};
template <class T, std::size_t, bool only_empty>
using AnyBaseFor = AnyBase<T, only_empty>;
template <class T, bool only_empty, class... Last, std::size_t... I>
constexpr bool takes_bases(std::index_sequence<I...>) {
    return requires {
        T{AnyBaseFor<T, I, only_empty>{}..., Last{}...};
    };
}
/// Returns the number of base classes: an aggregate initializes them before its members. A member that converts from
/// anything is not counted.
template <class T, bool only_empty, std::size_t N = 0>
constexpr std::size_t count_bases() {
    if constexpr (N >= part_count<T> || !takes_bases<T, only_empty>(std::make_index_sequence<N + 1>{}) ||
                  takes_bases<T, only_empty, Unrelated>(std::make_index_sequence<N>{}))
        return N;
    else
        return count_bases<T, only_empty, N + 1>();
}

/// True if T consists of one base class, which has one member, such as `struct Vector : std::array<double, 3> {}`.
template <class T>
inline constexpr bool is_only_a_base = part_count<T> == 1 && count_bases<T, false>() == 1 && requires {
    T{{{}}};
}
&&!requires {
    T{{{}, {}}};
};

template <class T>
inline constexpr std::size_t member_count = is_only_a_base<T> ? 1 : part_count<T> - count_bases<T, false>();

template <class T, class Probe, std::size_t... Before>
constexpr bool takes_after(std::index_sequence<Before...>) {
    if constexpr (takes_only_braces<T>)
        return takes_braces<T, sizeof...(Before), Probe>();
    else
        return requires {
            T{AnythingFor<T, Before>{}..., Probe{}};
        };
}
template <class T, std::size_t... Place>
constexpr bool has_union(std::index_sequence<Place...>) {
    return ((takes_after<T, AnyUnion>(std::make_index_sequence<Place>{}) &&
             !takes_after<T, AnyDescribed>(std::make_index_sequence<Place>{})) ||
            ...);
}

template <class T>
constexpr Finding found_before_binding() {
    if constexpr (requires { std::tuple_size<T>::value; } || part_count<T> == 0)
        return Finding::unknown; // a class that says what its elements are gives no access to its members
    else if constexpr (part_count<T> > most_members)
        return Finding::too_many;
    else if constexpr (count_bases<T, false>() != count_bases<T, true>() && !is_only_a_base<T>)
        return Finding::in_base;
    else if constexpr (count_bases<T, false>() > 1 && !std::is_standard_layout_v<T>)
        return Finding::in_base; // the first member may have the type of a base, and look like one
    else if constexpr (member_count<T> == 0)
        return Finding::unknown;
    else if constexpr (has_union<T>(std::make_index_sequence<part_count<T>>{}))
        return Finding::in_union;
    else
        return Finding::found;
}

/// In place of the members.
template <Finding>
struct NoMembers {};

constexpr bool any_of(std::initializer_list<bool> all) {
    for (const bool one : all)
        if (one)
            return true;
    return false;
}
template <class... Member>
inline constexpr bool has_references = (std::is_reference_v<Member> || ...);
/// True if the struct does not align a member: it is packed.
template <class T, class... Member>
inline constexpr bool has_unaligned = ((alignof(std::remove_all_extents_t<Member>) > alignof(T)) || ...);

template <class Member>
inline constexpr std::size_t room_of = sizeof(Member);
template <class Member>
requires(std::is_empty_v<Member> || std::is_unbounded_array_v<Member>) inline constexpr std::size_t room_of<Member> = 0;

/// Returns true if members of these types would need more room than T has: bit-fields share theirs. Other bit-fields
/// are found later, with an error of the compiler that prints the name of the next type.
template <class T, class... Member>
constexpr bool is_denser() {
    std::size_t size = 0;
    const auto add = [&size](std::size_t bytes, std::size_t alignment) {
        size = (size + alignment - 1) / alignment * alignment + bytes;
    };
    (add(room_of<Member>, alignof(std::remove_all_extents_t<Member>)), ...);
    return size > sizeof(T);
}

struct BitFieldsTravelOnlyInTypesMarkedWithAsBytes;

/// Returns references to the members of `whole`, or NoMembers.
template <class T>
constexpr auto members_of_aggregate(T& whole) {
    using Plain = std::remove_const_t<T>;
    constexpr Finding before = found_before_binding<Plain>();
#define ANYMPI_NAME(name) name
#define ANYMPI_TYPE(name) decltype(name)
#if defined(__clang__) && __clang_major__ < 16 // it allows no binding in a requires expression
#define ANYMPI_LACKS_ADDRESS(name) (static_cast<void>(decltype(ANYMPI_ADDRESS(name)){}), false)
#define ANYMPI_IS_DENSER(...) is_denser<Plain, __VA_ARGS__>()
#else
#define ANYMPI_LACKS_ADDRESS(name)                                                                                     \
    !requires {                                                                                                        \
        ANYMPI_ADDRESS(name);                                                                                          \
    }
#define ANYMPI_IS_DENSER(...) false
#endif
// A reference to a const bit-field would be one to a copy. This address does not exist.
#define ANYMPI_ADDRESS(name) &reinterpret_cast<const volatile BitFieldsTravelOnlyInTypesMarkedWithAsBytes&>(name)
#define ANYMPI_MEMBERS(number)                                                                                         \
    else if constexpr (member_count<Plain> == number) {                                                                \
        auto& [ANYMPI_FIRST_##number(ANYMPI_NAME)] = whole;                                                            \
        if constexpr (has_references<ANYMPI_FIRST_##number(ANYMPI_TYPE)>)                                              \
            return NoMembers<Finding::reference>{};                                                                    \
        else if constexpr (has_unaligned<Plain, ANYMPI_FIRST_##number(ANYMPI_TYPE)> ||                                 \
                           ANYMPI_IS_DENSER(ANYMPI_FIRST_##number(ANYMPI_TYPE)))                                       \
            return NoMembers<Finding::without_address>{};                                                              \
        else if constexpr (any_of({ANYMPI_FIRST_##number(ANYMPI_LACKS_ADDRESS)}))                                      \
            return NoMembers<Finding::without_address>{};                                                              \
        else                                                                                                           \
            return std::tie(ANYMPI_FIRST_##number(ANYMPI_NAME));                                                       \
    }
    if constexpr (before != Finding::found) {
        return NoMembers<before>{};
    }
    ANYMPI_MEMBERS(1)
    ANYMPI_MEMBERS(2)
    ANYMPI_MEMBERS(3)
    ANYMPI_MEMBERS(4)
    ANYMPI_MEMBERS(5)
    ANYMPI_MEMBERS(6)
    ANYMPI_MEMBERS(7)
    ANYMPI_MEMBERS(8)
    ANYMPI_MEMBERS(9)
    ANYMPI_MEMBERS(10)
    ANYMPI_MEMBERS(11)
    ANYMPI_MEMBERS(12)
    ANYMPI_MEMBERS(13)
    ANYMPI_MEMBERS(14)
    ANYMPI_MEMBERS(15)
    ANYMPI_MEMBERS(16)
    ANYMPI_MEMBERS(17)
    ANYMPI_MEMBERS(18)
    ANYMPI_MEMBERS(19)
    ANYMPI_MEMBERS(20)
    ANYMPI_MEMBERS(21)
    ANYMPI_MEMBERS(22)
    ANYMPI_MEMBERS(23)
    ANYMPI_MEMBERS(24)
#undef ANYMPI_MEMBERS
#undef ANYMPI_ADDRESS
#undef ANYMPI_IS_DENSER
#undef ANYMPI_LACKS_ADDRESS
#undef ANYMPI_TYPE
#undef ANYMPI_NAME
}
#undef ANYMPI_FIRST_1
#undef ANYMPI_FIRST_2
#undef ANYMPI_FIRST_3
#undef ANYMPI_FIRST_4
#undef ANYMPI_FIRST_5
#undef ANYMPI_FIRST_6
#undef ANYMPI_FIRST_7
#undef ANYMPI_FIRST_8
#undef ANYMPI_FIRST_9
#undef ANYMPI_FIRST_10
#undef ANYMPI_FIRST_11
#undef ANYMPI_FIRST_12
#undef ANYMPI_FIRST_13
#undef ANYMPI_FIRST_14
#undef ANYMPI_FIRST_15
#undef ANYMPI_FIRST_16
#undef ANYMPI_FIRST_17
#undef ANYMPI_FIRST_18
#undef ANYMPI_FIRST_19
#undef ANYMPI_FIRST_20
#undef ANYMPI_FIRST_21
#undef ANYMPI_FIRST_22
#undef ANYMPI_FIRST_23
#undef ANYMPI_FIRST_24

template <class Members>
inline constexpr Finding finding_in = Finding::found;
template <Finding why_not>
inline constexpr Finding finding_in<NoMembers<why_not>> = why_not;

/// Tells whether the members of the aggregate T can be found.
template <class T>
inline constexpr Finding finding = finding_in<decltype(aggregate::members_of_aggregate(std::declval<T&>()))>;

} // namespace anympi::aggregate

#endif
