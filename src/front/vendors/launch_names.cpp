#include "front/common/app.hpp"
#include "runtime/launch/launcher.hpp"

namespace anympi {

// Runs when the front is loaded, before any code of the program.
[[gnu::constructor]] static void name_the_launch() {
    runtime::set_launcher_variables(runtime::family_of(app::name), runtime::detect_launcher());
}

} // namespace anympi
