// Uses, in one process, everything whose first use makes anympi override functions of the library: requests that
// consist of several requests of the library, datatypes and operations that an emulated operation still uses, large
// constructors, error handlers.
#include "mpi.h"
#include <stdio.h>

static int failures;

static void check(int code, const char* what) {
    if (code != MPI_SUCCESS)
        printf("FAILED %s\n", what), failures++;
}

static void exchange(void) {
    MPI_Request request;
    int out = 1, in = 0;
    check(MPI_Isendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request), "MPI_Isendrecv");
    check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
}

// The arrays must live as long as the operation.
static void exchange_types(void) {
    MPI_Request request;
    MPI_Datatype types[1] = {MPI_INT};
    int counts[1] = {1}, places[1] = {0}, out = 1, in = 0;
    check(MPI_Ialltoallw(&out, counts, places, types, &in, counts, places, types, MPI_COMM_SELF, &request),
          "MPI_Ialltoallw");
    check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
}

static void use_own_type(void) {
    MPI_Request requests[2];
    MPI_Datatype pair;
    MPI_Count counts[1] = {1};
    MPI_Aint places[1] = {0};
    int out[2] = {1, 2}, in[2] = {0, 0};
    check(MPI_Type_contiguous(2, MPI_INT, &pair), "MPI_Type_contiguous");
    check(MPI_Type_commit(&pair), "MPI_Type_commit");
    check(MPI_Bcast_init(out, 1, pair, 0, MPI_COMM_SELF, MPI_INFO_NULL, &requests[0]), "MPI_Bcast_init");
    check(MPI_Alltoallv_init_c(out, counts, places, pair, in, counts, places, pair, MPI_COMM_SELF, MPI_INFO_NULL,
                               &requests[1]),
          "MPI_Alltoallv_init_c");
    check(MPI_Type_free(&pair), "MPI_Type_free");
    check(MPI_Startall(2, requests), "MPI_Startall");
    check(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
    check(MPI_Request_free(&requests[0]), "MPI_Request_free");
    check(MPI_Request_free(&requests[1]), "MPI_Request_free");
}

static void make_large_type(void) {
    MPI_Datatype large;
    check(MPI_Type_contiguous_c((MPI_Count)3000000000, MPI_CHAR, &large), "MPI_Type_contiguous_c");
    check(MPI_Type_free(&large), "MPI_Type_free");
}

static void ignore_error(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
}

static void make_error_handler(void) {
    MPI_Errhandler handler;
    check(MPI_Comm_create_errhandler(ignore_error, &handler), "MPI_Comm_create_errhandler");
    check(MPI_Errhandler_free(&handler), "MPI_Errhandler_free");
}

int main(int argc, char** argv) {
    check(MPI_Init(&argc, &argv), "MPI_Init");
    check(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    exchange();
    exchange_types();
    use_own_type();
    make_large_type();
    make_error_handler();
    check(MPI_Finalize(), "MPI_Finalize");
    // The front writes the table to this stream. A launcher may mix lines of two streams.
    if (failures == 0)
        fprintf(stderr, "all was used\n");
    return failures != 0;
}
