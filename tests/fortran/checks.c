// The checks of check.h for programs in Fortran: names and arguments as compilers pass them.
#include "check.h"

static void say_text(char* to, size_t room, const char* text, size_t length) {
    snprintf(to, room, "%.*s", (int)(length < room ? length : room - 1), text);
}

// Called after MPI_INIT.
void check_begin_(void) {
    check_start();
    check_join();
}

// Names the case that follows.
void check_name_(const char* text, size_t length) {
    static char name[200];
    say_text(name, sizeof name, text, length);
    check_case = name;
}

void check_equal_(const int* actual, const int* expected, const char* text, size_t length) {
    char what[200];
    say_text(what, sizeof what, text, length);
    check_int("Fortran", 0, what, *actual, *expected);
}

void check_equal_long_(const int64_t* actual, const int64_t* expected, const char* text, size_t length) {
    char what[200];
    say_text(what, sizeof what, text, length);
    check_int("Fortran", 0, what, *actual, *expected);
}

void check_true_(const int* good, const char* text, size_t length) {
    char what[200];
    say_text(what, sizeof what, text, length);
    check_true("Fortran", 0, what, *good & 1);
}

void check_ok_(const int* code, const char* text, size_t length) {
    char what[200];
    say_text(what, sizeof what, text, length);
    check_ok("Fortran", 0, what, *code);
}

// Calls MPI_FINALIZE and ends the program.
void check_end_(void) {
    exit(check_end());
}
