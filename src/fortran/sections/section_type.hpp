#pragma once

#include "fortran/core/app.hpp"
#include "fortran/sections/section.hpp"

namespace anympi::fortran {

using datatype_handle = c_handle<object::datatype>;

/// What MPI is given instead of (count, datatype) for a section, with the address of its first element.
struct typed {
    std::int64_t count;
    datatype_handle type;
    bool made = false; ///< free `type` after the call
};

enum class fit {
    good,      ///< `typed` says it without a copy
    copy,      ///< no datatype can say it: a contiguous copy of the section is needed
    too_small, ///< the section has not so many elements
    failed,    ///< MPI refused: the datatype is wrong, most likely
};

/// `count` elements of `type` that begin `offset` bytes into the section.
fit describe(const section& where, std::int64_t offset, std::int64_t count, datatype_handle type, typed& result);

/// Blocks of `count` elements of `type`, one behind the other: the buffer of a gather, a scatter, partitions.
fit describe_blocks(const section& where, std::int64_t count, datatype_handle type, typed& result);

/// Any numbers of elements of `type` at any multiples of its extent: `result.count` is meaningless, counts and
/// displacements stay.
fit describe_elements(const section& where, datatype_handle type, typed& result);

} // namespace anympi::fortran
