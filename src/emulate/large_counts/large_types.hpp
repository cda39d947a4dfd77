#pragma once

#include "emulate/large_counts/large_contents.hpp"

namespace anympi::emulate {

// Constructors of datatypes with large counts. If all numbers fit into an int, or an argument is invalid, the small
// form is called, so that the runtime makes its best datatype or reports the error. Otherwise the datatype is built
// from pieces.

template <class Fits>
bool all_fit(const std::int64_t* numbers, std::int64_t count, Fits each) {
    return numbers == nullptr || std::all_of(numbers, numbers + std::max<std::int64_t>(count, 0), each);
}

/// An array of large numbers, converted for the small forms.
class small_numbers {
public:
    small_numbers(const std::int64_t* numbers, std::int64_t count) : list(numbers, count) {
        if (!list.lacks_memory())
            list.fill(numbers, count, clamped);
    }
    bool lacks_memory() const { return list.lacks_memory(); }
    const int* argument() { return list.argument(); }

private:
    array_in<int> list;
};

/// Sets the bounds that MPI defines for a datatype that was built from pieces, and returns the datatype to the program.
template <class Run>
int give(int code, temporary_type<Run>& made, const bounds& wanted, type_of<Run>* newtype) {
    if (code == 0)
        code = set_bounds<Run>(made, wanted);
    if (code == 0)
        *newtype = made.take();
    return code;
}

template <class Run>
int remember_one(int code, type_of<Run>* made, int combiner, argument_list<int> integers,
                 argument_list<std::int64_t> counts, word type) {
    const auto inside = static_cast<type_of<Run>>(type);
    return code != 0 ? code : remember<Run>(made, combiner, integers, counts, &inside, 1);
}

// ---- regular datatypes ----

/// Makes blocks of a datatype at equal distances, in bytes.
template <class Run>
int make_large_vector(std::int64_t count, std::int64_t length, std::int64_t stride, word type, type_of<Run>* newtype) {
    if (length == 0)
        return library<Run>.Type_contiguous(0, type, newtype);
    bounds of_one{};
    if (const int code = read_bounds<Run>(type, &of_one); code != 0)
        return code;
    temporary_type<Run> block;
    temporary_type<Run> made;
    int code = make_strided<Run>(length, of_one.extent(), type, block.out());
    if (code == 0)
        code = make_strided<Run>(count, stride, block, made.out());
    return give<Run>(code, made, of_one.repeated(length, of_one.extent()).repeated(count, stride), newtype);
}

/// Like make_large_vector, with a distance in extents of the datatype.
template <class Run>
int make_large_vector_of_extents(std::int64_t count, std::int64_t length, std::int64_t stride, word type,
                                 type_of<Run>* newtype) {
    bounds of_one{};
    const int code = read_bounds<Run>(type, &of_one);
    return code != 0 ? code : make_large_vector<Run>(count, length, stride * of_one.extent(), type, newtype);
}

template <class Run>
int Type_contiguous_c(std::int64_t count, word type, type_of<Run>* newtype) {
    const bool is_small = newtype == nullptr || count < 0 || fits(count);
    const int code = is_small ? library<Run>.Type_contiguous(clamped(count), type, newtype)
                              : make_large_vector<Run>(1, count, 0, type, newtype);
    return remember_one<Run>(code, newtype, Run::mpi_COMBINER_CONTIGUOUS, {}, {{&count, 1}}, type);
}

template <class Run>
int Type_vector_c(std::int64_t count, std::int64_t length, std::int64_t stride, word type, type_of<Run>* newtype) {
    const bool is_small = newtype == nullptr || count < 0 || (fits(count) && fits(length) && fits_signed(stride));
    const int code = is_small
                         ? library<Run>.Type_vector(clamped(count), clamped(length), clamped(stride), type, newtype)
                         : make_large_vector_of_extents<Run>(count, length, stride, type, newtype);
    return remember_one<Run>(code, newtype, Run::mpi_COMBINER_VECTOR, {}, {{&count, 1}, {&length, 1}, {&stride, 1}},
                             type);
}

template <class Run>
int Type_create_hvector_c(std::int64_t count, std::int64_t length, std::int64_t stride, word type,
                          type_of<Run>* newtype) {
    const bool is_small = newtype == nullptr || count < 0 || (fits(count) && fits(length));
    const int code = is_small ? library<Run>.Type_create_hvector(clamped(count), clamped(length), stride, type, newtype)
                              : make_large_vector<Run>(count, length, stride, type, newtype);
    return remember_one<Run>(code, newtype, Run::mpi_COMBINER_HVECTOR, {}, {{&count, 1}, {&length, 1}, {&stride, 1}},
                             type);
}

template <class Run>
int Type_create_resized_c(word type, std::int64_t lower, std::int64_t extent, type_of<Run>* newtype) {
    const int code = library<Run>.Type_create_resized(type, lower, extent, newtype);
    return remember_one<Run>(code, newtype, Run::mpi_COMBINER_RESIZED, {}, {{&lower, 1}, {&extent, 1}}, type);
}

// ---- datatypes with a list of displacements ----

enum class unit : unsigned char { byte, extent };

/// Makes blocks of one datatype. Their displacements are in bytes or in extents, and `length_at` returns their lengths.
template <class Run, class LengthAt>
int make_large_indexed(std::int64_t count, const LengthAt& length_at, const std::int64_t* places, unit of_places,
                       word type, type_of<Run>* newtype) {
    bounds of_one{};
    if (const int code = read_bounds<Run>(type, &of_one); code != 0)
        return code;
    const std::int64_t bytes = of_places == unit::byte ? 1 : of_one.extent();
    const auto piece_at = [&](std::int64_t i) { return piece{length_at(i), places[i] * bytes, type}; };
    bounds all{0, 0};
    bool is_empty = true;
    for (std::int64_t i = 0; i < count; ++i) {
        const piece here = piece_at(i);
        if (here.length == 0)
            continue;
        const bounds block = of_one.repeated(here.length, of_one.extent()).moved(here.place);
        all = is_empty ? block : all.with(block);
        is_empty = false;
    }
    temporary_type<Run> made;
    const int code = assemble_pieces<Run>(0, count, piece_at, made.out());
    return give<Run>(code, made, all, newtype);
}

/// An array of displacements for the small forms: ints for displacements in extents, unchanged for displacements in
/// bytes.
template <unit Of>
struct small_places : small_numbers {
    using small_numbers::small_numbers;
    static bool can_hold(const std::int64_t* places, std::int64_t count) { return all_fit(places, count, fits_signed); }
};
template <>
class small_places<unit::byte> {
public:
    small_places(const std::int64_t* places, std::int64_t /* count */) : given(places) {}
    static bool can_hold(const std::int64_t* /* places */, std::int64_t /* count */) { return true; }
    static bool lacks_memory() { return false; }
    const std::int64_t* argument() { return given; }

private:
    const std::int64_t* given;
};

/// Makes blocks with a length for each. `small` is the small form.
template <class Run, unit Of, class Small>
int make_indexed(Small small, int combiner, std::int64_t count, const std::int64_t* lengths, const std::int64_t* places,
                 word type, type_of<Run>* newtype) {
    const bool is_wrong = newtype == nullptr || count < 0 || (count > 0 && (lengths == nullptr || places == nullptr));
    int code = 0;
    if (is_wrong || (fits(count) && all_fit(lengths, count, fits) && small_places<Of>::can_hold(places, count))) {
        small_numbers lengths_(lengths, count);
        small_places<Of> places_(places, count);
        if (lengths_.lacks_memory() || places_.lacks_memory())
            return raise<Run>(Run::mpi_ERR_NO_MEM);
        code = small(clamped(count), lengths_.argument(), places_.argument(), type, newtype);
    } else {
        const auto length_at = [&](std::int64_t i) { return lengths[i]; };
        code = make_large_indexed<Run>(count, length_at, places, Of, type, newtype);
    }
    return remember_one<Run>(code, newtype, combiner, {}, {{&count, 1}, {lengths, count}, {places, count}}, type);
}

/// Makes blocks of equal length.
template <class Run, unit Of, class Small>
int make_indexed_block(Small small, int combiner, std::int64_t count, std::int64_t length, const std::int64_t* places,
                       word type, type_of<Run>* newtype) {
    const bool is_wrong = newtype == nullptr || count < 0 || (count > 0 && places == nullptr);
    int code = 0;
    if (is_wrong || (fits(count) && fits(length) && small_places<Of>::can_hold(places, count))) {
        small_places<Of> places_(places, count);
        if (places_.lacks_memory())
            return raise<Run>(Run::mpi_ERR_NO_MEM);
        code = small(clamped(count), clamped(length), places_.argument(), type, newtype);
    } else {
        const auto length_at = [&](std::int64_t) { return length; };
        code = make_large_indexed<Run>(count, length_at, places, Of, type, newtype);
    }
    return remember_one<Run>(code, newtype, combiner, {}, {{&count, 1}, {&length, 1}, {places, count}}, type);
}

template <class Run>
int Type_indexed_c(std::int64_t count, const std::int64_t* lengths, const std::int64_t* places, word type,
                   type_of<Run>* newtype) {
    return make_indexed<Run, unit::extent>(library<Run>.Type_indexed, Run::mpi_COMBINER_INDEXED, count, lengths, places,
                                           type, newtype);
}

template <class Run>
int Type_create_hindexed_c(std::int64_t count, const std::int64_t* lengths, const std::int64_t* places, word type,
                           type_of<Run>* newtype) {
    return make_indexed<Run, unit::byte>(library<Run>.Type_create_hindexed, Run::mpi_COMBINER_HINDEXED, count, lengths,
                                         places, type, newtype);
}

template <class Run>
int Type_create_indexed_block_c(std::int64_t count, std::int64_t length, const std::int64_t* places, word type,
                                type_of<Run>* newtype) {
    return make_indexed_block<Run, unit::extent>(library<Run>.Type_create_indexed_block,
                                                 Run::mpi_COMBINER_INDEXED_BLOCK, count, length, places, type, newtype);
}

template <class Run>
int Type_create_hindexed_block_c(std::int64_t count, std::int64_t length, const std::int64_t* places, word type,
                                 type_of<Run>* newtype) {
    return make_indexed_block<Run, unit::byte>(library<Run>.Type_create_hindexed_block,
                                               Run::mpi_COMBINER_HINDEXED_BLOCK, count, length, places, type, newtype);
}

/// The bounds are not changed: they are the runtime's, which pads the structure.
template <class Run>
int Type_create_struct_c(std::int64_t count, const std::int64_t* lengths, const std::int64_t* places,
                         const type_of<Run>* types, type_of<Run>* newtype) {
    const bool is_wrong =
        newtype == nullptr || count < 0 || (count > 0 && (lengths == nullptr || places == nullptr || types == nullptr));
    int code = 0;
    if (is_wrong || (fits(count) && all_fit(lengths, count, fits))) {
        small_numbers lengths_(lengths, count);
        if (lengths_.lacks_memory())
            return raise<Run>(Run::mpi_ERR_NO_MEM);
        code = library<Run>.Type_create_struct(clamped(count), lengths_.argument(), places, types, newtype);
    } else {
        code = assemble_pieces<Run>(
            0, count,
            [&](std::int64_t i) {
                return piece{lengths[i], places[i], types[i]};
            },
            newtype);
    }
    if (code != 0)
        return code;
    return remember<Run>(newtype, Run::mpi_COMBINER_STRUCT, {}, {{&count, 1}, {lengths, count}, {places, count}}, types,
                         count);
}

// ---- subarrays and distributed arrays ----

/// Builds an array dimension by dimension, starting with the one whose elements are contiguous. `add` gets each
/// dimension and the distance of its elements in bytes, and makes the next datatype from the previous one.
template <class Run, class Add>
int make_large_array(int dimensions, const std::int64_t* sizes, int order, word type, const Add& add,
                     type_of<Run>* newtype) {
    bounds of_one{};
    int code = read_bounds<Run>(type, &of_one);
    std::int64_t stride = of_one.extent();
    temporary_type<Run> made;
    for (int i = 0; i < dimensions && code == 0; ++i) {
        const int dimension = order == Run::mpi_ORDER_C ? dimensions - 1 - i : i;
        temporary_type<Run> inner;
        *inner.out() = made.take();
        code = add(dimension, stride, i == 0 ? type : word{inner}, made.out());
        stride *= sizes[dimension];
    }
    return give<Run>(code, made, {0, stride}, newtype);
}

/// Makes `count` elements, starting with the element at index `first`.
template <class Run>
int part_of_dimension(std::int64_t first, std::int64_t count, std::int64_t stride, word type, type_of<Run>* made) {
    temporary_type<Run> elements;
    if (const int code = make_strided<Run>(count, stride, type, elements.out()); code != 0)
        return code;
    const std::intptr_t place = first * stride;
    return library<Run>.Type_create_hindexed_block(1, 1, &place, elements, made);
}

template <class Run>
int make_large_subarray(int dimensions, const std::int64_t* sizes, const std::int64_t* subsizes,
                        const std::int64_t* starts, int order, word type, type_of<Run>* newtype) {
    for (int i = 0; i < dimensions; ++i)
        if (subsizes[i] < 1 || subsizes[i] > sizes[i] || starts[i] < 0 || starts[i] > sizes[i] - subsizes[i])
            return raise<Run>(Run::mpi_ERR_ARG);
    if (order != Run::mpi_ORDER_C && order != Run::mpi_ORDER_FORTRAN)
        return raise<Run>(Run::mpi_ERR_ARG);
    const auto add = [&](int i, std::int64_t stride, word inner, type_of<Run>* made) {
        return part_of_dimension<Run>(starts[i], subsizes[i], stride, inner, made);
    };
    return make_large_array<Run>(dimensions, sizes, order, type, add, newtype);
}

template <class Run>
int Type_create_subarray_c(int dimensions, const std::int64_t* sizes, const std::int64_t* subsizes,
                           const std::int64_t* starts, int order, word type, type_of<Run>* newtype) {
    const bool is_wrong =
        newtype == nullptr || dimensions < 1 || sizes == nullptr || subsizes == nullptr || starts == nullptr;
    int code = 0;
    if (is_wrong || (all_fit(sizes, dimensions, fits) && all_fit(subsizes, dimensions, fits) &&
                     all_fit(starts, dimensions, fits))) {
        small_numbers sizes_(sizes, dimensions);
        small_numbers subsizes_(subsizes, dimensions);
        small_numbers starts_(starts, dimensions);
        if (sizes_.lacks_memory() || subsizes_.lacks_memory() || starts_.lacks_memory())
            return raise<Run>(Run::mpi_ERR_NO_MEM);
        code = library<Run>.Type_create_subarray(dimensions, sizes_.argument(), subsizes_.argument(),
                                                 starts_.argument(), order, type, newtype);
    } else {
        code = make_large_subarray<Run>(dimensions, sizes, subsizes, starts, order, type, newtype);
    }
    return remember_one<Run>(code, newtype, Run::mpi_COMBINER_SUBARRAY, {{&dimensions, 1}, {&order, 1}},
                             {{sizes, dimensions}, {subsizes, dimensions}, {starts, dimensions}}, type);
}

/// The share of one process in one dimension: one block of `length` elements in each round over `processes`.
struct share {
    std::int64_t length;
    int processes;
    int mine;

    std::int64_t round() const { return length * processes; }
    std::int64_t first() const { return length * mine; }
    std::int64_t full_blocks(std::int64_t size) const {
        return size < first() + length ? 0 : (size - first() - length) / round() + 1;
    }
    /// Returns the length of the block after the full blocks.
    std::int64_t rest(std::int64_t size) const {
        return std::max<std::int64_t>(0, std::min(length, size - first() - full_blocks(size) * round()));
    }
};

/// Returns the share of a process. A length of 0 means that the arguments are invalid.
template <class Run>
share share_of(std::int64_t size, int distribution, int argument, int processes, int mine) {
    const bool is_default = argument == Run::mpi_DISTRIBUTE_DFLT_DARG;
    const std::int64_t even = (size + processes - 1) / processes;
    if (distribution == Run::mpi_DISTRIBUTE_NONE)
        return {processes == 1 ? size : 0, 1, 0};
    if (distribution == Run::mpi_DISTRIBUTE_BLOCK)
        return {is_default ? even : (argument >= even ? argument : 0), processes, mine};
    if (distribution == Run::mpi_DISTRIBUTE_CYCLIC)
        return {is_default ? 1 : std::max(argument, 0), processes, mine};
    return {0, 1, 0};
}

template <class Run>
int make_shared_dimension(std::int64_t size, const share& has, std::int64_t stride, word type, type_of<Run>* made) {
    const std::int64_t full = has.full_blocks(size);
    temporary_type<Run> block;
    temporary_type<Run> blocks;
    temporary_type<Run> last;
    int code = make_strided<Run>(has.length, stride, type, block.out());
    if (code == 0)
        code = make_strided<Run>(full, has.round() * stride, block, blocks.out());
    if (code == 0)
        code = make_strided<Run>(has.rest(size), stride, type, last.out());
    if (code != 0)
        return code;
    // MPICH's true extent would include empty blocks.
    const int lengths[] = {full != 0 ? 1 : 0, has.rest(size) != 0 ? 1 : 0};
    const std::intptr_t places[] = {has.first() * stride, (has.first() + full * has.round()) * stride};
    const type_of<Run> types[] = {blocks, last};
    return library<Run>.Type_create_struct(2, lengths, places, types, made);
}

template <class Run>
int make_large_darray(int size, int rank, int dimensions, const std::int64_t* sizes, const int* distributions,
                      const int* arguments, const int* processes, int order, word type, type_of<Run>* newtype) {
    scratch<share, 16> shares(static_cast<std::size_t>(dimensions));
    if (shares.lacks_memory())
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    bool is_right = rank >= 0 && rank < size && (order == Run::mpi_ORDER_C || order == Run::mpi_ORDER_FORTRAN);
    std::int64_t below = 1; // number of processes with the same place in the previous dimensions; ranks are in C order
    for (int i = dimensions - 1; i >= 0 && is_right; --i) {
        is_right = processes[i] > 0 && sizes[i] > 0;
        if (!is_right)
            break;
        share& here = shares[static_cast<std::size_t>(i)];
        const auto mine = static_cast<int>(rank / below % processes[i]);
        here = share_of<Run>(sizes[i], distributions[i], arguments[i], processes[i], mine);
        is_right = here.length > 0;
        below *= processes[i];
    }
    if (!is_right || below != size)
        return raise<Run>(Run::mpi_ERR_ARG);
    const auto add = [&](int i, std::int64_t stride, word inner, type_of<Run>* made) {
        return make_shared_dimension<Run>(sizes[i], shares[static_cast<std::size_t>(i)], stride, inner, made);
    };
    return make_large_array<Run>(dimensions, sizes, order, type, add, newtype);
}

template <class Run>
int Type_create_darray_c(int size, int rank, int dimensions, const std::int64_t* sizes, const int* distributions,
                         const int* arguments, const int* processes, int order, word type, type_of<Run>* newtype) {
    const bool is_wrong = newtype == nullptr || dimensions < 1 || sizes == nullptr || distributions == nullptr ||
                          arguments == nullptr || processes == nullptr;
    int code = 0;
    if (is_wrong || all_fit(sizes, dimensions, fits)) {
        small_numbers sizes_(sizes, dimensions);
        if (sizes_.lacks_memory())
            return raise<Run>(Run::mpi_ERR_NO_MEM);
        code = library<Run>.Type_create_darray(size, rank, dimensions, sizes_.argument(), distributions, arguments,
                                               processes, order, type, newtype);
    } else {
        code = make_large_darray<Run>(size, rank, dimensions, sizes, distributions, arguments, processes, order, type,
                                      newtype);
    }
    return remember_one<Run>(code, newtype, Run::mpi_COMBINER_DARRAY,
                             {{&size, 1},
                              {&rank, 1},
                              {&dimensions, 1},
                              {distributions, dimensions},
                              {arguments, dimensions},
                              {processes, dimensions},
                              {&order, 1}},
                             {{sizes, dimensions}}, type);
}

} // namespace anympi::emulate
