// Programs and libraries that use MPI, for `anympi inspect`. Macros decide which names they need.

int MPI_Init(int*, char***);
int MPI_Send(void);
int PMPI_Barrier(void);

#ifdef USES_OPENMPI_DATA
extern char ompi_mpi_comm_world[512];
char* world(void) {
    return ompi_mpi_comm_world;
}
#endif

#ifdef USES_MPICH_DATA
extern void* MPI_UNWEIGHTED;
void* unweighted(void) {
    return MPI_UNWEIGHTED;
}
#endif

#ifdef USES_EXTENSIONS
int MPIX_Query_cuda_support(void);
int OMPI_C_MPI_COMM_DUP_FN(void);
int MPIR_Dup_fn(void);
int extensions(void) {
    return MPIX_Query_cuda_support() + OMPI_C_MPI_COMM_DUP_FN() + MPIR_Dup_fn();
}
#endif

#ifdef USES_FORTRAN
void mpi_get_count_(void);
void fortran(void) {
    mpi_get_count_();
}
#endif

#ifdef USES_LIBRARY
int fake_part(void);
#endif

#ifndef USES_NOTHING
int FUNCTION_NAME(void) {
    return MPI_Send() + PMPI_Barrier();
}
#endif

#ifdef HAS_MAIN
int main(int argc, char** argv) {
#ifdef USES_LIBRARY
    return fake_part();
#elif defined(USES_NOTHING)
    return argc > 99 && argv;
#else
    return MPI_Init(&argc, &argv) + FUNCTION_NAME();
#endif
}
#endif
