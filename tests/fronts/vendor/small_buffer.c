// A buffer for MPI_Bsend that is as small as the program's MPI_BSEND_OVERHEAD allows.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MESSAGES 3

static int is_sent_from(int size, int messages) {
    char* const memory = malloc((size_t)size);
    int numbers[MESSAGES] = {0}, found_size = 0, rank;
    void* found = NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (MPI_Buffer_attach(memory, size) != MPI_SUCCESS)
        return 0;
    for (int i = 0; i < messages; i++) {
        const int number = 10 + i;
        MPI_Bsend(&number, 1, MPI_INT, rank, i, MPI_COMM_WORLD);
    }
    for (int i = 0; i < messages; i++)
        MPI_Recv(&numbers[i], 1, MPI_INT, rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&found, &found_size);
    int is_right = found == memory && found_size == size;
    for (int i = 0; i < messages; i++)
        is_right &= numbers[i] == 10 + i;
    free(memory);
    return is_right;
}

int main(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    const int one = MPI_BSEND_OVERHEAD + (int)sizeof(int);
    int is_right = 1;
    for (int i = 0; i < 2; i++) // the second message is sent after the first one has left the buffer
        is_right &= is_sent_from(one, 1) && is_sent_from(MESSAGES * one, MESSAGES) && is_sent_from(4096, MESSAGES);
    printf(is_right ? "passed\n" : "FAILED\n");
    MPI_Finalize();
    return !is_right;
}
