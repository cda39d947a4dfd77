// Prints with backtrace_symbols where the process is when a function of MPI reads an invalid address.
#include <execinfo.h>
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

enum { most = 64 };

static void print_backtrace(int number) {
    void* frames[most];
    (void)number;
    backtrace_symbols_fd(frames, backtrace(frames, most), STDOUT_FILENO);
    _exit(0);
}

int main(int argc, char** argv) {
    void* frames[most];
    const int length = 1;
    const MPI_Aint displacement = 0;
    MPI_Datatype made;
    MPI_Init(&argc, &argv);
    (void)backtrace(frames, most); // the first call opens a library
    signal(SIGSEGV, print_backtrace);
    MPI_Type_create_struct(1, &length, &displacement, (const MPI_Datatype*)(uintptr_t)(argc * 8), &made);
    MPI_Finalize();
    return 1;
}
