#include "emulate/engine/override.hpp"

#include <algorithm>
#include <atomic>

namespace anympi::emulate {

override_listener* function_was_overridden = nullptr;
override_filter* is_left_out = nullptr;

namespace {

// Each override of the register is installed at most once.
installed_override installed[override_count];
std::atomic<int> installed_count{0};

} // namespace

void note_override(const installed_override& made) {
    if (const int place = installed_count.fetch_add(1, std::memory_order_relaxed); place < override_count)
        installed[place] = made;
    if (function_was_overridden != nullptr)
        function_was_overridden(made.place, made.before);
}

int count_overrides() {
    return std::min(installed_count.load(std::memory_order_relaxed), override_count);
}

const installed_override& override_at(int index) {
    return installed[index];
}

} // namespace anympi::emulate
