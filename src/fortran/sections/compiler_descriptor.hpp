#pragma once

#include "convert/descriptor.hpp"

namespace anympi::fortran {

/// gfortran's descriptor of an array, for procedures that are not BIND(C).
struct gfortran_descriptor {
    struct dimension {
        std::intptr_t stride; // distance of two elements, in spans
        std::intptr_t lower;
        std::intptr_t upper; // -1 for the last dimension of an assumed-size array
    };

    void* address;
    std::intptr_t offset;
    std::size_t element;
    std::int32_t version;
    std::int8_t rank;
    std::int8_t type;
    std::int16_t attribute;
    std::intptr_t span; // in bytes
    dimension dimensions[descriptor::max_rank];
};
static_assert(offsetof(gfortran_descriptor, rank) == 28 && offsetof(gfortran_descriptor, dimensions) == 40);

/// Converts the descriptor that a compiler passes to procedures that are not BIND(C) to the standard's descriptor.
class standard_form {
public:
    /// Not inline, so that the procedures stay small.
    [[gnu::noinline]] explicit standard_form(const void* passed) {
        const auto* const standard = static_cast<const descriptor*>(passed);
        if (standard->version_ == flang_version) {
            result = standard;
            return;
        }
        const auto* const own = static_cast<const gfortran_descriptor*>(passed);
        made.address = own->address;
        made.element = own->element;
        made.rank =
            own->element != 0 ? own->rank : std::int8_t{0}; // 0 means another compiler: only the address is known
        for (int i = 0; i < made.rank; ++i)
            made.dimensions[i] = standard_dimension(*own, i);
    }
    /// Describes a text, which compilers pass without a descriptor.
    standard_form(const char* text, int length) {
        made.address = const_cast<char*>(text);
        made.element = static_cast<std::size_t>(length);
        made.rank = 0;
    }
    standard_form(const standard_form&) = delete;
    standard_form& operator=(const standard_form&) = delete;

    operator const descriptor*() const { return result; }

private:
    /// Flang always passes the standard's descriptor. gfortran's descriptor has the length of an element at the place
    /// of the version.
    static constexpr std::int32_t flang_version = 20180515;

    static descriptor::dimension standard_dimension(const gfortran_descriptor& own, int place) {
        const gfortran_descriptor::dimension& given = own.dimensions[place];
        const bool is_open = place + 1 == own.rank && given.upper == -1 && given.lower >= 0;
        const std::intptr_t extent = given.upper - given.lower + 1;
        return {given.lower, is_open ? -1 : extent < 0 ? 0 : extent, given.stride * own.span};
    }

    descriptor made;
    const descriptor* result = &made;
};

} // namespace anympi::fortran
