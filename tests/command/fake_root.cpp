// The fake machine is a folder, FAKE_ROOT: paths such as /usr/lib and /etc are relative to it.
#include "command/cli/this_machine.hpp"

#include <cstdlib>

namespace anympi::command {

runtime::machine this_machine() {
    const char* root = std::getenv("FAKE_ROOT");
    return {root ? root : ""};
}

} // namespace anympi::command
