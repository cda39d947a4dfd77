#pragma once

#include "convert/descriptor.hpp"

namespace anympi::fortran {

/// Returns true if the elements lie in memory one after the other, in their order.
bool is_contiguous(const descriptor& buffer);

/// A section of an array. To MPI it is one contiguous buffer that does not exist: byte n of that buffer is byte n of
/// the elements in array element order. Here its elements are units, as long as possible, and its dimensions as few as
/// possible.
struct section {
    static constexpr int max_rank = descriptor::max_rank + 1; ///< the elements inside of a unit may become a dimension

    struct dimension {
        std::int64_t extent, stride;
    };

    char* address;
    std::int64_t unit; ///< bytes
    int rank;
    dimension dimensions[max_rank];

    explicit section(const descriptor& buffer);

    std::int64_t units() const;
    std::int64_t bytes() const { return units() * unit; }
    /// Where the unit with this number is, in bytes from the first.
    std::int64_t place_of(std::int64_t number) const;
    /// The same with units of fewer bytes; false if these do not divide the units.
    bool divide(std::int64_t bytes);

    /// Copies all that the section has to a buffer of bytes().
    void read(char* to) const;
    /// Copies back what has changed since the buffer was equal to `before`. What an operation did not write may have
    /// been written by the program meanwhile.
    void write(const char* from, const char* before) const;
};

} // namespace anympi::fortran
