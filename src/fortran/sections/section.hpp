#pragma once

#include "convert/descriptor.hpp"

namespace anympi::fortran {

/// Returns true if the elements lie in memory one after the other, in their order.
bool is_contiguous(const descriptor& buffer);

/// A section of an array. To MPI it is one contiguous buffer that does not exist: byte n of that buffer is byte n of
/// the elements in array element order. This class joins elements into units as long as possible, with as few
/// dimensions as possible.
struct section {
    static constexpr int max_rank = descriptor::max_rank + 1; // the elements inside of a unit may become a dimension

    struct dimension {
        std::int64_t extent, stride;
    };

    char* address;
    std::int64_t unit; // bytes
    int rank;
    dimension dimensions[max_rank];

    explicit section(const descriptor& buffer);

    std::int64_t units() const;
    std::int64_t bytes() const { return units() * unit; }
    /// Returns the distance in bytes from the first unit to the unit with this number.
    std::int64_t place_of(std::int64_t number) const;
    /// Makes the units shorter. Returns false if `bytes` does not divide them.
    bool divide(std::int64_t bytes);

    /// Copies the section to a buffer of bytes().
    void read(char* to) const;
    /// Copies back the bytes that differ from `before`, what the buffer held at the start. The program may have written
    /// the others meanwhile.
    void write(const char* from, const char* before) const;
};

} // namespace anympi::fortran
