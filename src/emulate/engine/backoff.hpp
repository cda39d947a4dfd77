#pragma once

#include <sched.h>

namespace anympi::emulate {

/// The pause between two rounds of a polling loop. Most operations end soon, and on a busy machine a process that
/// yields resumes late, so the first rounds do not yield. Later rounds do, because the process that is waited for may
/// need the core.
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
