/* Fake MPI libraries of each family, for a fake machine: the names by which the real ones are identified, and an
   answer to the one query of `anympi list`. Macros select the kind:

     FAKE_OPENMPI="5.0.7"   FAKE_MPICH   FAKE_INTEL   FAKE_STANDARD
     FAKE_MORE              further names, to link programs with
     FAKE_VERSION="4.2.3"   the text of the version that some builds of MPICH export
     FAKE_HIDDEN="5.0.2"    the same text without a symbol
     FAKE_TEXT="…"          the result of PMPI_Get_library_version
     FAKE_LOADING=…         statements that run when the library is opened: abort(), pause(), puts() …
     FAKE_ANSWERING=…       statements that run in the query */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef FAKE_TEXT
#define FAKE_TEXT "a fake MPI"
#endif
#ifndef FAKE_LOADING
#define FAKE_LOADING
#endif
#ifndef FAKE_ANSWERING
#define FAKE_ANSWERING
#endif

#define FUNCTION(name)                                                                                                 \
    int MPI_##name(void) {                                                                                             \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int PMPI_##name(void) {                                                                                            \
        return 0;                                                                                                      \
    }

FUNCTION(Init)
FUNCTION(Finalize)
FUNCTION(Send)
FUNCTION(Barrier)

// A real library connects to other processes.
int fake_transport(void) {
    return socket(0, 0, 0);
}

__attribute__((constructor)) static void load(void) {
    FAKE_LOADING;
}

int PMPI_Get_library_version(char* text, int* length) {
    FAKE_ANSWERING;
    strcpy(text, FAKE_TEXT);
    *length = (int)strlen(text);
    return 0;
}

#ifdef FAKE_OPENMPI
char ompi_mpi_comm_world[512];
const char ompi_version_string[] = FAKE_OPENMPI;
#endif

#ifdef FAKE_VERSION
const char MPII_Version_string[] = FAKE_VERSION;
#endif
#ifdef FAKE_HIDDEN
static const char hidden[] __attribute__((used)) = "text\0" FAKE_HIDDEN;
#endif

#if defined(FAKE_MPICH) || defined(FAKE_INTEL)
void* MPI_UNWEIGHTED;
FUNCTION(Session_init)
#endif

#ifdef FAKE_INTEL
int I_MPI_Check_image_status(void) {
    return 0;
}
#endif

#ifdef FAKE_STANDARD
FUNCTION(Abi_get_version)
int MPIR_Err_create_code(void) {
    return 0;
}
#endif

#ifdef FAKE_MORE
FUNCTION(Get_count)
FUNCTION(Comm_toint)
int MPIX_Query_cuda_support(void) {
    return 0;
}
int OMPI_C_MPI_COMM_DUP_FN(void) {
    return 0;
}
int MPIR_Dup_fn(void) {
    return 0;
}
void mpi_get_count_(void) {}
#ifndef FAKE_OPENMPI
char ompi_mpi_comm_world[512];
#endif
#endif
