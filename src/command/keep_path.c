/*
 * Preloaded into scripts and interpreters that `anympi run` starts, and so into what these start.
 *
 * A script that sets the environment up for its program often puts folders of its own first on the library path: R's
 * does so with the folder of all the system's libraries. The MPI in that folder would be loaded in the place of the one
 * chosen, and each process would be a job of its own, without a word. The dynamic linker reads the path once, when a
 * process starts; so the path is put right here, before anything else runs, and the program started once more.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static const char path_variable[] = "LD_LIBRARY_PATH";
static const char first_variable[] = "ANYMPI_LIBRARY_PATH"; /* what `anympi run` put first */
static const char count_variable[] = "ANYMPI_PATH_PUT_RIGHT";

/* A program that insists on another first folder, and starts itself again until it has it, gets it in the end. */
enum { most_often = 16 };

static int begins_with(const char* path, const char* first) {
    const size_t length = strlen(first);
    return strncmp(path, first, length) == 0 && (path[length] == ':' || path[length] == '\0');
}

static int count_once_more(void) {
    const char* const text = getenv(count_variable);
    const int count = text ? atoi(text) + 1 : 1;
    char digits[16];
    snprintf(digits, sizeof digits, "%d", count);
    return count <= most_often && setenv(count_variable, digits, 1) == 0;
}

static int put_first(const char* first, const char* path) {
    char* whole = NULL;
    if (asprintf(&whole, "%s%s%s", first, *path ? ":" : "", path) < 0)
        return 0;
    const int failed = setenv(path_variable, whole, 1);
    free(whole);
    return !failed;
}

/* By `ld.so ./program` the executable is the dynamic linker, and the arguments are not those it was started with. */
static int is_started_by_name_of_linker(void) {
    return getauxval(AT_BASE) == 0;
}

__attribute__((constructor)) static void keep_path(int count, char** arguments) {
    (void)count;
    const char* const first = getenv(first_variable);
    const char* const present = getenv(path_variable);
    const char* const path = present ? present : "";
    if (!first || begins_with(path, first) || is_started_by_name_of_linker())
        return;
    if (count_once_more() && put_first(first, path))
        execv("/proc/self/exe", arguments);
}
