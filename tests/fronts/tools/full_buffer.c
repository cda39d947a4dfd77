// A buffered send without room in the buffer waits for a while before it fails, because the message before it may be
// sent soon. Run with two ranks on libraries whose buffers anympi emulates.
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { bytes = 1 << 20 };

static int sends(char* data, int tag) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(MPI_Bsend(data, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD), &error_class);
    return error_class;
}

static void receive(char* data, int tag) {
    MPI_Recv(data, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int rank, size = bytes + MPI_BSEND_OVERHEAD;
    char *data = calloc(1, bytes), *buffer = malloc((size_t)size);
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Buffer_attach(buffer, size);
        int first = sends(data, 1), second = sends(data, 2), third = sends(data, 3);
        if (first != MPI_SUCCESS || second != MPI_SUCCESS || third != MPI_ERR_BUFFER) {
            printf("classes of errors: %d, %d, %d\n", first, second, third);
            MPI_Abort(MPI_COMM_WORLD, 1); // rank 1 would wait forever
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Buffer_detach(&buffer, &size);
        puts("room came, then none");
    } else {
        nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
        receive(data, 1);
        MPI_Barrier(MPI_COMM_WORLD);
        receive(data, 2);
    }
    MPI_Finalize();
    free(buffer);
    free(data);
    return 0;
}
