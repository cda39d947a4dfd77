// A library whose function calls the program's function of the same name, like a library that is not bound to itself.

extern int called_while_opening(void);
int MPI_Init(void) {
    return 0;
}
int PMPI_Get_version(int* version, int* subversion) {
    *version = 4;
    *subversion = 0;
    return called_while_opening();
}
