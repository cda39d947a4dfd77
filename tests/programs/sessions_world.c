// A session and MPI_Init in one program: both give working communicators, and either may end first.
// ranks: 1 2 4
#include "check.h"

static void check_works(MPI_Comm comm) {
    int mine = check_rank + 1, sum = -1;
    CHECK_OK(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_INT(sum, check_ranks * (check_ranks + 1) / 2);
}

static void use(MPI_Session session) {
    MPI_Group group, world;
    MPI_Comm comm = MPI_COMM_NULL;
    int same = -1;
    CASE("a communicator of the session");
    CHECK_OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_OK(MPI_Group_compare(group, world, &same));
    CHECK_INT(same, MPI_IDENT);
    CHECK_OK(MPI_Comm_create_from_group(group, "anympi/sessions_world", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    check_works(comm);
    check_works(MPI_COMM_WORLD);
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK_OK(MPI_Group_free(&group));
    CHECK_OK(MPI_Group_free(&world));
}

// The program's receives must not match messages that the creation of a communicator needs.
static void beside_a_pending_receive(MPI_Session session) {
    MPI_Request request;
    MPI_Status status;
    int got = -1, value = 60 + check_rank;
    CASE("a communicator of the session beside a receive with MPI_ANY_TAG");
    CHECK_OK(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request));
    use(session);
    CHECK_OK(MPI_Send(&value, 1, MPI_INT, check_rank, 5, MPI_COMM_WORLD));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_STATUS(status, check_rank, 5, MPI_INT, 1);
    CHECK_INT(got, value);
}

int main(int argc, char** argv) {
    MPI_Session session = MPI_SESSION_NULL;
    check_begin(&argc, &argv);
    CASE("Session_init after Init");
    if (OFFERED(MPI_Session_init, (MPI_INFO_NULL, MPI_ERRORS_RETURN, &session))) {
        use(session);
        CHECK_OK(MPI_Session_finalize(&session));
        CHECK_SAME(session, MPI_SESSION_NULL);
        CASE("the world after the session");
        check_works(MPI_COMM_WORLD);
        CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
        beside_a_pending_receive(session);
        CHECK_OK(MPI_Session_finalize(&session));
    }
    return check_end();
}
