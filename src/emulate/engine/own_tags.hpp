#pragma once

#include "emulate/engine/error.hpp"

namespace anympi::emulate {

/// The tags of anympi's messages on the program's communicators: the upper half of the runtime's tags, which programs
/// use least.
struct tag_range {
    int first;
    int count;
};

/// Returns the range of tags. MPI guarantees 32768 tags.
template <class Run>
tag_range own_tags() {
    int* largest = nullptr;
    int is_there = 0;
    library<Run>.Comm_get_attr(predefined<Run>(standard::mpi_COMM_WORLD), Run::mpi_TAG_UB, &largest, &is_there);
    const int last = is_there != 0 ? *largest : 32767;
    const int first = last / 2 + 1;
    return {first, last - first + 1};
}

} // namespace anympi::emulate
