// A library, a front before it, and a program, for tests of tests/programs/hang.h: either the front or the library
// hangs.
#define _GNU_SOURCE
#if defined(LIBRARY)

#include <unistd.h>

// Takes so long that the time is usually up in this function.
void library_answers(void) {
    for (volatile int i = 0; i < 3000; i++)
        ;
}
void library_spins(void) {
    for (volatile int i = 0;; i = !i)
        ;
}
void library_sleeps(void) {
    for (;;)
        pause();
}

#elif defined(FRONT)

void library_answers(void);
void library_spins(void);
void library_sleeps(void);

// hang.h finds the front by this function.
int MPI_Init(int* argc, char*** argv) {
    return argc == (void*)argv;
}
void spin_in_front(void) {
    for (volatile int i = 0;; i = !i)
        ;
}
void ask_for_ever(void) {
    for (;;)
        library_answers();
}
void spin_in_library(void) {
    library_spins();
}
void sleep_in_library(void) {
    library_sleeps();
}

#else

#define HANG_SECONDS 2
#include "../../programs/check.h"
#include "../../programs/hang.h"

int main(int argc, char** argv) {
    check_start();
    hang_watch();
    void (*hang)(void) = NULL;
    *(void**)&hang = argc == 2 ? dlsym(RTLD_DEFAULT, argv[1]) : NULL;
    if (hang != NULL)
        hang();
    return 2;
}

#endif
