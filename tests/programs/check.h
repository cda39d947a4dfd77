// Checks for the MPI test programs: counted assertions, a case name for every message, one last line with the result.
//
//     // ranks: 1 2 4               // the driver runs the program with these numbers of ranks
//     #include "check.h"            // first: it sets the feature macros and includes mpi.h and the usual C headers
//
//     int main(int argc, char** argv) {
//         check_begin(&argc, &argv);
//         CASE("send to self");
//         CHECK_OK(MPI_Sendrecv(...));
//         CHECK_INT(received, 42);
//         if (OFFERED(MPI_Isendrecv, (..., &request)))   // false, and counted as skipped, when the runtime lacks it
//             CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
//         return check_end();
//     }
//
// Every failed check prints `FAILED file:line: ...` at once, on the rank where it failed; the program goes on. A rank
// prints `skip name: reason` once for each thing that it leaves out; rank 0 counts them. Rank 0 ends with `ok N checks`
// or `ok N checks, M skipped` (N summed over the ranks); otherwise with `FAILED: F of N checks`, and the exit code is 1
// on every rank.
//
// The macros evaluate their arguments once. Errors are returned, not fatal: check_join() sets MPI_ERRORS_RETURN on
// MPI_COMM_WORLD (inherited by its duplicates) and MPI_COMM_SELF (where MPI 4 reports errors without an object).
#ifndef CHECK_H
#define CHECK_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "mpi.h"
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- state ----------------------------------------------------------------------------------------------------------

static int check_rank;
static int check_ranks;
static long long check_done;
static long long check_failed;
static long long check_skipped;
static const char* volatile check_case = "start";

// ---- messages -------------------------------------------------------------------------------------------------------

static inline const char* check_base_name(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/// Counts one check; threads may check too. Relaxed: a stronger order would hide races from ThreadSanitizer.
static inline int check_count(int good) {
    __atomic_fetch_add(&check_done, 1, __ATOMIC_RELAXED);
    if (!good)
        __atomic_fetch_add(&check_failed, 1, __ATOMIC_RELAXED);
    return good;
}

/// Writes a line in one write, because launchers mix pieces of lines from several ranks.
static inline void check_say(const char* format, ...) {
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    for (char* c = line; *c; c++)
        if (*c == '\n')
            *c = ' '; // MPICH's error texts are whole call stacks
    strcat(line, "\n");
    fputs(line, stdout);
    fflush(stdout);
}

#define CHECK_FAILED_FORMAT "FAILED %s:%d: rank %d of %d, case %s: %s "
#define CHECK_FAILED_PLACE check_base_name(file), line, check_rank, check_ranks, check_case, expression

static inline int check_true(const char* file, int line, const char* expression, int good) {
    if (!check_count(good))
        check_say(CHECK_FAILED_FORMAT "(is false)", CHECK_FAILED_PLACE);
    return good;
}

static inline int check_int(const char* file, int line, const char* expression, long long actual, long long expected) {
    int good = check_count(actual == expected);
    if (!good)
        check_say(CHECK_FAILED_FORMAT "(is %lld, expected %lld)", CHECK_FAILED_PLACE, actual, expected);
    return good;
}

static inline int check_same(const char* file, int line, const char* expression, uintptr_t actual, uintptr_t expected) {
    int good = check_count(actual == expected);
    if (!good)
        check_say(CHECK_FAILED_FORMAT "(is %#llx, expected %#llx)", CHECK_FAILED_PLACE, (unsigned long long)actual,
                  (unsigned long long)expected);
    return good;
}

static inline int check_string(const char* file, int line, const char* expression, const char* actual,
                               const char* expected) {
    int good = check_count(strcmp(actual, expected) == 0);
    if (!good)
        check_say(CHECK_FAILED_FORMAT "(is \"%s\", expected \"%s\")", CHECK_FAILED_PLACE, actual, expected);
    return good;
}

static inline int check_bytes(const char* file, int line, const char* expression, const void* actual,
                              const void* expected, size_t size) {
    const unsigned char *a = actual, *b = expected;
    size_t at = 0;
    while (at < size && a[at] == b[at])
        at++;
    int good = check_count(at == size);
    if (!good)
        check_say(CHECK_FAILED_FORMAT "(byte %zu of %zu is 0x%02x, expected 0x%02x)", CHECK_FAILED_PLACE, at, size,
                  a[at], b[at]);
    return good;
}

static inline int check_class_of(int code) {
    int class = code;
    if (code != MPI_SUCCESS && MPI_Error_class(code, &class) != MPI_SUCCESS)
        class = code;
    return class;
}

/// Reports a return code whose class is not among the allowed ones, with the runtime's text for the code.
static inline int check_class(const char* file, int line, const char* expression, int code, const int* allowed,
                              size_t count) {
    char text[MPI_MAX_ERROR_STRING] = "no text", list[200] = "";
    int length, class = check_class_of(code);
    for (size_t at = 0; at < count; at++) {
        if (allowed[at] == class)
            return check_count(1);
        snprintf(list + strlen(list), sizeof list - strlen(list), " %d", allowed[at]);
    }
    MPI_Error_string(code, text, &length);
    check_say(CHECK_FAILED_FORMAT "(returned %d, class %d, expected class%s: %s)", CHECK_FAILED_PLACE, code, class,
              list, text);
    return check_count(0);
}

static inline int check_ok(const char* file, int line, const char* expression, int code) {
    const int success = MPI_SUCCESS;
    return code == MPI_SUCCESS ? check_count(1) : check_class(file, line, expression, code, &success, 1);
}

/// Skips a test that cannot run on this runtime. Every rank prints the line, once for each name, because a function may
/// be missing on one rank only.
static inline void check_skip(const char* name, const char* reason) {
    static const char* said[512];
    size_t at = 0;
    while (at < 511 && said[at] && strcmp(said[at], name) != 0)
        at++;
    if (said[at])
        return;
    said[at] = name;
    check_say("skip %s: %s", name, reason);
    if (check_rank == 0)
        check_skipped++;
}

/// Returns true if the call succeeded. The driver compares these skip lines of all ranks with the functions that anympi
/// promises on the library, so a front that wrongly reports a function as missing fails.
static inline int check_offered(const char* file, int line, const char* name, int code) {
    if (code != MPI_SUCCESS && check_class_of(code) == MPI_ERR_UNSUPPORTED_OPERATION) {
        check_skip(name, "not offered by this MPI");
        return 0;
    }
    return check_ok(file, line, name, code);
}

// ---- macros for programs --------------------------------------------------------------------------------------------

// Names the following case. The name must be a literal, because the signal handler below reads it.
#define CASE(name) ((void)(check_case = (name)))

// Each macro returns nonzero if the check held, so that a program can stop early: `if (!CHECK_OK(...)) return;`
#define CHECK(condition) check_true(__FILE__, __LINE__, #condition, !!(condition))
#define CHECK_INT(actual, expected) check_int(__FILE__, __LINE__, #actual, (long long)(actual), (long long)(expected))
#define CHECK_SAME(actual, expected) /* handles, pointers, functions */                                                \
    check_same(__FILE__, __LINE__, #actual, (uintptr_t)(actual), (uintptr_t)(expected))
#define CHECK_STRING(actual, expected) check_string(__FILE__, __LINE__, #actual, actual, expected)
#define CHECK_BYTES(actual, expected, size) check_bytes(__FILE__, __LINE__, #actual, actual, expected, size)
#define CHECK_OK(call) check_ok(__FILE__, __LINE__, #call, call)
#define CHECK_CLASS(call, ...) /* the call's return code has one of these classes (MPI_SUCCESS only if listed) */      \
    check_class(__FILE__, __LINE__, #call, call, (const int[]){__VA_ARGS__},                                           \
                sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
#define OFFERED(function, arguments) check_offered(__FILE__, __LINE__, #function, function arguments)

// ---- begin and end --------------------------------------------------------------------------------------------------

static struct sigaction check_old_action[65];

/// Prints the case in which a hang or a crash happened; then the former handler takes over (a sanitizer's, or the
/// default).
static inline void check_on_signal(int number) {
    static const char begin[] = "FAILED: killed by a signal (14: the time is up, 11: bad address) in case ";
    const char* name = check_case;
    char tail[] = ", signal 00\n";
    tail[9] = (char)('0' + number / 10);
    tail[10] = (char)('0' + number % 10);
    if (write(2, begin, sizeof begin - 1) < 0 || write(2, name, strlen(name)) < 0 ||
        write(2, tail, sizeof tail - 1) < 0)
        _exit(1);
    if (number == SIGALRM)
        _exit(1);
    sigaction(number, &check_old_action[number], NULL);
}

static inline void check_watch(int number) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = check_on_signal;
    sigaction(number, &action, &check_old_action[number]);
}

/// Must be called before any MPI call. ANYMPI_TEST_SECONDS is the driver's time limit, so that no rank outlives its
/// launcher for long.
static inline void check_start(void) {
    const char* seconds = getenv("ANYMPI_TEST_SECONDS");
    check_watch(SIGSEGV);
    check_watch(SIGBUS);
    check_watch(SIGALRM);
    if (seconds)
        alarm((unsigned)atoi(seconds));
}

/// Must be called after MPI_Init. The driver passes the number of ranks: N separate jobs of one rank must not be
/// mistaken for one job of N ranks.
static inline void check_join(void) {
    const char* expected = getenv("ANYMPI_TEST_RANKS");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &check_ranks);
    if (!expected || atoi(expected) != check_ranks) {
        check_say("FAILED: the world has %d ranks, ANYMPI_TEST_RANKS is %s", check_ranks,
                  expected ? expected : "not set");
        _exit(1);
    }
}

static inline void check_begin(int* argc, char*** argv) {
    check_start();
    MPI_Init(argc, argv);
    check_join();
}

/// Collective over MPI_COMM_WORLD: computes the sums of all ranks on every rank.
static inline void check_merge(void) {
    long long mine[3], all[3];
    mine[0] = check_done;
    mine[1] = check_failed;
    mine[2] = check_skipped;
    CASE("end");
    MPI_Barrier(MPI_COMM_WORLD); // a wildcard receive of the program must not receive these messages
    // Point-to-point instead of a reduction, because a broken reduction must not hide its own failure.
    if (check_rank == 0)
        for (int rank = 1; rank < check_ranks; rank++) {
            MPI_Recv(all, (int)sizeof all, MPI_BYTE, rank, 7777, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < 3; i++)
                mine[i] += all[i];
        }
    else
        MPI_Send(mine, (int)sizeof mine, MPI_BYTE, 0, 7777, MPI_COMM_WORLD);
    for (int rank = 1; rank < check_ranks; rank++) {
        if (check_rank == 0)
            MPI_Send(mine, (int)sizeof mine, MPI_BYTE, rank, 7778, MPI_COMM_WORLD);
        else if (check_rank == rank)
            MPI_Recv(mine, (int)sizeof mine, MPI_BYTE, 0, 7778, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    check_done = mine[0];
    check_failed = mine[1];
    check_skipped = mine[2];
}

/// Prints the result and returns the exit code. Checks after check_merge(), so also after MPI_Finalize, count as well.
static inline int check_report(void) {
    if (check_rank == 0) {
        if (check_failed)
            check_say("FAILED: %lld of %lld checks", check_failed, check_done);
        else if (check_skipped)
            check_say("ok %lld checks, %lld skipped", check_done, check_skipped);
        else
            check_say("ok %lld checks", check_done);
    }
    return check_failed || (!check_done && !check_skipped);
}

static inline int check_end(void) {
    check_merge();
    MPI_Finalize();
    return check_report();
}

// ---- small helpers --------------------------------------------------------------------------------------------------

/// Returns true if the runtime's version string begins with this text ("MPICH Version:", "Open MPI v4.1", "Intel(R)
/// MPI"). For the few behaviors in which runtimes differ.
static inline int check_runtime_is(const char* beginning) {
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    if (!text[0])
        MPI_Get_library_version(text, &length);
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/// Returns 3, 4 or 5 on MPICH itself (not on MPIs that are based on it), otherwise 0.
static inline int check_mpich_major(void) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, major = 0;
    MPI_Get_library_version(text, &length);
    return sscanf(text, "MPICH Version: %d", &major) == 1 ? major : 0;
}

/// Returns true on MPICH itself from 4.0 to before 4.`minor`.
static inline int check_mpich_4_before(int minor) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, its_major = 0, its_minor = 0;
    MPI_Get_library_version(text, &length);
    return sscanf(text, "MPICH Version: %d.%d", &its_major, &its_minor) == 2 && its_major == 4 && its_minor < minor;
}

/// MPICH 3.4 and 4.0 over UCX cannot spawn processes or open ports; Intel MPI can only if I_MPI_SPAWN is set.
static inline int check_lacks_dynamic_processes(void) {
    return check_mpich_major() == 3 || check_mpich_4_before(1) || check_runtime_is("Intel");
}

/// Returns true if a code of MPI_Open_port says that the name is too long. MPICH 5 has names of more than 256
/// characters, the limit of MPICH's programs.
static inline int check_is_port_too_long(int code) {
    return check_mpich_major() == 5 && MPI_MAX_PORT_NAME < 1024 && check_class_of(code) == MPI_ERR_PORT;
}

/// Checks the results of MPI_Initialized and MPI_Finalized.
static inline void check_state(int expected_initialised, int expected_finalised) {
    int initialised = -1, finalised = -1;
    CHECK_INT(MPI_Initialized(&initialised), MPI_SUCCESS);
    CHECK_INT(initialised, expected_initialised);
    CHECK_INT(MPI_Finalized(&finalised), MPI_SUCCESS);
    CHECK_INT(finalised, expected_finalised);
}

/// Returns a status whose fields are all wrong, so that a test sees which fields a call has written.
static inline MPI_Status check_dirty_status(void) {
    MPI_Status status;
    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = -12345;
    status.MPI_TAG = -12346;
    status.MPI_ERROR = -12347;
    return status;
}

// Checks source, tag and count; a failure shows the line of the macro's user.
#define CHECK_STATUS(status, source, tag, type, count)                                                                 \
    do {                                                                                                               \
        int check_count_of_status = -1;                                                                                \
        CHECK_INT((status).MPI_SOURCE, source);                                                                        \
        CHECK_INT((status).MPI_TAG, tag);                                                                              \
        CHECK_OK(MPI_Get_count(&(status), type, &check_count_of_status));                                              \
        CHECK_INT(check_count_of_status, count);                                                                       \
    } while (0)

#endif
