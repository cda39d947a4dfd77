/* The parts of mpi.h of MPICH2 1.3 and 1.4, Intel MPI 4 and MPICH 3.1 that of_old_release.c uses. The tests must not
   take these facts from the header of the installed release. WITH_LONG_STATUS: the layout of MPICH 3.0.
   WITH_SHIFTED_COMBINERS: the numbers of MPICH2 1.5 and MPICH 3.0. */
#include <stddef.h>

typedef int MPI_Comm, MPI_Datatype, MPI_Errhandler, MPI_Op, MPI_Request;
typedef ptrdiff_t MPI_Aint;
typedef struct {
#ifdef WITH_LONG_STATUS
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    long long count;
    int cancelled, reserved[2];
#else
    int count, cancelled, MPI_SOURCE, MPI_TAG, MPI_ERROR;
#endif
} MPI_Status;

#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
#define MPI_INT ((MPI_Datatype)0x4c000405)
#define MPI_CHAR ((MPI_Datatype)0x4c000101)
#define MPI_DOUBLE ((MPI_Datatype)0x4c00080b)
#define MPI_SUM ((MPI_Op)0x58000003)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x54000001)
#define MPI_REQUEST_NULL ((MPI_Request)0x2c000000)
#define MPI_STATUS_IGNORE ((MPI_Status*)1)
#define MPI_IN_PLACE ((void*)-1)

enum {
    MPI_ANY_SOURCE = -2,
    MPI_ANY_TAG = -1,
    MPI_PROC_NULL = -1,
    MPI_TAG_UB = 0x64400001,
    MPI_KEYVAL_INVALID = 0x24000000,
    MPI_ERR_TRUNCATE = 14
};
#ifdef WITH_SHIFTED_COMBINERS
enum { MPI_COMBINER_STRUCT = 13, MPI_COMBINER_RESIZED = 19 };
#else
enum { MPI_COMBINER_STRUCT = 12, MPI_COMBINER_RESIZED = 18 };
#endif
enum { MPI_THREAD_MULTIPLE = 3 };
