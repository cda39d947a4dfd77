// Handles as integers: predefined handles convert to their numbers, other handles convert back to the same handle.
// ranks: 1
// abi: standard
#include "check.h"

// One class of handles: a predefined handle with its number in the ABI, and a handle that the program created.
#define NUMBER(Class, handle, number)                                                                                  \
    do {                                                                                                               \
        CHECK_INT(MPI_##Class##_toint(handle), number);                                                                \
        CHECK_SAME(MPI_##Class##_fromint(number), handle);                                                             \
    } while (0)

#define ROUND_TRIP(Class, handle)                                                                                      \
    do {                                                                                                               \
        int as_int = MPI_##Class##_toint(handle);                                                                      \
        CHECK(as_int<0 || as_int> 4095); /* the reserved range */                                                      \
        CHECK_INT(MPI_##Class##_toint(handle), as_int);                                                                \
        CHECK_SAME(MPI_##Class##_fromint(as_int), handle);                                                             \
    } while (0)

static void predefined(void) {
    CASE("predefined handles");
    NUMBER(Comm, MPI_COMM_NULL, 0x100);
    NUMBER(Comm, MPI_COMM_WORLD, 0x101);
    NUMBER(Comm, MPI_COMM_SELF, 0x102);
    NUMBER(Group, MPI_GROUP_NULL, 0x108);
    NUMBER(Group, MPI_GROUP_EMPTY, 0x109);
    NUMBER(Win, MPI_WIN_NULL, 0x110);
    NUMBER(File, MPI_FILE_NULL, 0x118);
    NUMBER(Session, MPI_SESSION_NULL, 0x120);
    NUMBER(Message, MPI_MESSAGE_NULL, 0x128);
    NUMBER(Message, MPI_MESSAGE_NO_PROC, 0x129);
    NUMBER(Info, MPI_INFO_NULL, 0x130);
    NUMBER(Info, MPI_INFO_ENV, 0x131);
    NUMBER(Errhandler, MPI_ERRHANDLER_NULL, 0x140);
    NUMBER(Errhandler, MPI_ERRORS_ARE_FATAL, 0x141);
    NUMBER(Errhandler, MPI_ERRORS_ABORT, 0x142);
    NUMBER(Errhandler, MPI_ERRORS_RETURN, 0x143);
    NUMBER(Request, MPI_REQUEST_NULL, 0x180);
    NUMBER(Op, MPI_OP_NULL, 0x20);
    NUMBER(Op, MPI_SUM, 0x21);
    NUMBER(Type, MPI_DATATYPE_NULL, 0x200);
    NUMBER(Type, MPI_INT, 0x209);
    NUMBER(Type, MPI_DOUBLE, (int)(uintptr_t)MPI_DOUBLE);
    NUMBER(Type, MPI_DOUBLE_INT, (int)(uintptr_t)MPI_DOUBLE_INT);
}

static void sum(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; i++)
        ((int*)inout)[i] += ((int*)in)[i];
}

static void ignore(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    (void)code;
}

static void own_handles(void) {
    MPI_Comm comm;
    MPI_Group group;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Info info;
    MPI_Errhandler handler;
    MPI_Request request;
    MPI_Win win;
    MPI_File file;
    void* memory;
    int data = 0, size = -1;
    CASE("communicator"), CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    ROUND_TRIP(Comm, comm);
    CHECK_OK(MPI_Comm_size(MPI_Comm_fromint(MPI_Comm_toint(comm)), &size));
    CHECK_INT(size, 1);
    CASE("group"), CHECK_OK(MPI_Comm_group(comm, &group));
    ROUND_TRIP(Group, group);
    CASE("datatype"), CHECK_OK(MPI_Type_contiguous(3, MPI_INT, &type));
    ROUND_TRIP(Type, type);
    CASE("operation"), CHECK_OK(MPI_Op_create(sum, 1, &op));
    ROUND_TRIP(Op, op);
    CASE("info"), CHECK_OK(MPI_Info_create(&info));
    ROUND_TRIP(Info, info);
    CASE("error handler"), CHECK_OK(MPI_Comm_create_errhandler(ignore, &handler));
    ROUND_TRIP(Errhandler, handler);
    CASE("request"), CHECK_OK(MPI_Recv_init(&data, 1, MPI_INT, 0, 0, comm, &request));
    ROUND_TRIP(Request, request);
    CASE("window"), CHECK_OK(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, comm, &memory, &win));
    ROUND_TRIP(Win, win);
    CASE("file");
    CHECK_OK(MPI_File_open(comm, "toint.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                           MPI_INFO_NULL, &file));
    ROUND_TRIP(File, file);

    CASE("many communicators");
    enum { many = 50 };
    MPI_Comm comms[many];
    int numbers[many], same = 0;
    for (int i = 0; i < many; i++) {
        CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comms[i]));
        numbers[i] = MPI_Comm_toint(comms[i]);
    }
    for (int i = 0; i < many; i++) {
        CHECK_SAME(MPI_Comm_fromint(numbers[i]), comms[i]);
        for (int j = 0; j < i; j++)
            same += numbers[i] == numbers[j];
    }
    CHECK_INT(same, 0);
    for (int i = 0; i < many; i++)
        CHECK_OK(MPI_Comm_free(&comms[i]));

    CASE("freeing");
    CHECK_OK(MPI_File_close(&file));
    CHECK_OK(MPI_Win_free(&win));
    CHECK_OK(MPI_Request_free(&request));
    CHECK_OK(MPI_Errhandler_free(&handler));
    CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Op_free(&op));
    CHECK_OK(MPI_Type_free(&type));
    CHECK_OK(MPI_Group_free(&group));
    CHECK_OK(MPI_Comm_free(&comm));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    predefined();
    own_handles();
    return check_end();
}
