// Datatypes of C++ types (communicable.hpp), and datatypes that a program describes at run time.
#ifndef ANYMPI_DATATYPE_HPP
#define ANYMPI_DATATYPE_HPP

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cached_handle.hpp"
#include "communicable.hpp"
#include "room.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

template <Communicable T>
MPI_Datatype datatype();

namespace detail {

/// Sums and products of a program's numbers of elements and bytes. An overflow gives the largest number, which is more
/// than any memory has.
inline MPI_Count sum(MPI_Count a, MPI_Count b) {
    MPI_Count all = 0;
    return __builtin_add_overflow(a, b, &all) ? std::numeric_limits<MPI_Count>::max() : all;
}
inline MPI_Count product(MPI_Count a, MPI_Count b) {
    MPI_Count all = 0;
    return __builtin_mul_overflow(a, b, &all) ? std::numeric_limits<MPI_Count>::max() : all;
}

// The constructors use small counts if they fit: the file functions of MPICH 4.0 do not understand datatypes that were
// made with large counts.

template <class... N>
bool fits_int(N... numbers) {
    return ((numbers >= std::numeric_limits<int>::min() && numbers <= std::numeric_limits<int>::max()) && ...);
}
inline bool all_fit_int(std::span<const MPI_Count> numbers) {
    for (const MPI_Count number : numbers)
        if (!fits_int(number))
            return false;
    return true;
}
template <class N>
shared::Room<N> converted(std::span<const MPI_Count> numbers) {
    shared::Room<N> all(numbers.size());
    for (std::size_t place = 0; place < all.size(); ++place)
        all[place] = static_cast<N>(numbers[place]);
    return all;
}
inline Fault make_contiguous(MPI_Count count, MPI_Datatype element, MPI_Datatype* made) {
    return fits_int(count) ? MPI_Type_contiguous(static_cast<int>(count), element, made)
                           : MPI_Type_contiguous_c(count, element, made);
}
inline Fault make_vector(MPI_Count count, MPI_Count length, MPI_Count stride, MPI_Datatype element,
                         MPI_Datatype* made) {
    if (fits_int(count, length, stride))
        return MPI_Type_vector(static_cast<int>(count), static_cast<int>(length), static_cast<int>(stride), element,
                               made);
    return MPI_Type_vector_c(count, length, stride, element, made);
}
inline Fault make_hvector(MPI_Count count, MPI_Count stride, MPI_Datatype element, MPI_Datatype* made) {
    if (fits_int(count))
        return MPI_Type_create_hvector(static_cast<int>(count), 1, static_cast<MPI_Aint>(stride), element, made);
    return MPI_Type_create_hvector_c(count, 1, stride, element, made);
}
inline Fault make_indexed(std::span<const MPI_Count> lengths, std::span<const MPI_Count> places, MPI_Datatype element,
                          MPI_Datatype* made) {
    if (all_fit_int(lengths) && all_fit_int(places))
        return MPI_Type_indexed(static_cast<int>(lengths.size()), converted<int>(lengths).data(),
                                converted<int>(places).data(), element, made);
    return MPI_Type_indexed_c(static_cast<MPI_Count>(lengths.size()), lengths.data(), places.data(), element, made);
}
inline Fault make_subarray(std::span<const MPI_Count> sizes, std::span<const MPI_Count> parts,
                           std::span<const MPI_Count> starts, MPI_Datatype element, MPI_Datatype* made) {
    const int dimensions = static_cast<int>(sizes.size());
    if (all_fit_int(sizes)) // then the other numbers fit too
        return MPI_Type_create_subarray(dimensions, converted<int>(sizes).data(), converted<int>(parts).data(),
                                        converted<int>(starts).data(), MPI_ORDER_C, element, made);
    return MPI_Type_create_subarray_c(dimensions, sizes.data(), parts.data(), starts.data(), MPI_ORDER_C, element,
                                      made);
}
inline Fault make_struct(std::span<const MPI_Count> lengths, std::span<const MPI_Count> places,
                         std::span<const MPI_Datatype> types, MPI_Datatype* made) {
    if (all_fit_int(lengths))
        return MPI_Type_create_struct(static_cast<int>(lengths.size()), converted<int>(lengths).data(),
                                      converted<MPI_Aint>(places).data(), types.data(), made);
    return MPI_Type_create_struct_c(static_cast<MPI_Count>(lengths.size()), lengths.data(), places.data(), types.data(),
                                    made);
}
inline Fault make_resized(MPI_Datatype type, MPI_Count lower_bound, MPI_Count extent, MPI_Datatype* made) {
    return MPI_Type_create_resized(type, static_cast<MPI_Aint>(lower_bound), static_cast<MPI_Aint>(extent), made);
}

/// Storage for a T that is never constructed; only the addresses of its members are used.
template <class T>
union Room {
    Room() : nothing{} {}
    ~Room() {}
    char nothing;
    T whole;
};

template <class Member>
MPI_Datatype type_of_member() {
    if constexpr (Communicable<Member>)
        return datatype<Member>();
    else
        return MPI_BYTE; // none of them: the member has no data
}

struct StructBuilder {
    const char* origin;
    template <class... Member>
    MPI_Datatype operator()(Member&... member) const {
        const MPI_Count lengths[] = {std::is_empty_v<Member> ? 0 : 1 ...};
        const MPI_Count places[] = {
            reinterpret_cast<const volatile char*>(&reinterpret_cast<const volatile char&>(member)) - origin...};
        const MPI_Datatype types[] = {type_of_member<std::remove_cvref_t<Member>>()...};
        MPI_Datatype made = MPI_DATATYPE_NULL;
        make_struct(lengths, places, types, &made);
        return made;
    }
};

inline MPI_Datatype committed(MPI_Datatype made) {
    if (made != MPI_DATATYPE_NULL)
        MPI_Type_commit(&made);
    return made;
}

/// Sets the extent to the size of the C++ type, including padding at its end.
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

/// Returns the datatype of T: a predefined one, or one that is made at the first call and cached.
template <Communicable T>
MPI_Datatype datatype() {
    using Plain = std::remove_cv_t<T>;
    if constexpr (detail::Predefined<Plain>::value)
        return detail::Predefined<Plain>::handle();
    else if constexpr (std::is_enum_v<Plain>)
        return detail::Predefined<std::underlying_type_t<Plain>>::handle();
    else if constexpr (aggregate::is_represented<Plain>)
        return datatype<typename aggregate::Representation<Plain>::type>();
    else
        return detail::cached_datatype<Plain>.get(&detail::make_datatype<Plain>);
}

/// A member of a Datatype that is described at run time.
struct StructField {
    MPI_Count blocklength;
    MPI_Count displacement;
    MPI_Datatype type;
};

struct DistributedDimension;
struct TypeContents;
struct TypeEnvelope;
enum class TypeClass : int;

/// A datatype that is described at run time and committed. The owner frees it. It describes memory that consists of
/// elements of T (see `typed`).
class [[nodiscard]] Datatype : public Owned<detail::TypeKind> {
public:
    using Owned::Owned;

    template <Communicable T>
    static Datatype of() {
        return {datatype<T>(), false};
    }
    static ANYMPI_CALLS result<Datatype> contiguous(MPI_Count count, const Datatype& element) {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_contiguous", detail::check_time());
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_contiguous",
                       detail::make_contiguous(count, element.handle(), &made));
        return commit(made);
    }
    static ANYMPI_CALLS result<Datatype> vector(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                                                const Datatype& element) {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_vector", detail::check_time());
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_vector",
                       detail::make_vector(count, blocklength, stride, element.handle(), &made));
        return commit(made);
    }
    static ANYMPI_CALLS result<Datatype> indexed(std::span<const MPI_Count> blocklengths,
                                                 std::span<const MPI_Count> displacements, const Datatype& element) {
        if (blocklengths.size() != displacements.size())
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "the numbers of displacements and block lengths differ"}),
                        "MPI_Type_indexed", detail::Nowhere{});
        MPI_Datatype made = MPI_DATATYPE_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_indexed", detail::check_time());
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_indexed",
                       detail::make_indexed(blocklengths, displacements, element.handle(), &made));
        return commit(made);
    }
    /// Describes a box in an array of several dimensions; the last dimension is contiguous.
    static ANYMPI_CALLS result<Datatype> subarray(std::span<const MPI_Count> sizes, std::span<const MPI_Count> subsizes,
                                                  std::span<const MPI_Count> starts, const Datatype& element) {
        if (sizes.size() != subsizes.size() || sizes.size() != starts.size())
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "the numbers of sizes, subsizes and starts differ"}),
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
    static ANYMPI_CALLS result<Datatype> structure(std::span<const StructField> fields) {
        const std::size_t many = fields.size();
        shared::Room<MPI_Count> lengths(many), places(many);
        shared::Room<MPI_Datatype> types(many);
        for (std::size_t place = 0; place < many; ++place) {
            lengths[place] = fields[place].blocklength;
            places[place] = fields[place].displacement;
            types[place] = fields[place].type;
        }
        MPI_Datatype made = MPI_DATATYPE_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_struct", detail::check_time());
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_struct",
                       detail::make_struct({lengths.data(), many}, {places.data(), many}, {types.data(), many}, &made));
        return commit(made);
    }
    [[nodiscard]] ANYMPI_CALLS result<Datatype> resized(MPI_Count lower_bound, MPI_Count extent) const {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_resized", detail::check_time());
        ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_resized",
                       detail::make_resized(handle(), lower_bound, extent, &made));
        return commit(made);
    }
    /// Returns the bytes of data in one element, without gaps.
    [[nodiscard]] ANYMPI_CALLS result<MPI_Count> size() const {
        MPI_Count bytes = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Type_size_c, handle(), &bytes);
        return bytes;
    }
    [[nodiscard]] ANYMPI_CALLS result<MPI_Count> extent() const {
        MPI_Count lower = 0, extent = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Type_get_extent_c, handle(), &lower, &extent);
        return extent;
    }

    // Further datatypes, and what is known of one: include type_description.hpp or anympi.hpp

    /// Describes blocks at displacements in bytes.
    static ANYMPI_CALLS result<Datatype> hindexed(std::span<const MPI_Count> blocklengths,
                                                  std::span<const MPI_Count> displacements, const Datatype& element);
    /// Describes blocks of one length at displacements in elements.
    static ANYMPI_CALLS result<Datatype> indexed_block(MPI_Count blocklength, std::span<const MPI_Count> displacements,
                                                       const Datatype& element);
    /// Describes blocks of one length at displacements in bytes.
    static ANYMPI_CALLS result<Datatype> hindexed_block(MPI_Count blocklength, std::span<const MPI_Count> displacements,
                                                        const Datatype& element);
    /// Describes the elements of an array that belong to one process of a grid; the last dimension is contiguous.
    static ANYMPI_CALLS result<Datatype> darray(int rank, std::span<const DistributedDimension> dimensions,
                                                const Datatype& element);
    /// Returns the predefined datatype of numbers of this size.
    static ANYMPI_CALLS result<Datatype> of_size(TypeClass type_class, int bytes);
    /// Return the datatypes of Fortran's numbers with this many decimal digits and this range of exponents.
    static ANYMPI_CALLS result<Datatype> f90_integer(int digits);
    static ANYMPI_CALLS result<Datatype> f90_real(std::optional<int> digits, std::optional<int> exponent = {});
    static ANYMPI_CALLS result<Datatype> f90_complex(std::optional<int> digits, std::optional<int> exponent = {});
    /// Returns the datatype of pairs for max_loc and min_loc, or nothing if the library lacks it.
    static ANYMPI_CALLS result<std::optional<Datatype>> value_index(const Datatype& value, const Datatype& index);

    [[nodiscard]] ANYMPI_CALLS result<Datatype> duplicate() const;
    [[nodiscard]] ANYMPI_CALLS result<std::string> name() const;
    ANYMPI_CALLS result<void> set_name(const std::string& name);
    struct Bounds {
        MPI_Count lower, extent;
    };
    /// Returns the lower bound and the extent in bytes, as they were set by resized().
    [[nodiscard]] ANYMPI_CALLS result<Bounds> bounds() const;
    /// Returns where the data begins, and the bytes from there to its end.
    [[nodiscard]] ANYMPI_CALLS result<Bounds> true_bounds() const;
    /// Returns how the datatype was made.
    [[nodiscard]] ANYMPI_CALLS result<TypeEnvelope> envelope() const;
    /// Returns how the datatype was made, with the arguments.
    [[nodiscard]] ANYMPI_CALLS result<TypeContents> contents() const;

private:
    static ANYMPI_CALLS result<Datatype> commit(MPI_Datatype made) {
        Datatype type(made, true);
        ANYMPI_CALL(detail::Nowhere{}, MPI_Type_commit, &made);
        return type;
    }
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
