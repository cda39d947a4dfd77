#include "fortran/sections/section.hpp"

#include <cstring>

namespace anympi::fortran {

bool is_contiguous(const descriptor& buffer) {
    const descriptor::dimension* const end = buffer.dimensions + buffer.rank;
    if (buffer.rank == 0 || buffer.element == 0 || end[-1].extent < 0)
        return true;
    for (const auto* d = buffer.dimensions; d != end; ++d)
        if (d->extent == 0)
            return true;
    auto expected = static_cast<std::intptr_t>(buffer.element);
    for (const auto* d = buffer.dimensions; d != end; ++d) {
        if (d->extent != 1 && d->stride != expected)
            return false;
        expected *= d->extent;
    }
    return true;
}

section::section(const descriptor& buffer)
    : address(static_cast<char*>(buffer.address)), unit(static_cast<std::int64_t>(buffer.element)), rank(0) {
    for (int i = 0; i < buffer.rank; ++i) {
        const auto [lower_bound, extent, stride] = buffer.dimensions[i];
        if (extent == 1)
            continue;
        if (rank == 0 && stride == unit)
            unit *= extent;
        else if (rank > 0 && stride == dimensions[rank - 1].stride * dimensions[rank - 1].extent)
            dimensions[rank - 1].extent *= extent;
        else
            dimensions[rank++] = {extent, stride};
    }
}

std::int64_t section::units() const {
    std::int64_t product = 1;
    for (int i = 0; i < rank; ++i)
        product *= dimensions[i].extent;
    return product;
}

std::int64_t section::place_of(std::int64_t number) const {
    std::int64_t place = 0;
    for (int i = 0; i < rank; ++i) {
        place += number % dimensions[i].extent * dimensions[i].stride;
        number /= dimensions[i].extent;
    }
    return place;
}

bool section::divide(std::int64_t bytes) {
    if (bytes <= 0 || unit % bytes != 0)
        return false;
    if (unit == bytes)
        return true;
    std::memmove(dimensions + 1, dimensions, static_cast<std::size_t>(rank) * sizeof(dimension));
    dimensions[0] = {unit / bytes, bytes};
    ++rank;
    unit = bytes;
    return true;
}

namespace {

// Calls `visit` with each unit and its offset in the contiguous buffer, in order.
template <class Visit>
void for_each_unit(const section& s, Visit visit) {
    const std::int64_t rows = s.rank == 0 ? 1 : s.units() / s.dimensions[0].extent;
    const std::int64_t width = s.rank == 0 ? 1 : s.dimensions[0].extent;
    const std::int64_t stride = s.rank == 0 ? 0 : s.dimensions[0].stride;
    std::int64_t offset = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        char* unit = s.address + s.place_of(row * width);
        for (std::int64_t i = 0; i < width; ++i, unit += stride, offset += s.unit)
            visit(unit, offset);
    }
}

} // namespace

void section::read(char* to) const {
    for_each_unit(*this, [&](const char* from, std::int64_t offset) {
        std::memcpy(to + offset, from, static_cast<std::size_t>(unit));
    });
}

void section::write(const char* from, const char* before) const {
    for_each_unit(*this, [&](char* to, std::int64_t offset) {
        for (std::int64_t i = 0; i < unit; ++i)
            if (from[offset + i] != before[offset + i])
                to[i] = from[offset + i];
    });
}

} // namespace anympi::fortran
