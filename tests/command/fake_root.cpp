// The machine is a folder: paths such as /usr/lib and /etc begin at FAKE_ROOT.
#include "command/cli/this_machine.hpp"

#include <cstdlib>

namespace anympi::command {

runtime::machine this_machine() {
    const char* root = std::getenv("FAKE_ROOT");
    return {root ? root : ""};
}

} // namespace anympi::command
