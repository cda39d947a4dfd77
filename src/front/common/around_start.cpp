#include "front/common/around_start.hpp"

#include "emulate/engine/start_checks.hpp"
#include "front/common/bind_runtime.hpp"
#include "runtime/launch/launcher.hpp"
#include "runtime/open/rebind.hpp"

namespace anympi {

namespace {

runtime::launch launcher;

void detect_and_check_launcher() {
    launcher = runtime::detect_launcher();
    runtime::check_before_init(bound_runtime().mpi, launcher);
}

bool is_launched_with_others() {
    return launcher.size > 1;
}

void check_started(int world_size, bool has_parent) {
    runtime::check_after_init(bound_runtime().mpi, launcher, world_size, has_parent);
}

} // namespace

void set_start_checks() {
    launcher_check = {.before_start = detect_and_check_launcher,
                      .runtime_started = runtime::rebind_plugins,
                      .is_launched_with_others = is_launched_with_others,
                      .after_start = check_started};
}

} // namespace anympi
