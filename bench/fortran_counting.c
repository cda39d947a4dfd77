// The calls to callgrind that fortran.f90 makes.
#include <stdio.h>
#include <valgrind/callgrind.h>

void start_counting(void) {
    CALLGRIND_START_INSTRUMENTATION;
}

void count_or_pause(void) {
    CALLGRIND_TOGGLE_COLLECT;
}

void dump(const char* name, int iterations) {
    char text[128];
    snprintf(text, sizeof text, "%s|%d", name, iterations);
    CALLGRIND_DUMP_STATS_AT(text);
}
