// Finds out which library hangs, for programs that sometimes hang even without anympi and are tried again (`// hangs
// natively: …`). A hang of anympi must not be mistaken for a hang of the library. Must be included after check.h, with
// _GNU_SOURCE.
//
// The library hangs if one of its calls does not return. If the time is up inside the library, the process continues
// for some seconds, one instruction at a time: an instruction of the front shows that the call has returned, and that
// the front calls the library again and again. An emulated operation whose part in the library never completes also
// looks like that. On processors other than x86-64 every hang counts as the library's. Only the thread that gets the
// signal is examined.
#pragma once

#include <dlfcn.h>
#include <execinfo.h>
#include <ucontext.h>

#ifndef HANG_SECONDS
#define HANG_SECONDS 5 // less than the driver waits after the program's own time limit
#endif

static const void* hang_front;

static inline const void* hang_object_of(const void* address) {
    Dl_info found;
    return dladdr(address, &found) ? found.dli_fbase : NULL;
}

static inline void hang_end(const char* text) {
    if (write(2, text, strlen(text)) < 0)
        _exit(1);
    check_on_signal(SIGALRM);
}

/// Returns the object of the innermost function that is neither in the C library nor in the program.
static inline const void* hang_innermost(void) {
    const void* const libc = hang_object_of(dlsym(RTLD_DEFAULT, "nanosleep"));
    const void* const program = hang_object_of((const void*)(uintptr_t)hang_innermost);
    void* frames[64];
    const int count = backtrace(frames, 64);
    for (int i = 0; i < count; i++) {
        const void* const object = hang_object_of(frames[i]);
        if (object != NULL && object != libc && object != program)
            return object;
    }
    return NULL;
}

static inline void hang_handle(int number, void (*handler)(int, siginfo_t*, void*)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO;
    sigaction(number, &action, NULL);
}

#ifdef __x86_64__
static inline void hang_step(int number, siginfo_t* info, void* context) {
    (void)number, (void)info;
    const uintptr_t at = (uintptr_t)((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
    if (hang_object_of((const void*)at) == hang_front)
        hang_end("the front hangs\n");
}
static inline void hang_go_on_in_steps(void* context) {
    enum { trap_flag = 0x100 };
    hang_handle(SIGTRAP, hang_step);
    ((ucontext_t*)context)->uc_mcontext.gregs[REG_EFL] |= trap_flag;
}
#else
static inline void hang_go_on_in_steps(void* context) {
    (void)context;
}
#endif

static inline void hang_tell(int number, siginfo_t* info, void* context) {
    static int has_gone_on;
    (void)number, (void)info;
    if (has_gone_on)
        hang_end("the library hangs\n");
    const void* const object = hang_innermost();
    if (object == NULL || object == hang_front)
        hang_end(object != NULL ? "the front hangs\n" : "");
    has_gone_on = 1;
    alarm(HANG_SECONDS);
    hang_go_on_in_steps(context);
}

/// Must be called after check_start. The first call of backtrace loads a library, which must not happen while the
/// process hangs.
static inline void hang_watch(void) {
    void* frame;
    backtrace(&frame, 1);
    hang_front = hang_object_of(dlsym(RTLD_DEFAULT, "MPI_Init"));
    hang_handle(SIGALRM, hang_tell);
}
