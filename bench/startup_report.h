// Both start-up programs print this report about themselves; startup.py reads it.
#pragma once
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

// Marks a moment in strace's output and, under callgrind, ends a dump. The path does not exist.
#define MARK(moment)                                                                                                   \
    do {                                                                                                               \
        (void)!access("/anympi-bench/" moment, F_OK);                                                                  \
        CALLGRIND_DUMP_STATS_AT(moment);                                                                               \
    } while (0)

static void print_memory(void) {
    FILE* rollup = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    long kib;
    while (rollup && fgets(line, sizeof line, rollup)) {
        if (sscanf(line, "Private_Clean: %ld", &kib) == 1)
            printf("private_clean|%ld\n", kib);
        if (sscanf(line, "Private_Dirty: %ld", &kib) == 1)
            printf("private_dirty|%ld\n", kib);
    }
    if (rollup)
        fclose(rollup);
}

/// A file that is mapped executable is a loaded object; shared-memory segments and data files are not.
static void print_objects(void) {
    FILE* maps = fopen("/proc/self/maps", "r");
    char line[4608], path[4096], rights[8];
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%*s %7s %*s %*s %*s %4095[^\n]", rights, path) == 2 && rights[2] == 'x' && path[0] == '/')
            printf("object|%s\n", path);
    if (maps)
        fclose(maps);
}

static void print_report(void) {
    print_memory();
    print_objects();
    fflush(stdout);
}
