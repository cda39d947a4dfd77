// Sends a token once around all processes; each adds its rank:  mpicc ring.c -o ring && anympi run -n 4 ./ring
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size;
    int previous = (rank + size - 1) % size;

    int token = 0;
    if (rank == 0) {
        // Send and receive in one call: a ring of one process sends to itself.
        MPI_Sendrecv_replace(&token, 1, MPI_INT, next, 0, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&token, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        token += rank;
        MPI_Send(&token, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
    }

    int expected = size * (size - 1) / 2;
    if (rank == 0)
        printf("the token went around %d processes and came back as %d: %s\n", size, token,
               token == expected ? "correct" : "wrong");
    MPI_Finalize();
    return rank == 0 && token != expected;
}
