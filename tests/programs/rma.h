// Windows that some runtimes cannot make: the one place that knows which.
#ifndef RMA_H
#define RMA_H

#include "check.h"

/// For the code that a window's creation returned; collective like it.
static inline int window_made(const char* function, int code) {
    // Debian's Open MPI 4.1 leaves osc/pt2pt out by configuration and has nothing else for a world of one rank.
    if (check_ranks == 1 && check_runtime_is("Open MPI v4") && check_class_of(code) == MPI_ERR_WIN) {
        check_skip(function, "this Open MPI has no windows of one rank");
        return 0;
    }
    return CHECK_OK(code);
}

/// MPICH 3.4 over libfabric ends a process that accumulates into its own window in a world of one rank.
static inline int accumulate_offered(void) {
    if (check_ranks == 1 && check_runtime_is("MPICH Version:\t3.")) {
        check_skip("accumulate", "MPICH 3 may end the job with one rank");
        return 0;
    }
    return 1;
}

#endif
