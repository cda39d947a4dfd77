/* Dummies of MPI libraries: only the names by which the real ones are identified. Macros select the names (see
   CMakeLists.txt). */

#define FUNCTION(name)                                                                                                 \
    void name(void) {}

#ifndef DUMMY_WITHOUT_MPI
FUNCTION(MPI_Init)
FUNCTION(PMPI_Init)
#endif

#ifndef DUMMY_STUB
/* Every real MPI needs more functions of libc than abort(). */
extern int socket(int, int, int);
int dummy_transport(void) {
    return socket(0, 0, 0);
}
#endif

#ifdef DUMMY_OPENMPI
char ompi_mpi_comm_world[512];
const char ompi_version_string[] = DUMMY_OPENMPI;
#endif

#ifdef DUMMY_MPICH
void* MPI_UNWEIGHTED;
FUNCTION(MPIR_Dup_fn)
#endif

#ifdef DUMMY_VERSION_TEXT
const char MPII_Version_string[] = DUMMY_VERSION_TEXT;
#endif

/* A text that has no symbol, after another string. */
#ifdef DUMMY_HIDDEN
static const char hidden[] __attribute__((used)) = "text\0" DUMMY_HIDDEN;
#endif
#ifdef DUMMY_HIDDEN_TOO
static const char hidden_too[] __attribute__((used)) = "text\0" DUMMY_HIDDEN_TOO;
#endif

#ifdef DUMMY_MPICH_4_0
FUNCTION(MPI_Session_init)
#endif

#ifdef DUMMY_MPICH_4_3
FUNCTION(MPI_Session_init)
FUNCTION(MPI_Buffer_flush)
FUNCTION(MPIX_Comm_create_errhandler_x)
#endif

#ifdef DUMMY_INTEL
char mpipriv1_[28];
FUNCTION(I_MPI_Check_image_status)
FUNCTION(MPI_File_c2f)
#endif

#ifdef DUMMY_MVAPICH
int mv2_enable_affinity;
#endif

#ifdef DUMMY_ABI
FUNCTION(MPI_Abi_get_version)
#endif

#ifdef DUMMY_MPICH_INSIDE
FUNCTION(MPIR_Err_create_code)
#endif

#ifdef DUMMY_HP
char hpmp_comm_world[64];
#endif

#ifdef DUMMY_SGI
FUNCTION(MPI_SGI_bcast)
#endif
