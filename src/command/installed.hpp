#pragma once

#include "runtime/choose.hpp"

#include <optional>
#include <vector>

namespace anympi::command {

// The MPIs of this machine as a process started here and now would see them.
struct survey {
    std::vector<runtime::library> libraries; // each file once, in the order of the search
    std::optional<runtime::choice> chosen;   // none: stderr has the reason
};

survey look_around();

} // namespace anympi::command
