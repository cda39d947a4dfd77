// Sessions without MPI_Init: process sets, groups and communicators created from them, error handlers.
// ranks: 1 2 4
#include "check.h"

static MPI_Session session;

static void process_sets(void) {
    static char name[MPI_MAX_PSET_NAME_LEN], value[MPI_MAX_INFO_VAL + 1];
    int count = -1, length, world = 0, self = 0, flag = 0;
    MPI_Info info = MPI_INFO_NULL;
    CASE("process sets");
    CHECK_OK(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    CHECK(count >= 2);
    for (int i = 0; i < count; i++) {
        length = 0;
        CHECK_OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name));
        CHECK(length > 1 && length <= MPI_MAX_PSET_NAME_LEN);
        memset(name, '?', sizeof name);
        CHECK_OK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name));
        CHECK_INT(strlen(name), length - 1);
        world |= strcmp(name, "mpi://WORLD") == 0;
        self |= strcmp(name, "mpi://SELF") == 0;
    }
    CHECK(world && self);
    CHECK_OK(MPI_Session_get_pset_info(session, "mpi://WORLD", &info));
    CHECK_OK(MPI_Info_get(info, "mpi_size", MPI_MAX_INFO_VAL, value, &flag));
    CHECK_INT(flag, 1);
    CHECK_STRING(value, getenv("ANYMPI_TEST_RANKS"));
    CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Session_get_info(session, &info));
    CHECK(info != MPI_INFO_NULL);
    CHECK_OK(MPI_Info_free(&info));
}

static MPI_Comm communicator_of(const char* set, const char* tag) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    CHECK_OK(MPI_Group_from_session_pset(session, set, &group));
    CHECK_OK(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    CHECK(comm != MPI_COMM_NULL);
    CHECK_OK(MPI_Group_free(&group));
    return comm;
}

static void communicators(MPI_Comm world) {
    MPI_Errhandler found = MPI_ERRHANDLER_NULL;
    MPI_Comm self, copy;
    int mine = check_rank + 1, sum = -1, size = -1, same = -1;
    CASE("communicators");
    CHECK_OK(MPI_Comm_get_errhandler(world, &found));
    CHECK_SAME(found, MPI_ERRORS_RETURN);
    CHECK_OK(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, world));
    CHECK_INT(sum, check_ranks * (check_ranks + 1) / 2);
    CHECK_OK(MPI_Comm_dup(world, &copy));
    CHECK_OK(MPI_Comm_compare(world, copy, &same));
    CHECK_INT(same, MPI_CONGRUENT);
    CHECK_OK(MPI_Comm_free(&copy));
    self = communicator_of("mpi://SELF", "anympi/sessions/self");
    CHECK_OK(MPI_Comm_size(self, &size));
    CHECK_INT(size, 1);
    CHECK_OK(MPI_Comm_free(&self));
    CASE("errors");
    CHECK_CLASS(MPI_Send(&mine, 1, MPI_INT, check_ranks, 0, world), MPI_ERR_RANK);
}

static void second_session(void) {
    MPI_Session second = MPI_SESSION_NULL;
    MPI_Group group;
    int size = -1;
    CASE("two sessions");
    CHECK_OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second));
    CHECK(second != MPI_SESSION_NULL && second != session);
    CHECK_OK(MPI_Group_from_session_pset(second, "mpi://WORLD", &group));
    CHECK_OK(MPI_Group_size(group, &size));
    CHECK_INT(size, check_ranks);
    CHECK_OK(MPI_Group_free(&group));
    CHECK_OK(MPI_Session_finalize(&second));
    CHECK_SAME(second, MPI_SESSION_NULL);
}

static struct {
    MPI_Session session;
    int code, calls;
} reported;

static void on_error(MPI_Session* from, int* code, ...) {
    reported.session = *from;
    reported.code = *code;
    reported.calls++;
}

static void error_handlers(void) {
    MPI_Errhandler handler, found = MPI_ERRHANDLER_NULL;
    CASE("error handlers");
    CHECK_OK(MPI_Session_get_errhandler(session, &found));
    // MPICH before 5 loses the handler that it was given
    CHECK(found == MPI_ERRORS_RETURN || found == MPI_ERRORS_ARE_FATAL);
    CHECK_OK(MPI_Errhandler_free(&found));
    CHECK_SAME(found, MPI_ERRHANDLER_NULL);
    CHECK_OK(MPI_Session_create_errhandler(on_error, &handler));
    CHECK_OK(MPI_Session_set_errhandler(session, handler));
    CHECK_OK(MPI_Session_get_errhandler(session, &found));
    CHECK_SAME(found, handler);
    CHECK_OK(MPI_Session_call_errhandler(session, MPI_ERR_SESSION));
    CHECK_INT(reported.calls, 1);
    CHECK_INT(reported.code, MPI_ERR_SESSION);
    CHECK_SAME(reported.session, session);
    CHECK_OK(MPI_Errhandler_free(&found));
    CHECK_OK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Errhandler_free(&handler));
}

static void intercommunicator(void) {
    MPI_Group world, mine, theirs;
    MPI_Comm comm = MPI_COMM_NULL;
    int me = check_rank, other = 1 - check_rank, count = -1;
    CASE("Intercomm_create_from_groups");
    if (check_rank > 1 || check_ranks < 2)
        return;
    CHECK_OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &world));
    CHECK_OK(MPI_Group_incl(world, 1, &me, &mine));
    CHECK_OK(MPI_Group_incl(world, 1, &other, &theirs));
    CHECK_OK(MPI_Intercomm_create_from_groups(mine, 0, theirs, 0, "anympi/sessions/inter", MPI_INFO_NULL,
                                              MPI_ERRORS_RETURN, &comm));
    CHECK_OK(MPI_Comm_remote_size(comm, &count));
    CHECK_INT(count, 1);
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK_OK(MPI_Group_free(&world));
    CHECK_OK(MPI_Group_free(&mine));
    CHECK_OK(MPI_Group_free(&theirs));
}

static void buffers(void) {
    static char space[MPI_BSEND_OVERHEAD + 100];
    void* found = NULL;
    int size = -1;
    CASE("a buffer of the session");
    if (OFFERED(MPI_Session_attach_buffer, (session, space, (int)sizeof space))) {
        CHECK_OK(MPI_Session_detach_buffer(session, &found, &size));
        CHECK_SAME(found, space);
        CHECK_INT(size, sizeof space);
    }
}

// check_merge() needs MPI_COMM_WORLD, which a program with sessions only does not have.
static void merge(MPI_Comm world) {
    long long mine[3], sums[3] = {0};
    mine[0] = check_done;
    mine[1] = check_failed;
    mine[2] = check_skipped;
    if (MPI_Allreduce(mine, sums, 3, MPI_LONG_LONG, MPI_SUM, world) != MPI_SUCCESS || sums[0] < mine[0]) {
        check_say("FAILED: the results could not be summed");
        exit(1);
    }
    check_done = sums[0];
    check_failed = sums[1];
    check_skipped = sums[2];
}

static int run(void) {
    const char* expected = getenv("ANYMPI_TEST_RANKS");
    int initialised = -1;
    CASE("Session_init");
    CHECK(session != MPI_SESSION_NULL);
    CHECK_OK(MPI_Initialized(&initialised));
    CHECK_INT(initialised, check_runtime_is("Intel")); // Intel's library counts sessions too
    MPI_Comm world = communicator_of("mpi://WORLD", "anympi/sessions/world");
    CHECK_OK(MPI_Comm_rank(world, &check_rank));
    CHECK_OK(MPI_Comm_size(world, &check_ranks));
    CHECK_INT(check_ranks, expected ? atoi(expected) : 0);
    process_sets();
    communicators(world);
    second_session();
    error_handlers();
    intercommunicator();
    buffers();
    merge(world);
    MPI_Comm_free(&world);
    CASE("Session_finalize");
    CHECK_OK(MPI_Session_finalize(&session));
    CHECK_SAME(session, MPI_SESSION_NULL);
    return check_report();
}

int main(int argc, char** argv) {
    int code;
    check_start();
    code = MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    if (code == MPI_SUCCESS)
        return run();
    MPI_Init(&argc, &argv); // an older runtime: only now its own functions may be called with the code
    check_join();
    check_offered(__FILE__, __LINE__, "MPI_Session_init", code);
    return check_end();
}
