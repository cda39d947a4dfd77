// The part of Open MPI's libopen-pal that stores the folder for which it was configured.

const char* mca_installdirs_config_component[50] = {[33] = "/somewhere/else", "${prefix}", "${prefix}/lib"};
int MPI_Init(void) {
    return 0;
}
int PMPI_Get_version(int* version, int* subversion) {
    *version = 3;
    *subversion = 1;
    return 0;
}
