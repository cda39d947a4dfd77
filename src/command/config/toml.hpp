#pragma once

#include <stdexcept>

// toml++ 3.3 tells the compiler to assume what it has not checked: a file that begins with `[ !` is undefined
// behaviour in an optimised build. Here the assumptions are assertions instead: one that fails is an error in the
// file.

namespace anympi::command {

[[noreturn]] inline void refuse_assumption() {
    throw std::invalid_argument("is no TOML that can be understood");
}

} // namespace anympi::command

#undef NDEBUG
#define TOML_ENABLE_FORMATTERS 0 // nothing is written
#define TOML_ASSERT(condition) ((condition) ? void() : anympi::command::refuse_assumption())
#include <toml++/toml.h>
