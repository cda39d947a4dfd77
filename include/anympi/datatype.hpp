// Datatypes of C++ types. Arithmetic types, std::complex, std::byte, enums, arrays, std::array, std::pair, std::tuple
// and aggregates of them need nothing; members of other classes are listed once:
//
//     template <> inline constexpr auto anympi::members_of<Particle> = std::tuple{&Particle::mass,
//     &Particle::position};
#ifndef ANYMPI_DATATYPE_HPP
#define ANYMPI_DATATYPE_HPP

#include <algorithm>
#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "aggregate.hpp"
#include "cached_handle.hpp"

namespace anympi {

/// To be specialized for classes whose members cannot be deduced: a std::tuple of pointers to them.
template <class T>
inline constexpr auto members_of = nullptr;

} // namespace anympi

namespace anympi {
inline namespace ANYMPI_POLICY {

/// A value and where it was found, for op::max_loc and op::min_loc. The layout is that of MPI_DOUBLE_INT and its like.
template <class T>
struct Indexed {
    T value;
    int index;
    friend bool operator==(const Indexed&, const Indexed&) = default;
};

/// What MPI_Pack makes (see Packer): sent as MPI_PACKED.
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
// The datatypes of C, which libraries without bindings for C++ have too; the layouts are the same.
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

/// Numbers that some compilers have, and of which C has no datatypes in MPI: they travel as bytes, and are reduced by
/// functions of ours.
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

template <class T>
inline constexpr bool is_listed = !std::is_same_v<std::remove_cv_t<decltype(members_of<T>)>, std::nullptr_t>;

/// One that holds its values itself.
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
    if constexpr (is_listed<Whole>)
        return std::apply([&](auto... member) { return visit(whole.*member...); }, members_of<Whole>);
    else if constexpr (IsTuple<Whole>::value)
        return std::apply(visit, whole);
    else
        return std::apply(visit, aggregate::members_of_aggregate(whole));
}

template <class T>
constexpr bool communicable();

/// Whether a member of T is a reference, which looks like what it refers to; but it makes a class one without standard
/// layout, and without assignment.
template <class T, class... Member>
inline constexpr bool has_references =
    !std::is_standard_layout_v<T> &&
    ((std::is_standard_layout_v<std::remove_cv_t<Member>> && ...) || !std::is_move_assignable_v<T>);

template <class... Member>
struct AllCommunicable
    : std::bool_constant<(sizeof...(Member) > 0 && (communicable<std::remove_cvref_t<Member>>() && ...))> {};
struct AskMembers {
    template <class... Member>
    AllCommunicable<Member...> operator()(Member&...) const {
        return {};
    }
};
template <class T>
struct AskMembersOfAggregate {
    template <class... Member>
    std::bool_constant<AllCommunicable<Member...>::value && !has_references<T, Member...>>
    operator()(Member&...) const {
        return {};
    }
};

template <class T>
constexpr bool communicable() {
    if constexpr (Predefined<T>::value || Extended<T>::value || std::is_enum_v<T>)
        return true;
    else if constexpr (std::is_bounded_array_v<T>)
        return communicable<std::remove_cv_t<std::remove_all_extents_t<T>>>();
    else if constexpr (IsStdArray<T>::value)
        return communicable<typename IsStdArray<T>::element>();
    else if constexpr (!std::is_class_v<T>)
        return false;
    else if constexpr (IsTuple<T>::value || is_listed<T>)
        return decltype(detail::visit_members(std::declval<T&>(), AskMembers{}))::value;
    else if constexpr (std::is_aggregate_v<T> && std::is_trivially_destructible_v<T> && !std::is_empty_v<T>)
        return decltype(detail::visit_members(std::declval<T&>(), AskMembersOfAggregate<T>{}))::value;
    else
        return false;
}

} // namespace detail

/// Types whose values can be elements of a message.
template <class T>
concept Communicable = !std::is_pointer_v<T> && !std::is_reference_v<T> && detail::communicable<std::remove_cv_t<T>>();

/// Types that the arithmetic operations of MPI know. Characters and bool are not numbers there.
template <class T>
concept Number = detail::ExtendedNumber<T> ||
    (detail::Predefined<T>::value&& std::is_arithmetic_v<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
     !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> && !std::same_as<T, char16_t> &&
     !std::same_as<T, char32_t>);
template <class T>
concept Integer = detail::ExtendedInteger<T> ||(Number<T>&& std::is_integral_v<T>);
/// Types that have bits for op::bit_and and its like.
template <class T>
concept Bitwise = Integer<T> || std::same_as<T, std::byte>;
/// Types that have a truth for op::logical_and and its like.
template <class T>
concept Logical = Integer<T> || std::same_as<T, bool>;
template <class T>
concept Complex = std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>> ||
    std::same_as<T, std::complex<long double>>;
/// Types for compare_and_swap.
template <class T>
concept AtomicCapable =
    (Integer<T> && !detail::ExtendedNumber<T>) || std::same_as<T, bool> || std::same_as<T, std::byte>;
/// Pairs for op::max_loc and op::min_loc.
template <class T>
concept IndexedPair = detail::Predefined<T>::value && requires(T pair) {
    pair.index;
};

template <Communicable T>
MPI_Datatype datatype();

namespace detail {

// Numbers of elements and bytes that a program says: what is more than any memory has is the greatest number there is.
inline MPI_Count sum(MPI_Count a, MPI_Count b) {
    MPI_Count all = 0;
    return __builtin_add_overflow(a, b, &all) ? std::numeric_limits<MPI_Count>::max() : all;
}
inline MPI_Count product(MPI_Count a, MPI_Count b) {
    MPI_Count all = 0;
    return __builtin_mul_overflow(a, b, &all) ? std::numeric_limits<MPI_Count>::max() : all;
}

// Constructors with small numbers where they fit: the file functions of MPICH 4.0 do not understand types of the
// others.

template <class... N>
bool fits_int(N... numbers) {
    return ((numbers >= std::numeric_limits<int>::min() && numbers <= std::numeric_limits<int>::max()) && ...);
}
inline bool all_fit_int(std::span<const MPI_Count> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](MPI_Count number) { return fits_int(number); });
}
template <class N>
std::vector<N> converted(std::span<const MPI_Count> numbers) {
    std::vector<N> all;
    for (const MPI_Count number : numbers)
        all.push_back(static_cast<N>(number));
    return all;
}
inline int make_contiguous(MPI_Count count, MPI_Datatype element, MPI_Datatype* made) {
    return fits_int(count) ? MPI_Type_contiguous(static_cast<int>(count), element, made)
                           : MPI_Type_contiguous_c(count, element, made);
}
inline int make_vector(MPI_Count count, MPI_Count length, MPI_Count stride, MPI_Datatype element, MPI_Datatype* made) {
    if (fits_int(count, length, stride))
        return MPI_Type_vector(static_cast<int>(count), static_cast<int>(length), static_cast<int>(stride), element,
                               made);
    return MPI_Type_vector_c(count, length, stride, element, made);
}
inline int make_hvector(MPI_Count count, MPI_Count stride, MPI_Datatype element, MPI_Datatype* made) {
    if (fits_int(count))
        return MPI_Type_create_hvector(static_cast<int>(count), 1, static_cast<MPI_Aint>(stride), element, made);
    return MPI_Type_create_hvector_c(count, 1, stride, element, made);
}
inline int make_indexed(std::span<const MPI_Count> lengths, std::span<const MPI_Count> places, MPI_Datatype element,
                        MPI_Datatype* made) {
    if (all_fit_int(lengths) && all_fit_int(places))
        return MPI_Type_indexed(static_cast<int>(lengths.size()), converted<int>(lengths).data(),
                                converted<int>(places).data(), element, made);
    return MPI_Type_indexed_c(static_cast<MPI_Count>(lengths.size()), lengths.data(), places.data(), element, made);
}
inline int make_subarray(std::span<const MPI_Count> sizes, std::span<const MPI_Count> parts,
                         std::span<const MPI_Count> starts, MPI_Datatype element, MPI_Datatype* made) {
    const int dimensions = static_cast<int>(sizes.size());
    if (all_fit_int(sizes)) // then the others do too
        return MPI_Type_create_subarray(dimensions, converted<int>(sizes).data(), converted<int>(parts).data(),
                                        converted<int>(starts).data(), MPI_ORDER_C, element, made);
    return MPI_Type_create_subarray_c(dimensions, sizes.data(), parts.data(), starts.data(), MPI_ORDER_C, element,
                                      made);
}
inline int make_struct(std::span<const MPI_Count> lengths, std::span<const MPI_Count> places,
                       std::span<const MPI_Datatype> types, MPI_Datatype* made) {
    if (all_fit_int(lengths))
        return MPI_Type_create_struct(static_cast<int>(lengths.size()), converted<int>(lengths).data(),
                                      converted<MPI_Aint>(places).data(), types.data(), made);
    return MPI_Type_create_struct_c(static_cast<MPI_Count>(lengths.size()), lengths.data(), places.data(), types.data(),
                                    made);
}
inline int make_resized(MPI_Datatype type, MPI_Count lower_bound, MPI_Count extent, MPI_Datatype* made) {
    return MPI_Type_create_resized(type, static_cast<MPI_Aint>(lower_bound), static_cast<MPI_Aint>(extent), made);
}

/// Room for a T in which there is none: only the addresses of its members are wanted.
template <class T>
union Room {
    Room() : nothing{} {}
    ~Room() {}
    char nothing;
    T whole;
};

struct StructBuilder {
    const char* origin;
    template <class... Member>
    MPI_Datatype operator()(Member&... member) const {
        const MPI_Count ones[] = {(static_cast<void>(member), 1)...};
        const MPI_Count places[] = {reinterpret_cast<const char*>(&reinterpret_cast<const char&>(member)) - origin...};
        const MPI_Datatype types[] = {datatype<std::remove_cvref_t<Member>>()...};
        MPI_Datatype made = MPI_DATATYPE_NULL;
        make_struct(ones, places, types, &made);
        return made;
    }
};

inline MPI_Datatype committed(MPI_Datatype made) {
    if (made != MPI_DATATYPE_NULL)
        MPI_Type_commit(&made);
    return made;
}

/// With the size of the C++ type as its extent, whatever padding is at its end.
inline MPI_Datatype with_extent(MPI_Datatype packed, MPI_Count extent) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    if (packed != MPI_DATATYPE_NULL) {
        make_resized(packed, 0, extent, &made);
        MPI_Type_free(&packed);
    }
    return committed(made);
}

template <class T>
MPI_Datatype make_datatype() {
    if constexpr (std::is_bounded_array_v<T> || IsStdArray<T>::value) {
        using Element = std::remove_cvref_t<decltype(std::declval<T&>()[0])>;
        MPI_Datatype made = MPI_DATATYPE_NULL;
        make_contiguous(sizeof(T) / sizeof(Element), datatype<Element>(), &made);
        return committed(made);
    } else if constexpr (ExtendedNumber<T>) {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        make_contiguous(sizeof(T), MPI_BYTE, &made);
        return committed(made);
    } else {
        Room<T> room;
        const auto* origin = reinterpret_cast<const char*>(&room);
        return with_extent(visit_members(room.whole, StructBuilder{origin}), sizeof(T));
    }
}

template <class T>
inline CachedHandle<TypeKind> cached_datatype;

} // namespace detail

/// The datatype of T: a constant, or one that is made at the first call and cached.
template <Communicable T>
MPI_Datatype datatype() {
    using Plain = std::remove_cv_t<T>;
    if constexpr (detail::Predefined<Plain>::value)
        return detail::Predefined<Plain>::handle();
    else if constexpr (std::is_enum_v<Plain>)
        return detail::Predefined<std::underlying_type_t<Plain>>::handle();
    else
        return detail::cached_datatype<Plain>.get(&detail::make_datatype<Plain>);
}

/// One member of a Datatype that is described at run time.
struct StructField {
    MPI_Count blocklength;
    MPI_Count displacement;
    MPI_Datatype type;
};

/// A datatype that is described at run time, committed, freed by its owner. Describes memory of elements of T (see
/// `typed`).
class [[nodiscard]] Datatype : public Owned<detail::TypeKind> {
public:
    using Owned::Owned;

    template <Communicable T>
    static Datatype of() {
        return {datatype<T>(), false};
    }
    static result<Datatype> contiguous(MPI_Count count, const Datatype& element) {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_contiguous", detail::check_time());
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_contiguous",
                       detail::make_contiguous(count, element.handle(), &made));
        return commit(made);
    }
    static result<Datatype> vector(MPI_Count count, MPI_Count blocklength, MPI_Count stride, const Datatype& element) {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_vector", detail::check_time());
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_vector",
                       detail::make_vector(count, blocklength, stride, element.handle(), &made));
        return commit(made);
    }
    static result<Datatype> indexed(std::span<const MPI_Count> blocklengths, std::span<const MPI_Count> displacements,
                                    const Datatype& element) {
        if (blocklengths.size() != displacements.size())
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "as many displacements as block lengths are needed"}),
                        "MPI_Type_indexed", detail::Nowhere{});
        MPI_Datatype made = MPI_DATATYPE_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_indexed", detail::check_time());
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_indexed",
                       detail::make_indexed(blocklengths, displacements, element.handle(), &made));
        return commit(made);
    }
    /// A box within an array of several dimensions, the last one contiguous.
    static result<Datatype> subarray(std::span<const MPI_Count> sizes, std::span<const MPI_Count> subsizes,
                                     std::span<const MPI_Count> starts, const Datatype& element) {
        if (sizes.size() != subsizes.size() || sizes.size() != starts.size())
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "sizes, subsizes and starts must be as many"}),
                        "MPI_Type_create_subarray", detail::Nowhere{});
        for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension)
            if (subsizes[dimension] < 0 || starts[dimension] < 0 ||
                starts[dimension] > sizes[dimension] - subsizes[dimension])
                ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "the box reaches outside the array"}),
                            "MPI_Type_create_subarray", detail::Nowhere{});
        MPI_Datatype made = MPI_DATATYPE_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_subarray", detail::check_time());
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_subarray",
                       detail::make_subarray(sizes, subsizes, starts, element.handle(), &made));
        return commit(made);
    }
    static result<Datatype> structure(std::span<const StructField> fields) {
        std::vector<MPI_Count> lengths, places;
        std::vector<MPI_Datatype> types;
        for (const StructField& field : fields) {
            lengths.push_back(field.blocklength);
            places.push_back(field.displacement);
            types.push_back(field.type);
        }
        MPI_Datatype made = MPI_DATATYPE_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_struct", detail::check_time());
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_struct", detail::make_struct(lengths, places, types, &made));
        return commit(made);
    }
    [[nodiscard]] result<Datatype> resized(MPI_Count lower_bound, MPI_Count extent) const {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_resized", detail::check_time());
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_resized",
                       detail::make_resized(handle(), lower_bound, extent, &made));
        return commit(made);
    }
    /// Bytes of data in one, without gaps.
    [[nodiscard]] result<MPI_Count> size() const {
        MPI_Count bytes = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Type_size_c, handle(), &bytes);
        return bytes;
    }
    [[nodiscard]] result<MPI_Count> extent() const {
        MPI_Count lower = 0, extent = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Type_get_extent_c, handle(), &lower, &extent);
        return extent;
    }

private:
    static result<Datatype> commit(MPI_Datatype made) {
        Datatype type(made, true);
        ANYMPI_CALL(detail::Nowhere{}, MPI_Type_commit, &made);
        return type;
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
