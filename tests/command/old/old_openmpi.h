/* The parts of mpi.h of Open MPI 1.5 to 3.1 that of_old_release.c uses. The tests must not take these facts from the
   header of the installed release. WITH_SHORT_STATUS: the layout up to 1.4. */
#include <stddef.h>

typedef struct ompi_communicator_t* MPI_Comm;
typedef struct ompi_datatype_t* MPI_Datatype;
typedef struct ompi_errhandler_t* MPI_Errhandler;
typedef struct ompi_op_t* MPI_Op;
typedef struct ompi_request_t* MPI_Request;
typedef ptrdiff_t MPI_Aint;
typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
#ifdef WITH_SHORT_STATUS
    int count, cancelled;
#else
    int cancelled;
    size_t count;
#endif
} MPI_Status;

extern char ompi_mpi_comm_world[], ompi_mpi_int[], ompi_mpi_char[], ompi_mpi_double[], ompi_mpi_op_sum[],
    ompi_mpi_errors_return[], ompi_request_null[];
#define MPI_COMM_WORLD ((MPI_Comm)ompi_mpi_comm_world)
#define MPI_INT ((MPI_Datatype)ompi_mpi_int)
#define MPI_CHAR ((MPI_Datatype)ompi_mpi_char)
#define MPI_DOUBLE ((MPI_Datatype)ompi_mpi_double)
#define MPI_SUM ((MPI_Op)ompi_mpi_op_sum)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)ompi_mpi_errors_return)
#define MPI_REQUEST_NULL ((MPI_Request)ompi_request_null)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_IN_PLACE ((void*)1)

enum {
    MPI_ANY_SOURCE = -1,
    MPI_ANY_TAG = -1,
    MPI_PROC_NULL = -2,
    MPI_TAG_UB = 0,
    MPI_KEYVAL_INVALID = -1,
    MPI_ERR_TRUNCATE = 15
};
enum { MPI_COMBINER_STRUCT = 11, MPI_COMBINER_RESIZED = 17, MPI_THREAD_MULTIPLE = 3 };
