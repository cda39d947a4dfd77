#pragma once

#include "fortran/core/c_abi.hpp"
#include "fortran/sections/section.hpp"

namespace anympi::fortran {

using datatype_handle = c_handle<object::datatype>;

/// The count and the datatype that describe a section to MPI, together with the address of its first element.
struct description {
    std::int64_t count;
    datatype_handle type;
    bool made = false; // true if `type` must be freed after the call
};

enum class fit {
    good,      // the description works, without a copy
    copy,      // no datatype can describe the section: MPI needs a contiguous copy
    too_small, // the section has fewer elements
    failed,    // MPI returned an error: the datatype is probably invalid
};

/// Describes `count` elements of `type` that begin `offset` bytes into the section.
fit describe(const section& where, std::int64_t offset, std::int64_t count, datatype_handle type, description& result);

/// Describes contiguous blocks of `count` elements of `type`: the buffer of a gather, a scatter, or partitions.
fit describe_blocks(const section& where, std::int64_t count, datatype_handle type, description& result);

/// Describes any number of elements of `type` at any multiples of its extent. The caller keeps its counts and
/// displacements; `result.count` has no meaning.
fit describe_elements(const section& where, datatype_handle type, description& result);

} // namespace anympi::fortran
