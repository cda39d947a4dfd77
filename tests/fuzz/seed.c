// The input from which the fuzzer of binaries starts, built in several shapes: a library that looks like an MPI, or a
// user of one.
extern int ompi_mpi_comm_world;
int MPI_Init(int* count, char*** words);

#ifdef LIBRARY
int ompi_mpi_comm_world;
int MPI_Init(int* count, char*** words) {
    (void)count, (void)words;
    return 0;
}
#endif

int main(void) {
    return ompi_mpi_comm_world + MPI_Init(0, 0);
}
