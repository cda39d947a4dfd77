#include "command/cli/this_machine.hpp"

namespace anympi::command {

runtime::machine this_machine() {
    return {};
}

} // namespace anympi::command
