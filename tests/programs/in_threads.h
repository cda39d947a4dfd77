// For programs whose threads call MPI at the same time, each with its neighbors in the ring of all ranks. Must be
// included after check.h; needs -pthread.
#ifndef IN_THREADS_H
#define IN_THREADS_H

#include "check.h"
#include <pthread.h>

enum { threads = 4 };

static int left, right; // ranks of the neighbors

/// Runs `body` in each thread, with a pointer to the number of the thread, and meanwhile `here`, if it is not NULL, in
/// this thread. Collective.
static inline void run_in_threads(void* (*body)(void*), void (*here)(void)) {
    pthread_t handles[threads];
    int numbers[threads];
    for (int thread = 0; thread < threads; thread++) {
        numbers[thread] = thread;
        CHECK_INT(pthread_create(&handles[thread], NULL, body, &numbers[thread]), 0);
    }
    if (here)
        here();
    for (int thread = 0; thread < threads; thread++)
        CHECK_INT(pthread_join(handles[thread], NULL), 0);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
}

/// Begins the program. Returns false if the library does not provide MPI_THREAD_MULTIPLE; all tested libraries do.
static inline int begin_for_threads(int* argc, char*** argv) {
    int provided = -1;
    check_start();
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    check_join();
    left = (check_rank + check_ranks - 1) % check_ranks;
    right = (check_rank + 1) % check_ranks;
    return CHECK_INT(provided, MPI_THREAD_MULTIPLE);
}

#endif
