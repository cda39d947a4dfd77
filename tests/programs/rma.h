// The windows that some runtimes cannot create; only this file knows which.
#ifndef RMA_H
#define RMA_H

#include "check.h"

/// Handles the code that the creation of a window returned. Collective, like the creation.
static inline int window_made(const char* function, int code) {
    // Debian's Open MPI 4.1 is configured without osc/pt2pt and has no other component for a world of one rank.
    if (check_ranks == 1 && check_runtime_is("Open MPI v4") && check_class_of(code) == MPI_ERR_WIN) {
        check_skip(function, "this Open MPI has no windows of one rank");
        return 0;
    }
    return CHECK_OK(code);
}

/// MPICH 3.4 over libfabric crashes if a process accumulates into its own window in a world of one rank.
static inline int accumulate_offered(void) {
    if (check_ranks == 1 && check_runtime_is("MPICH Version:\t3.")) {
        check_skip("accumulate", "MPICH 3 may end the job with one rank");
        return 0;
    }
    return 1;
}

#endif
