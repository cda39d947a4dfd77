#include "front/common/app.hpp"
#include "runtime/launch/launcher.hpp"

namespace anympi {

// When the front is loaded, before anything of the program runs.
[[gnu::constructor]] static void name_the_launch() {
    runtime::set_launcher_variables(runtime::family_of(app::name), runtime::detect_launcher());
}

} // namespace anympi
