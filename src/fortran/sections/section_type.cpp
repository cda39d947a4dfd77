#include "fortran/sections/section_type.hpp"

#include "fortran_calls.hpp" // generated

#include <algorithm>
#include <climits>

namespace anympi::fortran {

namespace {

// The large forms are called only if the count needs them: a library may decode datatypes with its small functions,
// which reject datatypes with large counts.

int make_contiguous(std::int64_t count, datatype_handle old, datatype_handle* made) {
    return count <= INT_MAX ? PMPI_Type_contiguous(static_cast<int>(count), old, made)
                            : PMPI_Type_contiguous_c(count, old, made);
}

int make_strided(std::int64_t count, std::int64_t stride, datatype_handle old, datatype_handle* made) {
    return count <= INT_MAX ? PMPI_Type_create_hvector(static_cast<int>(count), 1, stride, old, made)
                            : PMPI_Type_create_hvector_c(count, 1, stride, old, made);
}

// Makes derived datatypes of a section whose units are elements of one datatype. The destructor frees intermediate
// datatypes.
class builder {
public:
    builder(const section& units, datatype_handle type) : units_(units) { items_[0] = type; }
    builder(const builder&) = delete;
    builder& operator=(const builder&) = delete;
    ~builder() {
        for (int i = 0; i < made_; ++i)
            PMPI_Type_free(&types_[i]);
    }

    bool has_succeeded() const { return has_succeeded_; }

    // Returns a datatype for `count` units, starting with unit `first`.
    datatype_handle make_range(std::int64_t first, std::int64_t count) {
        while (count > 0 && has_succeeded_) {
            int level = 0;
            std::int64_t size = 1; // units of an item at that level
            while (level < units_.rank) {
                const std::int64_t larger = size * units_.dimensions[level].extent;
                if (first % larger != 0 || larger > count)
                    break;
                size = larger;
                ++level;
            }
            std::int64_t items = 1;
            if (level < units_.rank) {
                const std::int64_t extent = units_.dimensions[level].extent;
                items = std::min(count / size, extent - first / size % extent);
            }
            add(first, level, items);
            first += items * size;
            count -= items * size;
        }
        return pieces_ == 1 && places_[0] == 0 ? piece_types_[0] : joined();
    }

    datatype_handle make_resized(datatype_handle type, std::int64_t extent) {
        datatype_handle result{};
        return keep_if_made(PMPI_Type_create_resized(type, 0, extent, &result), result);
    }

    // Commits a datatype. The destructor does not free it.
    datatype_handle commit(datatype_handle type) {
        if (has_succeeded_)
            has_succeeded_ = PMPI_Type_commit(&type) == 0;
        datatype_handle* const end = types_ + made_;
        datatype_handle* const found = std::find(types_, end, type);
        if (has_succeeded_ && found != end) {
            *found = end[-1];
            --made_;
        }
        return type;
    }

private:
    static constexpr int max_pieces = 2 * section::max_rank + 1;

    datatype_handle keep_if_made(int code, const datatype_handle& made) {
        if (code != 0)
            has_succeeded_ = false;
        else
            types_[made_++] = made;
        return made;
    }

    // Returns `count` items of a level, with the stride of its dimension.
    datatype_handle make_row(int level, std::int64_t count) {
        const datatype_handle one = item(level);
        datatype_handle result{};
        if (!has_succeeded_ || count == 1)
            return one;
        const std::int64_t stride = units_.dimensions[level].stride;
        if (level == 0 && stride == units_.unit)
            return keep_if_made(make_contiguous(count, one, &result), result);
        return keep_if_made(make_strided(count, stride, one, &result), result);
    }

    // Returns all units of the dimensions below this level.
    datatype_handle item(int level) {
        for (; complete_ < level && has_succeeded_; ++complete_)
            items_[complete_ + 1] = make_row(complete_, units_.dimensions[complete_].extent);
        return items_[level];
    }

    void add(std::int64_t first, int level, std::int64_t items) {
        piece_types_[pieces_] = level < units_.rank ? make_row(level, items) : item(level);
        places_[pieces_] = units_.place_of(first);
        ++pieces_;
    }

    datatype_handle joined() {
        datatype_handle result{};
        int ones[max_pieces];
        std::fill(ones, ones + pieces_, 1);
        return has_succeeded_
                   ? keep_if_made(PMPI_Type_create_struct(pieces_, ones, places_, piece_types_, &result), result)
                   : result;
    }

    const section& units_;
    bool has_succeeded_ = true;
    datatype_handle items_[section::max_rank + 1];
    int complete_ = 0; // the highest level in items_
    datatype_handle types_[section::max_rank + max_pieces + 3];
    int made_ = 0;
    datatype_handle piece_types_[max_pieces];
    std::intptr_t places_[max_pieces];
    int pieces_ = 0;
};

struct bounds {
    std::intptr_t lower, extent, true_lower, true_extent;
};

// An address can hold every extent, so this also works with older libraries without large counts.
bool read_bounds(datatype_handle type, bounds& b) {
    return PMPI_Type_get_extent(type, &b.lower, &b.extent) == 0 &&
           PMPI_Type_get_true_extent(type, &b.true_lower, &b.true_extent) == 0;
}

// Returns true if no element extends beyond its extent, so that elements can tile the units.
bool tiles(const bounds& b) {
    return b.extent > 0 && b.true_lower >= 0 && b.true_lower + b.true_extent <= b.extent;
}

bool is_named(datatype_handle type) {
    std::int64_t integers = 0, addresses = 0, counts = 0, types = 0;
    int combiner = 0;
    return PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner) != 0 ||
           combiner == app::mpi_COMBINER_NAMED || combiner == app::mpi_COMBINER_F90_REAL ||
           combiner == app::mpi_COMBINER_F90_COMPLEX || combiner == app::mpi_COMBINER_F90_INTEGER;
}

// A datatype, and the number of times that the program's datatype contains it. Contiguous datatypes and duplicates can
// be divided, because a part may tile a unit that the whole datatype does not.
class part {
public:
    explicit part(datatype_handle type) : type_(type) {}
    part(const part&) = delete;
    part& operator=(const part&) = delete;
    ~part() { release(); }

    datatype_handle type() const { return type_; }
    std::int64_t times() const { return times_; }

    bool divide() {
        std::int64_t integers = 0, addresses = 0, counts = 0, types = 0;
        int combiner = 0;
        if (PMPI_Type_get_envelope_c(type_, &integers, &addresses, &counts, &types, &combiner) != 0)
            return false;
        const bool contiguous = combiner == app::mpi_COMBINER_CONTIGUOUS;
        if (!contiguous && combiner != app::mpi_COMBINER_DUP)
            return false;
        int number = 1;
        std::int64_t unused = 0, large_number = 1;
        datatype_handle inner{};
        if (PMPI_Type_get_contents_c(type_, integers, addresses, counts, types, &number, &unused, &large_number,
                                     &inner) != 0)
            return false;
        release();
        type_ = inner;
        owned_ = !is_named(inner);
        times_ *= !contiguous ? 1 : counts > 0 ? large_number : number;
        return true;
    }

private:
    void release() {
        if (owned_)
            PMPI_Type_free(&type_);
        owned_ = false;
    }

    datatype_handle type_;
    std::int64_t times_ = 1;
    bool owned_ = false;
};

// A section divided into elements of a datatype, or of a part of the datatype.
struct tiling {
    section units;
    part element;
    bounds b{};

    tiling(const section& where, datatype_handle type) : units(where), element(type) {}

    // Divides the datatype until its elements tile the units of the section, then divides the units into elements.
    fit divide() {
        for (;;) {
            if (!read_bounds(element.type(), b))
                return fit::failed;
            if (tiles(b) && units.divide(b.extent))
                return fit::good;
            if (!element.divide())
                return fit::copy;
        }
    }
};

fit finish(builder& types, datatype_handle type, std::int64_t count, description& result) {
    result = {count, types.commit(type), true};
    return types.has_succeeded() ? fit::good : fit::failed;
}

} // namespace

fit describe(const section& where, std::int64_t offset, std::int64_t count, datatype_handle type, description& result) {
    result = {count, type};
    if (count <= 0 || offset < 0)
        return fit::good; // nothing to describe, or an error that MPI reports
    tiling tiled(where, type);
    if (const fit found = tiled.divide(); found != fit::good)
        return found;
    const section& units = tiled.units;
    const std::int64_t extent = tiled.b.extent;
    count *= tiled.element.times();
    if (offset % extent != 0)
        return fit::copy;
    const std::int64_t first = offset / extent;
    if (first + count > units.units())
        return fit::too_small;
    if (count == 0 || (first == 0 && count * extent <= where.unit))
        return fit::good;
    builder types(units, tiled.element.type());
    return finish(types, types.make_range(first, count), 1, result);
}

fit describe_blocks(const section& where, std::int64_t count, datatype_handle type, description& result) {
    result = {count, type};
    if (count <= 0)
        return fit::good;
    tiling tiled(where, type);
    if (const fit found = tiled.divide(); found != fit::good)
        return found;
    const section& units = tiled.units;
    count *= tiled.element.times();
    if (units.rank == 0)
        return fit::good;
    const section::dimension last = units.dimensions[units.rank - 1];
    const std::int64_t size = units.units() / last.extent; // units of an item of the last dimension
    if (count % size != 0 || last.stride <= 0)
        return fit::copy;
    if (count > units.units())
        return fit::too_small;
    builder types(units, tiled.element.type());
    const datatype_handle block = types.make_range(0, count);
    return finish(types, types.has_succeeded() ? types.make_resized(block, count / size * last.stride) : block, 1,
                  result);
}

fit describe_elements(const section& where, datatype_handle type, description& result) {
    result = {0, type};
    section units = where;
    bounds b{};
    if (!read_bounds(type, b))
        return fit::failed;
    if (!tiles(b) || !units.divide(b.extent) || units.rank != 1 || units.dimensions[0].stride <= 0)
        return fit::copy;
    builder types(units, type);
    return finish(types, types.make_resized(type, units.dimensions[0].stride), 0, result);
}

} // namespace anympi::fortran
