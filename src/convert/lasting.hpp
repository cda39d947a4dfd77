#pragma once

#include "convert/pair.hpp"

#include <atomic>

namespace anympi {

/// Converted arrays that a pending operation still reads (MPI_Ialltoallw and its like), kept under the number of its
/// request until a completion call makes that request null. While there are none, completion calls pay one test.
class lasting_arrays {
public:
    /// Takes over `block` (from malloc).
    void keep(word request, void* block);
    void release(word request);

    bool any() const { return alive.load(std::memory_order_relaxed) != 0; }

private:
    std::atomic<int> alive{0};
};
[[gnu::visibility("hidden")]] extern lasting_arrays lasting;

/// A place that holds this value as long as the process lives, the same one whenever it is asked for; nullptr: no
/// memory.
word* lasting_copy(word value);

} // namespace anympi
