#pragma once

namespace anympi {

/// What a front does around the start of MPI, whatever the pair: is this process where its launcher thinks it is?

/// The runtime has opened most of its plug-ins by now: those that it opened by a bare name are bound to it.
void runtime_started();

/// Whether the launcher says that there are other processes.
bool launched_with_others();

/// Stops the job if launcher and runtime are known not to fit.
void before_start();

/// Stops the job if each of its processes turned out to be alone.
void after_start(int world_size, bool has_parent);

} // namespace anympi
