#pragma once

#include "base/stubs.hpp"

namespace anympi::bridge {

/// Makes the stub of a function of the program. A null function stays null: the runtime refuses it, or takes an earlier
/// callback away.
inline void* program_stub(void* user_function, void* converter) {
    return user_function != nullptr ? stub_for(user_function, converter) : nullptr;
}

/// Returns true if the program gave a pointer and there was no memory for what stands for it.
inline bool lacks_counterpart(const void* program, const void* ours) {
    return program != nullptr && ours == nullptr;
}

} // namespace anympi::bridge
