/* Measures how much stack the first MPI call of a process uses. A thread with a painted stack makes the call.

   With the name of a library as argument, the thread opens that library instead, as every first call does: the
   constructors of some MPI libraries use much stack themselves. */
#define _GNU_SOURCE
#include <mpi.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { stack_size = 1 << 20, paint = 0xa5 };

static void* first_call(void* library) {
    int flag = -1;
    if (library)
        return dlopen(library, RTLD_LAZY | RTLD_LOCAL) ? "opened" : NULL;
    return MPI_Initialized(&flag) == MPI_SUCCESS && flag == 0 ? "called" : NULL;
}

static void* nothing(void* unused) {
    return unused;
}

/* Returns the number of bytes that a thread has used of its stack. */
static size_t touched_by(void* (*body)(void*), void* argument, void** result) {
    unsigned char* const stack =
        mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        abort();
    memset(stack, paint, stack_size);
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) || pthread_attr_setstack(&attributes, stack, stack_size) ||
        pthread_create(&thread, &attributes, body, argument) || pthread_join(thread, result))
        abort();
    size_t clean = 0;
    while (clean < stack_size && stack[clean] == paint)
        ++clean;
    return stack_size - clean;
}

int main(int count, char** arguments) {
    void* result = NULL;
    const size_t threads_own = touched_by(nothing, NULL, &result);
    const size_t used = touched_by(first_call, count > 1 ? arguments[1] : NULL, &result);
    if (!result)
        return 1;
    printf("stack: %zu\n", used - threads_own);
    return 0;
}
