// Further ways to describe a datatype at run time, and what is known of a datatype. Functions of Datatype.
#ifndef ANYMPI_TYPE_DESCRIPTION_HPP
#define ANYMPI_TYPE_DESCRIPTION_HPP

#include <optional>
#include <string>
#include <vector>

#include "datatype.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// How the elements of one dimension are distributed over processes.
enum class Distribution : int {
    none = MPI_DISTRIBUTE_NONE,
    block = MPI_DISTRIBUTE_BLOCK,
    cyclic = MPI_DISTRIBUTE_CYCLIC,
};

/// One dimension of an array that is distributed over processes. Without `block_length`, a process gets one block, or
/// one element after the other if the distribution is cyclic.
struct DistributedDimension {
    MPI_Count size; // of the whole array
    Distribution distribution = Distribution::block;
    int processes = 1;
    std::optional<int> block_length{};
};

/// The kinds of numbers that `Datatype::of_size` finds by their size.
enum class TypeClass : int {
    integer = MPI_TYPECLASS_INTEGER,
    real = MPI_TYPECLASS_REAL,
    complex = MPI_TYPECLASS_COMPLEX,
};

/// The constructor that made a datatype.
enum class Combiner : int {
    named = MPI_COMBINER_NAMED, // a predefined datatype
    dup = MPI_COMBINER_DUP,
    contiguous = MPI_COMBINER_CONTIGUOUS,
    vector = MPI_COMBINER_VECTOR,
    hvector = MPI_COMBINER_HVECTOR,
    indexed = MPI_COMBINER_INDEXED,
    hindexed = MPI_COMBINER_HINDEXED,
    indexed_block = MPI_COMBINER_INDEXED_BLOCK,
    hindexed_block = MPI_COMBINER_HINDEXED_BLOCK,
    structure = MPI_COMBINER_STRUCT,
    subarray = MPI_COMBINER_SUBARRAY,
    darray = MPI_COMBINER_DARRAY,
    f90_real = MPI_COMBINER_F90_REAL,
    f90_complex = MPI_COMBINER_F90_COMPLEX,
    f90_integer = MPI_COMBINER_F90_INTEGER,
    resized = MPI_COMBINER_RESIZED,
    value_index = MPI_COMBINER_VALUE_INDEX,
};

/// The constructor of a datatype, and how many arguments of each kind it had.
struct TypeEnvelope {
    Combiner combiner;
    MPI_Count integers, addresses, counts, types;
};

/// The arguments of the constructor of a datatype, in the order of the constructor's parameters. Constructors with
/// large counts have counts instead of some integers and addresses. The arguments of a predefined datatype are empty.
struct TypeContents {
    Combiner combiner;
    std::vector<int> integers;
    std::vector<MPI_Aint> addresses;
    std::vector<MPI_Count> counts;
    std::vector<Datatype> types;
};

namespace detail {

inline Fault make_hindexed(std::span<const MPI_Count> lengths, std::span<const MPI_Count> places, MPI_Datatype element,
                           MPI_Datatype* made) {
    if (all_fit_int(lengths))
        return MPI_Type_create_hindexed(static_cast<int>(lengths.size()), converted<int>(lengths).data(),
                                        converted<MPI_Aint>(places).data(), element, made);
    return MPI_Type_create_hindexed_c(static_cast<MPI_Count>(lengths.size()), lengths.data(), places.data(), element,
                                      made);
}
inline Fault make_indexed_block(MPI_Count length, std::span<const MPI_Count> places, MPI_Datatype element,
                                MPI_Datatype* made) {
    if (fits_int(length) && all_fit_int(places))
        return MPI_Type_create_indexed_block(static_cast<int>(places.size()), static_cast<int>(length),
                                             converted<int>(places).data(), element, made);
    return MPI_Type_create_indexed_block_c(static_cast<MPI_Count>(places.size()), length, places.data(), element, made);
}
inline Fault make_hindexed_block(MPI_Count length, std::span<const MPI_Count> places, MPI_Datatype element,
                                 MPI_Datatype* made) {
    if (fits_int(length))
        return MPI_Type_create_hindexed_block(static_cast<int>(places.size()), static_cast<int>(length),
                                              converted<MPI_Aint>(places).data(), element, made);
    return MPI_Type_create_hindexed_block_c(static_cast<MPI_Count>(places.size()), length, places.data(), element,
                                            made);
}
inline Fault make_darray(int rank, std::span<const DistributedDimension> dimensions, MPI_Datatype element,
                         MPI_Datatype* made) {
    const std::size_t many = dimensions.size();
    shared::Room<MPI_Count> sizes(many);
    shared::Room<int> distributions(many), lengths(many), processes(many);
    MPI_Count all = 1;
    for (std::size_t place = 0; place < many; ++place) {
        const DistributedDimension& dimension = dimensions[place];
        sizes[place] = dimension.size;
        distributions[place] = static_cast<int>(dimension.distribution);
        lengths[place] = dimension.block_length.value_or(MPI_DISTRIBUTE_DFLT_DARG);
        processes[place] = dimension.processes;
        all = product(all, dimension.processes);
    }
    if (!fits_int(all)) // it is an int in both functions of MPI
        return {MPI_ERR_ARG, "the dimensions have more processes than an int can count"};
    const int size = static_cast<int>(all);
    const int count = static_cast<int>(many);
    const std::span<const MPI_Count> all_sizes(sizes.data(), many);
    if (all_fit_int(all_sizes))
        return MPI_Type_create_darray(size, rank, count, converted<int>(all_sizes).data(), distributions.data(),
                                      lengths.data(), processes.data(), MPI_ORDER_C, element, made);
    return MPI_Type_create_darray_c(size, rank, count, sizes.data(), distributions.data(), lengths.data(),
                                    processes.data(), MPI_ORDER_C, element, made);
}
/// Resizes a vector that has an address even if it is empty, since some libraries refuse null pointers.
template <class T>
void resize_with_address(std::vector<T>& values, MPI_Count count) {
    values.reserve(static_cast<std::size_t>(count) + 1);
    values.resize(static_cast<std::size_t>(count));
}
struct RawEnvelope {
    MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
    int combiner = MPI_COMBINER_NAMED;
    int ask(MPI_Datatype type) {
        return MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
    }
};
/// Returns a datatype that a query of MPI returned. Only predefined datatypes need not be freed.
inline Datatype from_query(MPI_Datatype type) {
    RawEnvelope its;
    const bool is_unknown = its.ask(type) != MPI_SUCCESS;
    const bool is_predefined = its.combiner == MPI_COMBINER_NAMED || its.combiner == MPI_COMBINER_F90_REAL ||
                               its.combiner == MPI_COMBINER_F90_COMPLEX || its.combiner == MPI_COMBINER_F90_INTEGER ||
                               its.combiner == MPI_COMBINER_VALUE_INDEX;
    return {type, !is_unknown && !is_predefined};
}

} // namespace detail

inline ANYMPI_CALLS result<Datatype> Datatype::hindexed(std::span<const MPI_Count> blocklengths,
                                                        std::span<const MPI_Count> displacements,
                                                        const Datatype& element) {
    if (blocklengths.size() != displacements.size())
        ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "the numbers of displacements and block lengths differ"}),
                    "MPI_Type_create_hindexed", detail::Nowhere{});
    MPI_Datatype made = MPI_DATATYPE_NULL;
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_hindexed", detail::check_time());
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_hindexed",
                   detail::make_hindexed(blocklengths, displacements, element.handle(), &made));
    return commit(made);
}
inline ANYMPI_CALLS result<Datatype>
Datatype::indexed_block(MPI_Count blocklength, std::span<const MPI_Count> displacements, const Datatype& element) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_indexed_block", detail::check_time());
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_indexed_block",
                   detail::make_indexed_block(blocklength, displacements, element.handle(), &made));
    return commit(made);
}
inline ANYMPI_CALLS result<Datatype>
Datatype::hindexed_block(MPI_Count blocklength, std::span<const MPI_Count> displacements, const Datatype& element) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_hindexed_block", detail::check_time());
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_hindexed_block",
                   detail::make_hindexed_block(blocklength, displacements, element.handle(), &made));
    return commit(made);
}
inline ANYMPI_CALLS result<Datatype> Datatype::darray(int rank, std::span<const DistributedDimension> dimensions,
                                                      const Datatype& element) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_darray", detail::check_time());
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_darray",
                   detail::make_darray(rank, dimensions, element.handle(), &made));
    return commit(made);
}
inline ANYMPI_CALLS result<Datatype> Datatype::of_size(TypeClass type_class, int bytes) {
    MPI_Datatype found = MPI_DATATYPE_NULL;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Type_match_size, static_cast<int>(type_class), bytes, &found);
    return Datatype(found, false);
}
inline ANYMPI_CALLS result<Datatype> Datatype::f90_integer(int digits) {
    MPI_Datatype found = MPI_DATATYPE_NULL;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Type_create_f90_integer, digits, &found);
    return Datatype(found, false);
}
inline ANYMPI_CALLS result<Datatype> Datatype::f90_real(std::optional<int> digits, std::optional<int> exponent) {
    MPI_Datatype found = MPI_DATATYPE_NULL;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Type_create_f90_real, digits.value_or(MPI_UNDEFINED),
                exponent.value_or(MPI_UNDEFINED), &found);
    return Datatype(found, false);
}
inline ANYMPI_CALLS result<Datatype> Datatype::f90_complex(std::optional<int> digits, std::optional<int> exponent) {
    MPI_Datatype found = MPI_DATATYPE_NULL;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Type_create_f90_complex, digits.value_or(MPI_UNDEFINED),
                exponent.value_or(MPI_UNDEFINED), &found);
    return Datatype(found, false);
}
inline ANYMPI_CALLS result<std::optional<Datatype>> Datatype::value_index(const Datatype& value,
                                                                          const Datatype& index) {
    MPI_Datatype found = MPI_DATATYPE_NULL;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Type_get_value_index, value.handle(), index.handle(), &found);
    return found == MPI_DATATYPE_NULL ? std::optional<Datatype>()
                                      : std::optional<Datatype>(std::in_place, found, false);
}

inline ANYMPI_CALLS result<Datatype> Datatype::duplicate() const {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    ANYMPI_CALL(where(), MPI_Type_dup, handle(), &made);
    return Datatype(made, true);
}
inline ANYMPI_CALLS result<std::string> Datatype::name() const {
    char text[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    ANYMPI_CALL(where(), MPI_Type_get_name, handle(), text, &length);
    return std::string(text, static_cast<std::size_t>(length));
}
inline ANYMPI_CALLS result<void> Datatype::set_name(const std::string& name) {
    ANYMPI_CALL(where(), MPI_Type_set_name, handle(), name.c_str());
    return detail::done();
}
inline ANYMPI_CALLS result<Datatype::Bounds> Datatype::bounds() const {
    Bounds found{0, 0};
    ANYMPI_CALL(where(), MPI_Type_get_extent_c, handle(), &found.lower, &found.extent);
    return found;
}
inline ANYMPI_CALLS result<Datatype::Bounds> Datatype::true_bounds() const {
    Bounds found{0, 0};
    ANYMPI_CALL(where(), MPI_Type_get_true_extent_c, handle(), &found.lower, &found.extent);
    return found;
}
inline ANYMPI_CALLS result<TypeEnvelope> Datatype::envelope() const {
    detail::RawEnvelope found;
    ANYMPI_REQUIRE(where(), "MPI_Type_get_envelope", detail::check_usable(*this));
    ANYMPI_REQUIRE(where(), "MPI_Type_get_envelope", found.ask(handle()));
    return TypeEnvelope{static_cast<Combiner>(found.combiner), found.integers, found.addresses, found.counts,
                        found.types};
}
inline ANYMPI_CALLS result<TypeContents> Datatype::contents() const {
    detail::RawEnvelope sizes;
    ANYMPI_REQUIRE(where(), "MPI_Type_get_envelope", detail::check_usable(*this));
    ANYMPI_REQUIRE(where(), "MPI_Type_get_envelope", sizes.ask(handle()));
    TypeContents found{static_cast<Combiner>(sizes.combiner), {}, {}, {}, {}};
    if (found.combiner == Combiner::named) // it has no arguments, and asking for them is an error
        return found;
    shared::Room<MPI_Datatype> inner(static_cast<std::size_t>(sizes.types) + 1);
    detail::resize_with_address(found.integers, sizes.integers);
    detail::resize_with_address(found.addresses, sizes.addresses);
    detail::resize_with_address(found.counts, sizes.counts);
    ANYMPI_CALL(where(), MPI_Type_get_contents_c, handle(), sizes.integers, sizes.addresses, sizes.counts, sizes.types,
                found.integers.data(), found.addresses.data(), found.counts.data(), inner.data());
    for (std::size_t place = 0; place + 1 < inner.size(); ++place)
        found.types.push_back(detail::from_query(inner[place]));
    return found;
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
