// Makes an MPICH that polls UCX yield the core while it waits. Its progress engine never yields, so with more ranks
// than cores a test of a second takes a minute. This function is preloaded and replaces UCX's own. After some empty
// polls in a row it sleeps for a moment, and then polls as often again: most waits are short, and a process that sends
// to itself polls without an event each time. Do not use it to measure speed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

typedef unsigned progress_function(void* worker);

static progress_function* real_progress(void) {
    static progress_function* found;
    if (!found) {
        // Not RTLD_NEXT: UCX may belong to a library that was opened locally, outside the global scope.
        void* ucx = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
        found = ucx ? (progress_function*)dlsym(ucx, "ucp_worker_progress") : NULL;
        if (!found)
            abort();
    }
    return found;
}

unsigned ucp_worker_progress(void* worker) {
    static __thread int empty_polls;
    unsigned events = real_progress()(worker);
    if (events)
        empty_polls = 0;
    else if (++empty_polls > 20) {
        const struct timespec moment = {0, 20000};
        empty_polls = 0;
        nanosleep(&moment, NULL);
    }
    return events;
}
