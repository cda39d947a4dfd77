#define _GNU_SOURCE
#include "scarce_memory.h"

#include "mpi.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// ---- which allocations are anympi's ----

struct range {
    uintptr_t begin, end;
};
static struct range ours[2]; // the front, and the Fortran procedures if the program has them
static int ranges;

static int add_range(struct dl_phdr_info* object, size_t size, void* address) {
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr)* part = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
        if (part->p_type == PT_LOAD && part->p_flags & PF_X && (uintptr_t)address - begin < end - begin) {
            ours[ranges++] = (struct range){begin, end};
            return 1;
        }
    }
    return 0;
}

static int is_ours(const void* caller) {
    for (int i = 0; i < ranges; i++)
        if ((uintptr_t)caller - ours[i].begin < ours[i].end - ours[i].begin)
            return 1;
    return 0;
}

// ---- allocations ----

static __thread int countdown;    // the allocation that makes it 0 fails; 0 means that no allocation fails
static __thread int was_injected; // since the last call of scarce_arm

// Returns true if this allocation must fail.
static int fails(const void* caller) {
    if (countdown == 0 || !is_ours(caller) || --countdown != 0)
        return 0;
    was_injected = 1;
    errno = ENOMEM;
    return 1;
}

// Blocks that anympi holds, hashed by address. They show whether a failed call has freed all of its blocks.
enum { HELD_PLACES = 1 << 20 };
static uintptr_t held[HELD_PLACES];
static __thread int held_count; // blocks of this thread, which frees in a call what it has allocated there

static uintptr_t* place_of(uintptr_t block) {
    return &held[(block >> 4) * 2654435761u % HELD_PLACES];
}

// A block whose entry is already used is not counted. This can only hide a leak, and there are few such blocks.
static void* counted(void* block, const void* caller) {
    uintptr_t nobody = 0;
    if (block && is_ours(caller) &&
        __atomic_compare_exchange_n(place_of((uintptr_t)block), &nobody, (uintptr_t)block, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
        held_count++;
    return block;
}

static void uncount(void* block) {
    uintptr_t known = (uintptr_t)block;
    if (block && __atomic_compare_exchange_n(place_of(known), &known, 0, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        held_count--;
}

// The C library's own functions, under the names that it offers for such replacements.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void __libc_free(void* block);

void* malloc(size_t size) {
    const void* caller = __builtin_return_address(0);
    return fails(caller) ? NULL : counted(__libc_malloc(size), caller);
}

void* calloc(size_t count, size_t size) {
    const void* caller = __builtin_return_address(0);
    return fails(caller) ? NULL : counted(__libc_calloc(count, size), caller);
}

void* realloc(void* block, size_t size) {
    const void* caller = __builtin_return_address(0);
    if (fails(caller))
        return NULL;
    void* result = __libc_realloc(block, size);
    if (result || size == 0)
        uncount(block);
    return counted(result, caller);
}

void free(void* block) {
    uncount(block);
    __libc_free(block);
}

char* strdup(const char* text) {
    const void* caller = __builtin_return_address(0);
    size_t size = strlen(text) + 1;
    char* copy = fails(caller) ? NULL : counted(__libc_malloc(size), caller);
    return copy ? memcpy(copy, text, size) : NULL;
}

void* mmap(void* where, size_t size, int protection, int flags, int file, off_t offset) {
    if (fails(__builtin_return_address(0)))
        return MAP_FAILED;
    return (void*)syscall(SYS_mmap, where, size, protection, flags, file, offset);
}

// A plug-in that the MPI library opens during a call does not belong to the call. (Without memory the library prints a
// message and does not use the plug-in, which is not anympi's concern.)
void* dlopen(const char* path, int flags) {
    static void* (*next)(const char*, int);
    if (!next)
        next = (void* (*)(const char*, int))dlsym(RTLD_NEXT, "dlopen");
    if (countdown != 0 && is_ours(__builtin_return_address(0)))
        countdown = 0;
    return next(path, flags);
}

// ---- calls ----

static __thread int depth;
static int is_ready; // errors are returned

// Prints functions whose failures were seen, for the driver, if SCARCE_MEMORY_LIST=1.
static void list(const char* name, int number, const char* outcome) {
    if (getenv("SCARCE_MEMORY_LIST"))
        fprintf(stderr, "scarce: %s allocation %d %s\n", name, number, outcome);
}

static void complain(const struct scarce_call* call, const char* what, int code) {
    printf("FAILED %s without memory for allocation %d: %s (code %d)\n", call->name, call->fails, what, code);
    fflush(stdout);
}

struct scarce_call scarce_begin(const char* name) {
    struct scarce_call call = {name, 0, 0, 0, countdown, 0};
    countdown = 0;
    return call;
}

// A call inside a callback of the program is made without failures.
void scarce_arm(struct scarce_call* call) {
    was_injected = depth++ > 0 && was_injected;
    if (depth > 1 || !is_ready || call->fails >= SCARCE_MOST || call->wanted != 0)
        return;
    call->before = held_count;
    countdown = ++call->fails;
}

static int class_of(const char* name, int code) {
    int class = code;
    if (strncmp(name, "MPI_T_", 6) != 0)
        PMPI_Error_class(code, &class);
    return class;
}

int scarce_done(struct scarce_call* call, int code) {
    int was_injected_here = was_injected && depth == 1;
    countdown = 0;
    if (--depth > 0) {
        countdown = call->outer;
        return 1;
    }
    if (call->wanted != 0 && code != call->wanted)
        complain(call, "another error than MPI_ERR_NO_MEM, and none with memory", call->wanted);
    if (!was_injected_here)
        return 1;
    if (code == MPI_SUCCESS) {
        list(call->name, call->fails, "done without");
        return 1;
    }
    int class = class_of(call->name, code);
    if (class != MPI_ERR_NO_MEM && class != MPI_T_ERR_MEMORY) {
        call->wanted = code;
        return 0;
    }
    list(call->name, call->fails, "reported");
    if (held_count <= call->before)
        call->kept = 0;
    else if (call->kept++ < 2)
        call->fails--; // repeat it: data that is kept for later calls exists now
    else
        complain(call, "blocks of memory are lost", code);
    return 0;
}

// ---- begin ----

static int begin(int code) {
    if (code != MPI_SUCCESS || is_ready)
        return code;
    dl_iterate_phdr(add_range, dlsym(RTLD_DEFAULT, "PMPI_Init"));
    if (dlsym(RTLD_DEFAULT, "mpi_init_"))
        dl_iterate_phdr(add_range, dlsym(RTLD_DEFAULT, "mpi_init_"));
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    is_ready = 1;
    return code;
}

int MPI_Init(int* argc, char*** argv) {
    return begin(PMPI_Init(argc, argv));
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return begin(PMPI_Init_thread(argc, argv, required, provided));
}

// Makes errors of a session return as well.
int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* session) {
    return PMPI_Session_init(info, handler == MPI_ERRORS_ARE_FATAL ? MPI_ERRORS_RETURN : handler, session);
}

int MPI_Finalize(void) {
    is_ready = 0;
    return PMPI_Finalize();
}
