/* Two threads make the first MPI call: one directly, the other in the constructor of a library that it opens, so
   that it holds the loader's lock. Neither thread may wait for a lock of the other one.

   The library is built from the same file with -DPLUGIN. The program is linked with -rdynamic. */
#define _GNU_SOURCE
#include <mpi.h>

extern void let_the_other_thread_call(void);

#ifdef PLUGIN

__attribute__((constructor)) static void call_when_opened(void) {
    int flag = -1;
    let_the_other_thread_call();
    MPI_Initialized(&flag);
}

#else

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_ready, may_call, caller_id;

static void* call(void* unused) {
    int flag = -1;
    caller_id = (int)syscall(SYS_gettid);
    __atomic_store_n(&is_ready, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&may_call, __ATOMIC_ACQUIRE)) /* awake, so that a sleeping thread is one in the call */
        sched_yield();
    MPI_Initialized(&flag);
    return flag == 0 ? "called" : unused;
}

/* Returns the state of the other thread. R: running, S: sleeping, Z: ended. */
static char state_of_caller(void) {
    char name[64], state = 'Z';
    snprintf(name, sizeof name, "/proc/self/task/%d/stat", caller_id);
    FILE* const file = fopen(name, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'Z';
    if (file)
        fclose(file);
    return state;
}

/* Returns when the other thread waits for something, or has finished its call, or after ten seconds. */
void let_the_other_thread_call(void) {
    __atomic_store_n(&may_call, 1, __ATOMIC_RELEASE);
    for (int tries = 0, asleep = 0; tries < 1000 && asleep < 10; tries++) {
        const char state = state_of_caller();
        if (state == 'Z')
            return;
        asleep = state == 'S' ? asleep + 1 : 0;
        usleep(10 * 1000);
    }
}

int main(int count, char** arguments) {
    pthread_t caller;
    void* result = NULL;
    if (count != 2 || pthread_create(&caller, NULL, call, NULL))
        return 2;
    while (!__atomic_load_n(&is_ready, __ATOMIC_ACQUIRE))
        sched_yield();
    if (!dlopen(arguments[1], RTLD_NOW)) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    if (pthread_join(caller, &result) || !result)
        return 1;
    puts("both called");
    return 0;
}

#endif
