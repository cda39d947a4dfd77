// The line of a rank, with the libraries of MPI that are mapped into the process. It calls no MPI.
#include "tell_cell.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Appends the path of a mapped library that may be one of MPI, unless it is the last one that was appended. The line
// stays short: a launcher that forwards it in parts may mix it with that of another rank.
static void append_library(char* line, size_t room, const char* path) {
    const size_t used = strlen(line);
    const size_t length = strlen(path);
    const char* last = strrchr(line, ' ');
    const int is_library = strstr(path, ".so") && strstr(strrchr(path, '/'), "mpi");
    if (is_library && used + length + 2 < room && !(last && strcmp(last + 1, path) == 0)) {
        line[used] = ' ';
        memcpy(line + used + 1, path, length + 1);
    }
}

void tell_cell(int rank, int size, int is_right, const char* version, int length) {
    char line[4096], mapped[4096];
    const int first_line = (int)strcspn(version, "\n");
    snprintf(line, sizeof line, "CELL rank=%d size=%d right=%d library=[%.*s] mapped=", rank, size, is_right,
             first_line < length ? first_line : length, version);
    FILE* maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(mapped, sizeof mapped, maps)) {
        mapped[strcspn(mapped, "\n")] = '\0';
        const char* path = strchr(mapped, '/');
        if (path)
            append_library(line, sizeof line - 1, path);
    }
    if (maps)
        fclose(maps);
    strcat(line, "\n");
    // At once, so that the lines of two ranks do not mix.
    if (write(STDOUT_FILENO, line, strlen(line)) < 0)
        perror("tell_cell");
}
