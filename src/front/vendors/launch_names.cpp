#include "front/common/app.hpp"
#include "runtime/launch/launcher.hpp"

namespace anympi {

/// When the front is loaded, before anything of the program runs.
[[gnu::constructor]] static void name_the_launch() {
    runtime::speak_as_launcher_of(runtime::family_of(app::name), runtime::detect_launcher());
}

} // namespace anympi
