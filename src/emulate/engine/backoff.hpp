#pragma once

#include <sched.h>

namespace anympi::emulate {

/// What a loop does between two rounds of asking. Most operations end soon, and on a busy machine a process that yields
/// comes back late: at first it does not. Later it does, since the one that it waits for may need the core.
class backoff {
public:
    void pause() {
        if (rounds < without_yielding)
            ++rounds;
        else
            sched_yield();
    }

private:
    static constexpr int without_yielding = 1000;
    int rounds = 0;
};

} // namespace anympi::emulate
