// Functions and constants of MPI-1 that MPI 3.0 removed.
#include "tell_cell.h"

#include <mpi.h>
#include <stddef.h>

#if defined OPEN_MPI && !defined MPI_UB // the library has the name, but mpi.h of 4.1 may hide it
extern struct ompi_predefined_datatype_t ompi_mpi_ub;
#define MPI_UB OMPI_PREDEFINED_GLOBAL(MPI_Datatype, ompi_mpi_ub)
#endif

struct record {
    int number;
    double value;
};

static MPI_Datatype record_type(void) {
    struct record sample;
    MPI_Aint start, places[3];
    int lengths[3] = {1, 1, 1};
    MPI_Datatype parts[3] = {MPI_INT, MPI_DOUBLE, MPI_UB}, type;
    MPI_Address(&sample, &start);
    MPI_Address(&sample.number, &places[0]);
    MPI_Address(&sample.value, &places[1]);
    places[0] -= start;
    places[1] -= start;
    places[2] = 2 * sizeof sample;
    MPI_Type_struct(3, lengths, places, parts, &type);
    MPI_Type_commit(&type);
    return type;
}

// The upper bound puts the second record at twice its size.
static int is_exchanged(int rank, int size) {
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    struct record sent[4] = {{rank, 0.5}, {-1, -1}, {rank + 10, 1.5}, {-1, -1}}, received[4] = {{0, 0}};
    MPI_Aint extent = 0, upper = 0;
    MPI_Datatype type = record_type();
    MPI_Type_extent(type, &extent);
    MPI_Type_ub(type, &upper);
    MPI_Sendrecv(sent, 2, type, right, 3, received, 2, type, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    return extent == 2 * sizeof(struct record) && upper == extent && received[0].number == left &&
           received[2].number == left + 10 && received[2].value == 1.5 && received[1].number == 0;
}

static int errors_seen;

static void count_error(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    (void)code;
    errors_seen++;
}

static int is_handled(int size) {
    int number = 0;
    MPI_Errhandler handler;
    MPI_Errhandler_create(count_error, &handler);
    MPI_Errhandler_set(MPI_COMM_WORLD, handler);
    MPI_Send(&number, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
    MPI_Errhandler_free(&handler);
    return errors_seen == 1;
}

int main(void) {
    MPI_Init(NULL, NULL);
    int rank, size, length, is_right;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    is_right = is_exchanged(rank, size);
    is_right &= is_handled(size);
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_library_version(version, &length);
    tell_cell(rank, size, is_right, version, length);
    MPI_Finalize();
    return 0;
}
