// Prints the line of a rank, with the library that the program calls and all MPI libraries in the process, whatever
// their names are. It calls no MPI.
#define _GNU_SOURCE
#include "tell_cell.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Returns true if the file of a mapped library defines PMPI_Init itself. dlsym also searches the libraries that it
// needs.
static int is_mpi_library(const char* path) {
    Dl_info found;
    void* const library = strstr(path, ".so") ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void* const function = library ? dlsym(library, "PMPI_Init") : NULL;
    const int is_there = function && dladdr(function, &found);
    void* const definer = is_there ? dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    return definer && definer == library;
}

// Returns the path of the library whose PMPI_Init a call from here would reach: the dynamic linker takes the first one.
static const char* find_called_library(void) {
    Dl_info found;
    void* const function = dlsym(RTLD_DEFAULT, "PMPI_Init");
    return function && dladdr(function, &found) ? found.dli_fname : "";
}

// Appends the path of a library that defines PMPI_Init, unless it is the last one that was appended. The line stays
// short: a launcher that forwards the line in parts may mix it with another rank's line.
static void append_library(char* line, size_t room, const char* path) {
    const size_t used = strlen(line);
    const size_t length = strlen(path);
    const char* last = strrchr(line, ' ');
    if (used + length + 2 < room && !(last && strcmp(last + 1, path) == 0) && is_mpi_library(path)) {
        line[used] = ' ';
        memcpy(line + used + 1, path, length + 1);
    }
}

void tell_cell(int rank, int size, int is_right, const char* version, int length) {
    char line[4096], mapped[4096];
    const int first_line = (int)strcspn(version, "\n");
    snprintf(line, sizeof line, "CELL rank=%d size=%d right=%d library=[%.*s] called=[%s] mapped=", rank, size,
             is_right, first_line < length ? first_line : length, version, find_called_library());
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
    // In one call, so that the lines of two ranks do not mix.
    if (write(STDOUT_FILENO, line, strlen(line)) < 0)
        perror("tell_cell");
}
