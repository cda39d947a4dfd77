/* Programs of MPICH's family: a handle of a freed object is an error, as on MPICH itself. */
#include <mpi.h>
#include <stdio.h>

static int failures = 0;

/* Some libraries return MPI_ERR_ARG. */
static void expect(int code, int expected, const char* what) {
    int class = 0;
    MPI_Error_class(code, &class);
    if (class != expected && class != MPI_ERR_ARG) {
        printf("FAILED %s: class %d instead of %d\n", what, class, expected);
        failures++;
    }
}

static void nothing(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)in, (void)inout, (void)length, (void)type;
}

int main(int argc, char** argv) {
    int value = 0, flag = 0, received = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);

    MPI_Comm comm, old_comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    old_comm = comm;
    MPI_Comm_free(&comm);
    expect(MPI_Comm_rank(old_comm, &value), MPI_ERR_COMM, "rank in a freed communicator");
    expect(MPI_Comm_free(&old_comm), MPI_ERR_COMM, "free of a freed communicator");
    expect(MPI_Comm_disconnect(&old_comm), MPI_ERR_COMM, "disconnect of a freed communicator");

    MPI_Win win, old_win;
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    old_win = win;
    MPI_Win_free(&win);
    expect(MPI_Win_free(&old_win), MPI_ERR_WIN, "free of a freed window");

    MPI_Datatype type, old_type;
    MPI_Type_contiguous(3, MPI_INT, &type);
    old_type = type;
    MPI_Type_free(&type);
    expect(MPI_Type_size(old_type, &value), MPI_ERR_TYPE, "size of a freed type");
    expect(MPI_Type_commit(&old_type), MPI_ERR_TYPE, "commit of a freed type");
    expect(MPI_Type_free(&old_type), MPI_ERR_TYPE, "free of a freed type");

    MPI_Request request, old_request;
    MPI_Irecv(&received, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
    old_request = request;
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(MPI_Wait(&old_request, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, "wait for a completed request");
    expect(MPI_Test(&old_request, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, "test of a completed request");

    MPI_Request two[2], old_two[2];
    MPI_Irecv(&received, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &two[0]);
    MPI_Isend(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &two[1]);
    old_two[0] = two[0];
    old_two[1] = two[1];
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    expect(MPI_Wait(&old_two[0], MPI_STATUS_IGNORE), MPI_ERR_REQUEST, "wait for the first of two completed requests");
    expect(MPI_Wait(&old_two[1], MPI_STATUS_IGNORE), MPI_ERR_REQUEST, "wait for the second of two completed requests");

    MPI_Group group, old_group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    old_group = group;
    MPI_Group_free(&group);
    expect(MPI_Group_size(old_group, &value), MPI_ERR_GROUP, "size of a freed group");
    expect(MPI_Group_free(&old_group), MPI_ERR_GROUP, "free of a freed group");

    MPI_Op op, old_op;
    MPI_Op_create(nothing, 1, &op);
    old_op = op;
    MPI_Op_free(&op);
    expect(MPI_Op_free(&old_op), MPI_ERR_OP, "free of a freed operation");

    MPI_Info info, old_info;
    MPI_Info_create(&info);
    old_info = info;
    MPI_Info_free(&info);
    expect(MPI_Info_set(old_info, "key", "value"), MPI_ERR_INFO, "key in a freed info");
    expect(MPI_Info_free(&old_info), MPI_ERR_INFO, "free of a freed info");

    MPI_Comm parent, again;
    MPI_Comm_get_parent(&parent);
    MPI_Comm_get_parent(&again);
    if (parent != again || parent != MPI_COMM_NULL)
        failures++;
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
    if (handler != MPI_ERRORS_RETURN)
        failures++;
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    printf(failures ? "FAILED\n" : "passed\n");
    return failures != 0;
}
