// Types whose values can be elements of a message. Arithmetic types, std::complex, std::byte, std::bitset, durations
// and points in time, enums, arrays, std::array, std::pair, std::tuple and aggregates of these types need nothing.
// Other classes are described once (described.hpp): by their members, as bytes, or as another type.
//
//     template <> inline constexpr auto anympi::members_of<Particle> = std::tuple{&Particle::mass,
//     &Particle::position};
//     template <> inline constexpr bool anympi::as_bytes<Colour> = true;
//     template <> inline constexpr auto anympi::stored_as<Metres> = std::type_identity<double>{};
#ifndef ANYMPI_COMMUNICABLE_HPP
#define ANYMPI_COMMUNICABLE_HPP

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "aggregate.hpp"
#include "error.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// A value and its place, for op::max_loc and op::min_loc. The layout is the same as in MPI_DOUBLE_INT and similar
/// types.
template <class T>
struct Indexed {
    T value;
    int index;
    friend bool operator==(const Indexed&, const Indexed&) = default;
};

/// A byte of data that MPI_Pack has packed (see Packer). It is sent as MPI_PACKED.
enum class PackedByte : unsigned char {};

namespace detail {

/// The predefined datatype of T, if there is one.
template <class T>
struct Predefined : std::false_type {};

#define ANYMPI_PREDEFINED(Type, DATATYPE)                                                                              \
    template <>                                                                                                        \
    struct Predefined<Type> : std::true_type {                                                                         \
        static MPI_Datatype handle() noexcept { return DATATYPE; }                                                     \
    };
ANYMPI_PREDEFINED(char, MPI_CHAR)
ANYMPI_PREDEFINED(signed char, MPI_SIGNED_CHAR)
ANYMPI_PREDEFINED(unsigned char, MPI_UNSIGNED_CHAR)
ANYMPI_PREDEFINED(std::byte, MPI_BYTE)
ANYMPI_PREDEFINED(PackedByte, MPI_PACKED)
ANYMPI_PREDEFINED(wchar_t, MPI_WCHAR)
ANYMPI_PREDEFINED(char8_t, MPI_UINT8_T)
ANYMPI_PREDEFINED(char16_t, MPI_UINT16_T)
ANYMPI_PREDEFINED(char32_t, MPI_UINT32_T)
ANYMPI_PREDEFINED(short, MPI_SHORT)
ANYMPI_PREDEFINED(unsigned short, MPI_UNSIGNED_SHORT)
ANYMPI_PREDEFINED(int, MPI_INT)
ANYMPI_PREDEFINED(unsigned, MPI_UNSIGNED)
ANYMPI_PREDEFINED(long, MPI_LONG)
ANYMPI_PREDEFINED(unsigned long, MPI_UNSIGNED_LONG)
ANYMPI_PREDEFINED(long long, MPI_LONG_LONG)
ANYMPI_PREDEFINED(unsigned long long, MPI_UNSIGNED_LONG_LONG)
ANYMPI_PREDEFINED(float, MPI_FLOAT)
ANYMPI_PREDEFINED(double, MPI_DOUBLE)
ANYMPI_PREDEFINED(long double, MPI_LONG_DOUBLE)
// These are datatypes of C, which libraries without C++ bindings also have; the layouts are the same.
ANYMPI_PREDEFINED(bool, MPI_C_BOOL)
ANYMPI_PREDEFINED(std::complex<float>, MPI_C_FLOAT_COMPLEX)
ANYMPI_PREDEFINED(std::complex<double>, MPI_C_DOUBLE_COMPLEX)
ANYMPI_PREDEFINED(std::complex<long double>, MPI_C_LONG_DOUBLE_COMPLEX)
ANYMPI_PREDEFINED(Indexed<float>, MPI_FLOAT_INT)
ANYMPI_PREDEFINED(Indexed<double>, MPI_DOUBLE_INT)
ANYMPI_PREDEFINED(Indexed<long>, MPI_LONG_INT)
ANYMPI_PREDEFINED(Indexed<int>, MPI_2INT)
ANYMPI_PREDEFINED(Indexed<short>, MPI_SHORT_INT)
ANYMPI_PREDEFINED(Indexed<long double>, MPI_LONG_DOUBLE_INT)
#undef ANYMPI_PREDEFINED

/// Numbers that some compilers support and for which MPI's C bindings have no datatype. They travel as bytes, and
/// functions of anympi reduce them.
template <class T>
struct Extended : std::false_type {};
#define ANYMPI_EXTENDED(Type, is_integer_)                                                                             \
    __extension__ template <>                                                                                          \
    struct Extended<Type> : std::true_type {                                                                           \
        static constexpr bool is_integer = is_integer_;                                                                \
    };
#ifdef __FLT16_MANT_DIG__
ANYMPI_EXTENDED(_Float16, false)
#endif
#ifdef __SIZEOF_FLOAT128__
ANYMPI_EXTENDED(__float128, false)
#endif
#ifdef __SIZEOF_INT128__
ANYMPI_EXTENDED(__int128, true)
ANYMPI_EXTENDED(unsigned __int128, true)
#endif
#undef ANYMPI_EXTENDED

template <class T>
concept ExtendedNumber = Extended<T>::value;
template <class T>
concept ExtendedInteger = ExtendedNumber<T> && Extended<T>::is_integer;

/// True for a tuple or pair that holds its values itself, not references.
template <class T>
struct IsTuple : std::false_type {};
template <class... T>
struct IsTuple<std::tuple<T...>> : std::bool_constant<(!std::is_reference_v<T> && ...)> {};
template <class A, class B>
struct IsTuple<std::pair<A, B>> : IsTuple<std::tuple<A, B>> {};

template <class T>
struct IsStdArray : std::false_type {};
template <class T, std::size_t N>
struct IsStdArray<std::array<T, N>> : std::bool_constant<(N > 0)> {
    using element = T;
};

/// Passes the members of `whole`, by reference, to `visit`.
template <class T, class Visit>
constexpr auto visit_members(T& whole, Visit visit) {
    using Whole = std::remove_const_t<T>;
    if constexpr (aggregate::is_listed<Whole>)
        return std::apply([&](auto... member) { return visit(whole.*member...); }, members_of<Whole>);
    else if constexpr (IsTuple<Whole>::value)
        return std::apply(visit, whole);
    else
        return std::apply(visit, aggregate::members_of_aggregate(whole));
}

template <class T>
constexpr bool communicable();

/// Asks whether a struct with these members can be sent. A member without data needs no place in a message.
struct AskMembers {
    template <class... Member>
    std::bool_constant<((communicable<std::remove_cvref_t<Member>>() || std::is_empty_v<Member>)&&...) &&
                       !(std::is_empty_v<Member> && ...)>
    operator()(Member&...) const {
        return {};
    }
};

/// Returns true. A wrong promise about T is an error of the compiler.
template <class T>
constexpr bool is_represented_correctly() {
    static_assert(!as_bytes<T> || std::is_trivially_copyable_v<T>,
                  "anympi: as_bytes is for classes that can be copied as bytes, and this class has a copy constructor, "
                  "an assignment or a destructor of its own: use stored_as, members_of or send_object");
    static_assert(communicable<typename aggregate::Representation<T>::type>(),
                  "anympi: stored_as names a type that cannot be sent");
    static_assert(sizeof(T) == sizeof(typename aggregate::Representation<T>::type),
                  "anympi: stored_as names a type of another size");
    return true;
}

template <class T>
constexpr bool communicable() {
    if constexpr (Predefined<T>::value || Extended<T>::value || std::is_enum_v<T>)
        return true;
    else if constexpr (aggregate::is_represented<T>)
        return detail::is_represented_correctly<T>();
    else if constexpr (std::is_bounded_array_v<T>)
        return communicable<std::remove_cv_t<std::remove_all_extents_t<T>>>();
    else if constexpr (IsStdArray<T>::value)
        return communicable<typename IsStdArray<T>::element>();
    else if constexpr (!std::is_class_v<T>)
        return false;
    else if constexpr (IsTuple<T>::value || aggregate::is_listed<T>)
        return decltype(detail::visit_members(std::declval<T&>(), AskMembers{}))::value;
    else if constexpr (!std::is_aggregate_v<T> || !std::is_trivially_destructible_v<T> || std::is_empty_v<T>)
        return false;
    else if constexpr (aggregate::finding<T> != aggregate::Finding::found)
        return false;
    else
        return decltype(detail::visit_members(std::declval<T&>(), AskMembers{}))::value;
}

} // namespace detail

/// Types whose values can be elements of a message.
template <class T>
concept Communicable = !std::is_pointer_v<T> && !std::is_reference_v<T> && detail::communicable<std::remove_cv_t<T>>();

/// Types for MPI's arithmetic operations. Characters and bool are not numbers there.
template <class T>
concept Number = detail::ExtendedNumber<T> ||
    (detail::Predefined<T>::value&& std::is_arithmetic_v<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
     !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> && !std::same_as<T, char16_t> &&
     !std::same_as<T, char32_t>);
template <class T>
concept Integer = detail::ExtendedInteger<T> ||(Number<T>&& std::is_integral_v<T>);
/// Types for op::bit_and and the other bitwise operations.
template <class T>
concept Bitwise = Integer<T> || std::same_as<T, std::byte>;
/// Types for op::logical_and and the other logical operations.
template <class T>
concept Logical = Integer<T> || std::same_as<T, bool>;
template <class T>
concept Complex = std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>> ||
    std::same_as<T, std::complex<long double>>;
/// Types for compare_and_swap.
template <class T>
concept AtomicCapable =
    (Integer<T> && !detail::ExtendedNumber<T>) || std::same_as<T, bool> || std::same_as<T, std::byte>;
/// Times that can be added.
template <class T>
concept Duration = aggregate::Duration<T> && Number<typename T::rep> && !detail::ExtendedNumber<typename T::rep>;
/// Times that can be compared: durations and points in time.
template <class T>
concept Time = Duration<T> ||(aggregate::TimePoint<T>&& Duration<typename T::duration>);
/// Pairs for op::max_loc and op::min_loc.
template <class T>
concept IndexedPair = detail::Predefined<T>::value && requires(T pair) {
    pair.index;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
