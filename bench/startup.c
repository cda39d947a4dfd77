// An ordinary program whose start-up is measured: only MPI_Init and MPI_Finalize (see startup.py).
#include <mpi.h>

#include "startup_report.h"

int main(int argc, char** argv) {
    MARK("main");
    MPI_Init(&argc, &argv);
    MARK("initialized");
    print_report();
    return MPI_Finalize();
}
