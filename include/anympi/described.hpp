// Descriptions of a program's types, so that they can be elements of messages.
#ifndef ANYMPI_DESCRIBED_HPP
#define ANYMPI_DESCRIBED_HPP

#include <array>
#include <bitset>
#include <complex>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "requirements.hpp"

namespace anympi {

/// Specialized for classes whose members cannot be deduced: a std::tuple of pointers to the members.
template <class T>
inline constexpr auto members_of = nullptr;

/// Specialized for classes that travel as their bytes: true. The processes must represent the class equally, and the
/// class must not contain addresses. All its bytes are sent, also those between the members.
template <class T>
inline constexpr bool as_bytes = false;
template <std::size_t N>
inline constexpr bool as_bytes<std::bitset<N>> = N > 0;

/// Specialized for classes that consist of an object of another type: a std::type_identity of this type. They travel
/// like this type.
template <class T>
inline constexpr auto stored_as = nullptr;
template <class T>
inline constexpr auto stored_as<std::complex<T>> = std::type_identity<std::array<T, 2>>{};

namespace aggregate {

/// A duration of std::chrono.
template <class T>
concept Duration = requires(const T& duration) {
    typename T::rep;
    typename T::period;
    { duration.count() } -> std::same_as<typename T::rep>;
    requires std::is_trivially_copyable_v<T> && sizeof(T) == sizeof(typename T::rep);
};
/// A point in time of std::chrono.
template <class T>
concept TimePoint = requires(const T& point) {
    typename T::clock;
    { point.time_since_epoch() } -> std::same_as<typename T::duration>;
    requires Duration<typename T::duration> && sizeof(T) == sizeof(typename T::duration);
};

/// A matrix that consists of a fixed number of elements, as in Eigen. A view of another matrix has a pointer instead.
template <class T>
concept FixedMatrix = requires {
    typename T::Scalar;
    requires std::same_as<typename T::PlainObject, T>;
    requires T::SizeAtCompileTime >
    0;
    requires sizeof(T) == T::SizeAtCompileTime * sizeof(typename T::Scalar);
};

} // namespace aggregate

template <aggregate::Duration T>
inline constexpr auto stored_as<T> = std::type_identity<typename T::rep>{};
template <aggregate::TimePoint T>
inline constexpr auto stored_as<T> = std::type_identity<typename T::rep>{};
template <aggregate::FixedMatrix T>
inline constexpr auto stored_as<T> =
    std::type_identity<std::array<typename T::Scalar, static_cast<std::size_t>(T::SizeAtCompileTime)>>{};

namespace aggregate {

template <class Trait>
inline constexpr bool is_given = !std::is_same_v<std::remove_cv_t<Trait>, std::nullptr_t>;
template <class T>
inline constexpr bool is_listed = is_given<decltype(members_of<T>)>;
template <class T>
inline constexpr bool is_stored_as = is_given<decltype(stored_as<T>)>;
/// True if the program describes T, so that nothing is deduced.
template <class T>
inline constexpr bool is_described = is_listed<T> || is_stored_as<T> || as_bytes<T>;

template <class T>
struct Representation {
    using type = typename decltype(stored_as<T>)::type;
};
template <class T>
requires as_bytes<T>
struct Representation<T> {
    using type = std::array<std::byte, sizeof(T)>;
};
template <class T>
inline constexpr bool is_represented = is_stored_as<T> || as_bytes<T>;

} // namespace aggregate

} // namespace anympi

#endif
