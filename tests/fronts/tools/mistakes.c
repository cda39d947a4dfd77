// Mistakes of a program that a sanitizer finds only in the front, and only if the front is instrumented; run by
// programs/sanitizers.py.
//
//     mistakes overrun      an array of datatypes that is too short by one
//     mistakes race         an array of datatypes that another thread writes meanwhile
#include "mpi.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void use(const MPI_Datatype* types) {
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {0, 8};
    MPI_Datatype made;
    MPI_Type_create_struct(2, lengths, places, types, &made);
    MPI_Type_free(&made);
}

static void* write_types(void* types) {
    ((MPI_Datatype*)types)[1] = MPI_DOUBLE;
    return NULL;
}

static void overrun(void) {
    MPI_Datatype* types = malloc(sizeof *types);
    types[0] = MPI_INT;
    use(types);
    free(types);
}

static void race(void) {
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
    pthread_t writer;
    pthread_create(&writer, NULL, write_types, types);
    use(types);
    pthread_join(writer, NULL);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    (argc > 1 && strcmp(argv[1], "race") == 0 ? race : overrun)();
    MPI_Finalize();
    return 0;
}
