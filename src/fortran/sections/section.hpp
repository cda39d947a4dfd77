#pragma once

#include "convert/descriptor.hpp"

namespace anympi::fortran {

/// Returns true if the elements are contiguous and in order.
bool is_contiguous(const descriptor& buffer);

/// A section of an array. For MPI it is one contiguous buffer that does not exist: byte n of that buffer is byte n of
/// the elements in array element order. This class joins elements into the longest possible units, with as few
/// dimensions as possible.
struct section {
    /// One more, because the elements of a unit may become a dimension.
    static constexpr int max_rank = descriptor::max_rank + 1;

    struct dimension {
        std::int64_t extent, stride;
    };

    char* address;
    std::int64_t unit; // in bytes
    int rank;
    dimension dimensions[max_rank];

    explicit section(const descriptor& buffer);

    std::int64_t units() const;
    std::int64_t bytes() const { return units() * unit; }
    /// Returns the distance in bytes from the first unit to unit `number`.
    std::int64_t place_of(std::int64_t number) const;
    /// Divides the units into units of `bytes`. Returns false if that is impossible.
    bool divide(std::int64_t bytes);

    /// Copies the section to a buffer of bytes() bytes.
    void read(char* to) const;
    /// Copies back the bytes that differ from `before`, the contents of the buffer at the start. The program may have
    /// written to all other bytes meanwhile.
    void write(const char* from, const char* before) const;
};

} // namespace anympi::fortran
