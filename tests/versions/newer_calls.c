// Functions that older releases of the same family lack: functions of MPI 4 and 5, or extensions of Open MPI before
// that. Each test returns 1 if the result is right.
#include "tell_cell.h"

#include <mpi.h>
#include <stddef.h>
#include <string.h>

#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)
#define HAS_MPI_4 1
#define ALLREDUCE_INIT MPI_Allreduce_init
#elif defined OPEN_MPI
#include <mpi-ext.h>
#define HAS_MPI_4 0
#define ALLREDUCE_INIT MPIX_Allreduce_init
#endif

static int rank, size;

static int is_reduced(void) {
    const int expected = size * (size + 1) / 2;
    int number = rank + 1, first = 0, second = 0, is_done = 0, count = 0;
    MPI_Request requests[2];
    ALLREDUCE_INIT(&number, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    ALLREDUCE_INIT(&number, &second, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    for (int round = 0; round < 2; round++) {
        first = second = 0;
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Start(&requests[1]);
        for (is_done = 0; !is_done;)
            MPI_Test(&requests[1], &is_done, MPI_STATUS_IGNORE);
        count += first == expected && second == expected;
    }
    first = second = 0;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    count += first == expected && second == expected;
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return count == 3 && requests[0] == MPI_REQUEST_NULL;
}

#if HAS_MPI_4
static int is_begun(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int sets = 0, members = 0, sum = 0;
    const int code = MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "versions", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Comm_size(comm, &members);
    MPI_Allreduce(&members, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
    return code == MPI_SUCCESS && sets >= 2 && sum == members * members && session == MPI_SESSION_NULL;
}

static int is_partitioned(void) {
    int out[4] = {rank, rank + 1, rank + 2, rank + 3}, in[4] = {-1, -1, -1, -1}, has_arrived = 0;
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request requests[2];
    MPI_Psend_init(out, 2, 2, MPI_INT, right, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(in, 2, 2, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Pready(0, requests[0]);
    MPI_Pready(1, requests[0]);
    while (!has_arrived)
        MPI_Parrived(requests[1], 1, &has_arrived);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return in[0] == left && in[3] == left + 3;
}

static int is_exchanged(void) {
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int in = -1, index = -1;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Isendrecv(&rank, 1, MPI_INT, right, 6, &in, 1, MPI_INT, left, 6, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    return in == left && index == 1 && requests[1] == MPI_REQUEST_NULL;
}

static int is_told(void) {
    MPI_Info info;
    char value[16] = "";
    int length = sizeof value, is_there = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_get_string(info, "key", &length, value, &is_there);
    MPI_Info_free(&info);
    return is_there && length == 6 && strcmp(value, "value") == 0;
}
#else
static int is_begun(void) {
    return 1;
}
static int is_partitioned(void) {
    return 1;
}
static int is_exchanged(void) {
    return 1;
}
static int is_told(void) {
    return 1;
}
#endif

// Missing functions make the datatype and its type of copy; existing functions use them.
static int is_counted(void) {
#if MPI_VERSION >= 4
    const int expected = size * (size + 1) / 2;
    int number = rank + 1, sum = 0;
    MPI_Count bytes = 0;
    MPI_Datatype pair;
    MPI_Request request;
    MPI_Allreduce_c(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int right = sum == expected;
    MPI_Iallreduce_c(&number, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    right = right && sum == size;
    MPI_Type_contiguous_c(2, MPI_INT, &pair);
    MPI_Type_size_c(pair, &bytes);
    MPI_Type_commit(&pair);
    MPI_Type_free(&pair);
    return right && bytes == 2 * (MPI_Count)sizeof(int) && pair == MPI_DATATYPE_NULL;
#else
    return 1;
#endif
}

static int is_buffered(void) {
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    char memory[MPI_BSEND_OVERHEAD + 64];
    void* back = NULL;
    int in = -1, length = 0;
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Comm_attach_buffer(MPI_COMM_WORLD, memory, sizeof memory);
    MPI_Bsend(&rank, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_flush_buffer(MPI_COMM_WORLD);
    MPI_Comm_detach_buffer(MPI_COMM_WORLD, &back, &length);
    return in == left && back == (void*)memory && length == (int)sizeof memory;
#else
    return 1;
#endif
}

static int is_asked(void) {
#if MPI_VERSION >= 5
    int major = 0, minor = 0;
    return MPI_Abi_get_version(&major, &minor) == MPI_SUCCESS && major == -1 &&
           MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD)) == MPI_COMM_WORLD;
#else
    return 1;
#endif
}

int main(void) {
    int length;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int is_right = is_begun() & is_reduced() & is_partitioned() & is_exchanged() & is_told() & is_counted() &
                         is_buffered() & is_asked();
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_library_version(version, &length);
    tell_cell(rank, size, is_right, version, length);
    MPI_Finalize();
    return 0;
}
