#pragma once

#include "base/array.hpp"
#include "emulate/engine/error.hpp"
#include "emulate/large_counts/narrow.hpp"

#include <algorithm>

namespace anympi::emulate {

// Datatypes with counts that do not fit into an int, built from several datatypes of the runtime. Callers need not
// check the counts: a negative count is an error of class MPI_ERR_ARG.

/// An intermediate datatype. It is freed at the end of its scope, because other datatypes keep what they need of it.
template <class Run>
class temporary_type {
public:
    temporary_type() = default;
    ~temporary_type() {
        if (!is_library_null<Run, object::datatype>(handle))
            library<Run>.Type_free(&handle);
    }
    temporary_type(const temporary_type&) = delete;
    temporary_type& operator=(const temporary_type&) = delete;

    type_of<Run>* out() { return &handle; }
    operator type_of<Run>() const { return handle; }
    type_of<Run> take() {
        const type_of<Run> taken = handle;
        handle = library_null<Run, object::datatype>();
        return taken;
    }

private:
    type_of<Run> handle = library_null<Run, object::datatype>();
};

/// The bounds of a datatype in bytes. The bounds of several datatypes together are the outermost ones.
struct bounds {
    std::int64_t lower;
    std::int64_t upper;

    bounds moved(std::int64_t by) const { return {lower + by, upper + by}; }
    bounds repeated(std::int64_t count, std::int64_t stride) const {
        if (count == 0)
            return {0, 0};
        const std::int64_t last = (count - 1) * stride;
        return {lower + std::min<std::int64_t>(0, last), upper + std::max<std::int64_t>(0, last)};
    }
    bounds with(const bounds& other) const { return {std::min(lower, other.lower), std::max(upper, other.upper)}; }
    std::int64_t extent() const { return upper - lower; }
};

template <class Run>
int read_bounds(word type, bounds* found) {
    std::int64_t lower = 0;
    std::int64_t extent = 0;
    const int code = library<Run>.Type_get_extent_x(type, &lower, &extent);
    *found = {lower, lower + extent};
    return code;
}

/// Sets the bounds of a datatype if they differ, because the runtime may have padded a structure.
template <class Run>
int set_bounds(temporary_type<Run>& type, const bounds& wanted) {
    bounds found{};
    if (const int code = read_bounds<Run>(type, &found); code != 0)
        return code;
    if (found.lower == wanted.lower && found.upper == wanted.upper)
        return 0;
    temporary_type<Run> unbounded;
    *unbounded.out() = type.take();
    return library<Run>.Type_create_resized(unbounded, wanted.lower, wanted.extent(), type.out());
}

/// Makes `count` elements at distances of `stride` bytes. The bounds may be too wide. If the stride is the extent
/// (`is_dense`), other constructors are used, which the file functions of runtimes handle better (MPICH 3.4).
template <class Run>
int make_strided(std::int64_t count, std::int64_t stride, word type, type_of<Run>* made, bool is_dense = false) {
    static_assert(narrow_limit > 1);
    if (count < 0)
        return raise<Run>(Run::mpi_ERR_ARG);
    if (fits(count))
        return is_dense ? library<Run>.Type_contiguous(static_cast<int>(count), type, made)
                        : library<Run>.Type_create_hvector(static_cast<int>(count), 1, stride, type, made);
    const std::int64_t full = count / part_count;
    const std::int64_t rest = count % part_count;
    temporary_type<Run> row;
    temporary_type<Run> rows;
    temporary_type<Run> last;
    int code = make_strided<Run>(part_count, stride, type, row.out(), is_dense);
    if (code == 0)
        code = make_strided<Run>(full, part_count * stride, row, rows.out(), is_dense);
    if (code == 0 && rest != 0)
        code = make_strided<Run>(rest, stride, type, last.out(), is_dense);
    if (code != 0)
        return code;
    const int lengths[] = {1, 1};
    const std::intptr_t places[] = {0, full * part_count * stride};
    const type_of<Run> types[] = {rows, last};
    return library<Run>.Type_create_struct(rest != 0 ? 2 : 1, lengths, places, types, made);
}

/// Makes `count` elements without gaps. The bounds may be too wide.
template <class Run>
int make_repeated(std::int64_t count, word type, type_of<Run>* made) {
    bounds of_one{};
    if (const int code = read_bounds<Run>(type, &of_one); code != 0)
        return code;
    return make_strided<Run>(count, of_one.extent(), type, made, true);
}

/// A block of a datatype that is built from several blocks.
struct piece {
    std::int64_t length;
    std::int64_t place; // in bytes
    word type;
};

/// Makes a datatype from the pieces `first` to `first` + `count` - 1. `piece_at` returns a piece. `count` must fit.
template <class Run, class PieceAt>
int join_pieces(std::int64_t first, std::int64_t count, const PieceAt& piece_at, type_of<Run>* made) {
    const auto size = static_cast<std::size_t>(count);
    scratch<int, 64> lengths(size);
    scratch<std::intptr_t, 64> places(size);
    scratch<type_of<Run>, 64> types(size);
    if (lengths.lacks_memory() || places.lacks_memory() || types.lacks_memory())
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    int code = 0;
    std::size_t ready = 0;
    for (; ready < size && code == 0; ++ready) {
        const piece here = piece_at(first + static_cast<std::int64_t>(ready));
        places[ready] = here.place;
        lengths[ready] = fits(here.length) ? static_cast<int>(here.length) : 1;
        types[ready] = fits(here.length) ? static_cast<type_of<Run>>(here.type) : library_null<Run, object::datatype>();
        if (!fits(here.length))
            code = make_repeated<Run>(here.length, here.type, &types[ready]);
    }
    if (code == 0)
        code =
            library<Run>.Type_create_struct(static_cast<int>(count), lengths.data(), places.data(), types.data(), made);
    for (std::size_t i = 0; i < ready; ++i)
        if (!fits(piece_at(first + static_cast<std::int64_t>(i)).length) &&
            !is_library_null<Run, object::datatype>(types[i]))
            library<Run>.Type_free(&types[i]);
    return code;
}

/// Like join_pieces, for any number of pieces. Too many pieces are joined in groups.
template <class Run, class PieceAt>
int assemble_pieces(std::int64_t first, std::int64_t count, const PieceAt& piece_at, type_of<Run>* made) {
    if (fits(count))
        return join_pieces<Run>(first, count, piece_at, made);
    constexpr auto limit = static_cast<std::int64_t>(narrow_limit);
    std::int64_t size = limit; // size of a group
    while (count / size >= limit)
        size *= limit;
    scratch<type_of<Run>, 64> groups(static_cast<std::size_t>(count / size + 1));
    if (groups.lacks_memory())
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    int code = 0;
    std::int64_t made_groups = 0;
    for (std::int64_t at = 0; at < count && code == 0; at += size) {
        code = assemble_pieces<Run>(first + at, std::min(size, count - at), piece_at,
                                    &groups[static_cast<std::size_t>(made_groups)]);
        made_groups += code == 0 ? 1 : 0;
    }
    const auto group_at = [&](std::int64_t i) { return piece{1, 0, groups[static_cast<std::size_t>(i)]}; };
    if (code == 0)
        code = join_pieces<Run>(0, made_groups, group_at, made);
    for (std::int64_t i = 0; i < made_groups; ++i)
        library<Run>.Type_free(&groups[static_cast<std::size_t>(i)]);
    return code;
}

} // namespace anympi::emulate
