#include "emulate/sessions/around_start.hpp"

#include "front/common/bind.hpp"
#include "runtime/launch/launcher.hpp"
#include "runtime/open/rebind.hpp"

namespace anympi {

namespace {

runtime::launch launcher;

} // namespace

void runtime_started() {
    runtime::rebind_plugins();
}

bool launched_with_others() {
    return launcher.size > 1;
}

void before_start() {
    launcher = runtime::detect_launcher();
    runtime::check_before_init(bound_runtime().mpi, launcher);
}

void after_start(int world_size, bool has_parent) {
    runtime::check_after_init(bound_runtime().mpi, launcher, world_size, has_parent);
}

} // namespace anympi
