#pragma once

#include <cstddef>
#include <cstdint>

namespace anympi::fortran {

/// What a compiler says of an actual argument whose dummy is TYPE(*), DIMENSION(..): the CFI_cdesc_t of
/// ISO_Fortran_binding.h. Only the members with a name here mean the same to all compilers.
struct descriptor {
    static constexpr int max_rank = 15;

    struct dimension {
        std::intptr_t lower_bound;
        std::intptr_t extent; ///< -1: the last one of an assumed-size array
        std::intptr_t stride; ///< bytes from one element to the next
    };

    void* address;
    std::size_t element;
    std::int32_t version_;
    std::int8_t rank;
    std::int8_t attribute_;
    std::int16_t type_;
    dimension dimensions[max_rank];
};
static_assert(offsetof(descriptor, rank) == 20 && offsetof(descriptor, dimensions) == 24);

/// Whether more than one dimension leaves the elements without gaps, in their order.
bool is_contiguous_array(const descriptor& buffer);

/// Whether the elements lie in memory one after the other. Scalars, which sentinels are, and arrays of one dimension
/// are decided here.
[[gnu::always_inline]] inline bool is_contiguous(const descriptor& buffer) {
    if (buffer.rank == 0)
        return true;
    if (buffer.rank == 1 && static_cast<std::size_t>(buffer.dimensions[0].stride) == buffer.element)
        return true;
    return is_contiguous_array(buffer);
}

} // namespace anympi::fortran
