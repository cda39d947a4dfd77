#pragma once

#include <cstddef>
#include <cstdint>

namespace anympi::fortran {

/// The descriptor that a Fortran compiler passes for an argument that is declared TYPE(*), DIMENSION(..): the
/// CFI_cdesc_t of ISO_Fortran_binding.h. Members whose names end with an underscore have no common meaning among
/// compilers.
struct descriptor {
    static constexpr int max_rank = 15;

    struct dimension {
        std::intptr_t lower_bound;
        std::intptr_t extent; // -1 for the last dimension of an assumed-size array
        std::intptr_t stride; // distance of two elements in bytes
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

/// Returns true for the most frequent contiguous buffers, without a loop: scalars (including sentinels), vectors and
/// matrices.
[[gnu::always_inline]] inline bool is_plain(const descriptor& buffer) {
    if (buffer.rank == 0)
        return true;
    const descriptor::dimension& first = buffer.dimensions[0];
    if (static_cast<std::size_t>(first.stride) != buffer.element)
        return false;
    return buffer.rank == 1 || (buffer.rank == 2 && buffer.dimensions[1].stride == first.stride * first.extent);
}

/// Returns true if all buffers are scalars (including sentinels) and the program passes no ierror. One test checks all
/// of this.
template <class... Descriptor>
[[gnu::always_inline]] inline bool are_scalars_without(const int* ierror, const Descriptor&... buffers) {
    const auto ranks = static_cast<unsigned char>((buffers.rank | ...)); // bytes, which one instruction reads and joins
    return (ranks | reinterpret_cast<std::uintptr_t>(ierror)) == 0;
}

} // namespace anympi::fortran
