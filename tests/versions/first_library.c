// A library that takes calls of PMPI_Init when it is preloaded. It stands for an MPI library that was not chosen.
int PMPI_Init(int* words, char*** arguments) {
    (void)words;
    (void)arguments;
    return 0;
}
