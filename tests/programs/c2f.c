// Handles and statuses of Fortran: not in the standard ABI, but in every MPI, and in anympi's mpi.h.
// ranks: 1
#include "check.h"

#define ROUND_TRIP(Class, handle) CHECK_SAME(MPI_##Class##_f2c(MPI_##Class##_c2f(handle)), handle)

static void handles(void) {
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Info info;
    MPI_Group group;
    MPI_Request request;
    int data;
    CASE("predefined handles");
    ROUND_TRIP(Comm, MPI_COMM_WORLD);
    ROUND_TRIP(Comm, MPI_COMM_NULL);
    ROUND_TRIP(Type, MPI_DOUBLE);
    ROUND_TRIP(Type, MPI_DATATYPE_NULL);
    ROUND_TRIP(Op, MPI_SUM);
    ROUND_TRIP(Group, MPI_GROUP_EMPTY);
    ROUND_TRIP(Info, MPI_INFO_NULL);
    ROUND_TRIP(Errhandler, MPI_ERRORS_RETURN);
    ROUND_TRIP(Request, MPI_REQUEST_NULL);
    ROUND_TRIP(Message, MPI_MESSAGE_NO_PROC);
    ROUND_TRIP(File, MPI_FILE_NULL);
    ROUND_TRIP(Win, MPI_WIN_NULL);
    ROUND_TRIP(Session, MPI_SESSION_NULL);
    CASE("handles of the program");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &type));
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Comm_group(comm, &group));
    CHECK_OK(MPI_Recv_init(&data, 1, MPI_INT, 0, 0, comm, &request));
    ROUND_TRIP(Comm, comm);
    ROUND_TRIP(Type, type);
    ROUND_TRIP(Info, info);
    ROUND_TRIP(Group, group);
    ROUND_TRIP(Request, request);
    CHECK_OK(MPI_Request_free(&request));
    CHECK_OK(MPI_Group_free(&group));
    CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Type_free(&type));
    CHECK_OK(MPI_Comm_free(&comm));
}

// The numbers that Fortran programs were compiled with.
static void numbers(void) {
    CASE("numbers of predefined handles");
#if defined(OPEN_MPI)
    CHECK_INT(MPI_Comm_c2f(MPI_COMM_WORLD), 0);
    CHECK_INT(MPI_Comm_c2f(MPI_COMM_NULL), 2);
    CHECK_INT(MPI_Type_c2f(MPI_DOUBLE_PRECISION), 17);
    CHECK_INT(MPI_Type_c2f(MPI_INT), 39);
    CHECK_INT(MPI_Op_c2f(MPI_SUM), 3);
    CHECK_INT(MPI_Errhandler_c2f(MPI_ERRORS_RETURN), 2);
    CHECK_INT(MPI_Request_c2f(MPI_REQUEST_NULL), 0);
    CHECK_SAME(MPI_Type_f2c(7), MPI_INTEGER);
    CHECK_SAME(MPI_Info_f2c(1), MPI_INFO_ENV);
#elif defined(MPICH_VERSION)
    CHECK_INT(MPI_Comm_c2f(MPI_COMM_WORLD), (int)MPI_COMM_WORLD);
    CHECK_INT(MPI_Type_c2f(MPI_INTEGER), (int)MPI_INTEGER);
#else
    CHECK_INT(MPI_Comm_c2f(MPI_COMM_WORLD), 257);
#endif
    CHECK_INT(MPI_File_c2f(MPI_FILE_NULL) == 0, sizeof(MPI_Status) < 32);
}

// A status keeps all its information when it is converted to Fortran and back.
static void statuses(void) {
    MPI_Status status = check_dirty_status(), back = check_dirty_status();
    MPI_Fint fortran[sizeof(MPI_Status) / sizeof(MPI_Fint)];
    MPI_F08_status f08;
    int out[3] = {1, 2, 3}, in[3], count = -1;
    CASE("status");
    CHECK_OK(MPI_Sendrecv(out, 3, MPI_INT, 0, 9, in, 3, MPI_INT, 0, 9, MPI_COMM_SELF, &status));
    status.MPI_ERROR = MPI_SUCCESS;
    CHECK_OK(MPI_Status_c2f(&status, fortran));
    CHECK_OK(MPI_Status_f2c(fortran, &back));
    CHECK_STATUS(back, 0, 9, MPI_INT, 3);
    CHECK_OK(MPI_Status_c2f08(&status, &f08));
    CHECK_INT(f08.MPI_SOURCE, 0);
    CHECK_INT(f08.MPI_TAG, 9);
    back = check_dirty_status();
    CHECK_OK(MPI_Status_f082c(&f08, &back));
    CHECK_OK(MPI_Get_count(&back, MPI_INT, &count));
    CHECK_INT(count, 3);
    memset(fortran, 0, sizeof fortran);
    CHECK_OK(MPI_Status_f082f(&f08, fortran));
    memset(&f08, 0, sizeof f08);
    CHECK_OK(MPI_Status_f2f08(fortran, &f08));
    CHECK_INT(f08.MPI_TAG, 9);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    handles();
    numbers();
    statuses();
    return check_end();
}
