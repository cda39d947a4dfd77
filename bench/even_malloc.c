// An allocator for counting instructions: each call takes the same path, whatever was allocated before. In the C
// library's allocator the path depends on the state of the heap, which depends on the lengths of names of hosts, jobs
// and processes.
//
// The sizes of blocks are powers of two. The free blocks of a size are in one list. The functions valloc and pvalloc
// are missing, since no MPI library calls them.
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { HEADER = 16, CLASSES = 48 };
// Reserves addresses; memory is used when it is first touched. valgrind puts the heap and libraries into the first GiB,
// too.
static const uintptr_t ARENA_BEGIN = (uintptr_t)256 << 20;
static const size_t ARENA = (size_t)512 << 20;

struct block {
    size_t class; // directly before the caller's memory
    struct block* next;
};

static struct block* free_blocks[CLASSES];
static char *arena, *arena_end;
static volatile char is_locked;

static void lock(void) {
    while (__atomic_test_and_set(&is_locked, __ATOMIC_ACQUIRE)) {
    }
}

static void unlock(void) {
    __atomic_clear(&is_locked, __ATOMIC_RELEASE);
}

// Returns the number of bits of a block that also has room for the header.
static size_t class_of(size_t size) {
    return (size_t)(64 - __builtin_clzl(size + 2 * HEADER - 1));
}

// The caller holds the lock.
static char* cut(size_t size, size_t alignment) {
    if (!arena) {
        void* place =
            mmap((void*)ARENA_BEGIN, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (place == MAP_FAILED)
            return NULL;
        arena = place;
        arena_end = arena + ARENA;
    }
    char* start = (char*)(((uintptr_t)arena + HEADER + alignment - 1) / alignment * alignment) - HEADER;
    if (size > (size_t)(arena_end - start))
        return NULL;
    arena = start + size;
    return start;
}

static void* allocate(size_t size, size_t alignment) {
    if (size > ARENA) {
        errno = ENOMEM;
        return NULL;
    }
    size_t class = class_of(size);
    int is_aligned = alignment <= HEADER;
    lock();
    struct block* block = is_aligned ? free_blocks[class] : NULL;
    if (block)
        free_blocks[class] = block->next;
    else
        block = (struct block*)cut((size_t)1 << class, alignment < HEADER ? HEADER : alignment);
    unlock();
    if (!block) {
        errno = ENOMEM;
        return NULL;
    }
    block->class = class;
    return (char*)block + HEADER;
}

void* malloc(size_t size) {
    return allocate(size, HEADER);
}

void free(void* memory) {
    if (!memory)
        return;
    struct block* block = (struct block*)((char*)memory - HEADER);
    lock();
    block->next = free_blocks[block->class];
    free_blocks[block->class] = block;
    unlock();
}

size_t malloc_usable_size(void* memory) {
    return memory ? ((size_t)1 << ((struct block*)((char*)memory - HEADER))->class) - HEADER : 0;
}

void* calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    void* memory = allocate(bytes, HEADER);
    return memory ? memset(memory, 0, bytes) : NULL;
}

void* realloc(void* memory, size_t size) {
    size_t before = malloc_usable_size(memory);
    if (memory && size <= before)
        return memory;
    void* larger = allocate(size, HEADER);
    if (larger && memory) {
        memcpy(larger, memory, before);
        free(memory);
    }
    return larger;
}

void* aligned_alloc(size_t alignment, size_t size) {
    return allocate(size, alignment);
}

void* memalign(size_t alignment, size_t size) {
    return allocate(size, alignment);
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
    *memory = allocate(size, alignment);
    return *memory ? 0 : ENOMEM;
}
