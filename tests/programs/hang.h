// Who hangs: for programs that hang natively now and then, and are tried again (`// hangs natively: …`). A hang of ours
// must not pass for one of the library. To be included after check.h, with _GNU_SOURCE.
#pragma once

#include <dlfcn.h>
#include <execinfo.h>

static inline const void* hang_object_of(const void* address) {
    Dl_info found;
    return dladdr(address, &found) ? found.dli_fbase : NULL;
}

// The innermost function that is not the C library's decides. An operation of ours that never completes, and asks the
// library again and again, therefore counts as the library's: what it asks for is the library's to complete.
static inline void hang_tell(int number) {
    static const char in_front[] = "the front hangs\n", in_library[] = "the library hangs\n";
    const void* const front = hang_object_of(dlsym(RTLD_DEFAULT, "MPI_Init"));
    const void* const libc = hang_object_of(dlsym(RTLD_DEFAULT, "nanosleep"));
    const void* const program = hang_object_of((const void*)(uintptr_t)hang_tell);
    void* frames[64];
    const int count = backtrace(frames, 64);
    for (int i = 0; i < count; i++) {
        const void* const object = hang_object_of(frames[i]);
        if (object == NULL || object == libc || object == program)
            continue;
        const char* const text = object == front ? in_front : in_library;
        if (write(2, text, strlen(text)) < 0)
            _exit(1);
        break;
    }
    check_on_signal(number);
}

// After check_start. The first call of backtrace loads a library, which must not happen while the process hangs.
static inline void hang_watch(void) {
    void* frame;
    backtrace(&frame, 1);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = hang_tell;
    sigaction(SIGALRM, &action, NULL);
}
