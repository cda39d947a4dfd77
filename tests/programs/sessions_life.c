// The lifetimes of sessions: before MPI_Init and after MPI_Finalize, many, several at once, in threads.
// ranks: 1 2
#include "check.h"
#include <pthread.h>
#include <sys/wait.h>

static MPI_Session open_session(void) {
    MPI_Session session = MPI_SESSION_NULL;
    CHECK_INT(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session), MPI_SUCCESS);
    CHECK(session != MPI_SESSION_NULL);
    return session;
}

static int rank_in(MPI_Session session) {
    MPI_Group group = MPI_GROUP_NULL;
    int rank = -1;
    CHECK_INT(MPI_Group_from_session_pset(session, "mpi://WORLD", &group), MPI_SUCCESS);
    CHECK_INT(MPI_Group_rank(group, &rank), MPI_SUCCESS);
    CHECK_INT(MPI_Group_free(&group), MPI_SUCCESS);
    return rank;
}

static int size_of(MPI_Session session, const char* set) {
    MPI_Group group = MPI_GROUP_NULL;
    int size = -1;
    CHECK_INT(MPI_Group_from_session_pset(session, set, &group), MPI_SUCCESS);
    CHECK_INT(MPI_Group_size(group, &size), MPI_SUCCESS);
    CHECK_INT(MPI_Group_free(&group), MPI_SUCCESS);
    return size;
}

static void sum_in(MPI_Session session, const char* tag) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    int one = 1, sum = -1;
    CHECK_INT(MPI_Group_from_session_pset(session, "mpi://WORLD", &group), MPI_SUCCESS);
    CHECK_INT(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm), MPI_SUCCESS);
    CHECK_INT(MPI_Group_free(&group), MPI_SUCCESS);
    CHECK_INT(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm), MPI_SUCCESS);
    CHECK_INT(sum, check_ranks);
    CHECK_INT(MPI_Comm_free(&comm), MPI_SUCCESS);
}

// Open MPI 5.0.11 reopens its lower layers with the first session after the last one, and crashes after several times.
static void many(void) {
    MPI_Session keep = open_session();
    int wrong = 0;
    CASE("a thousand sessions");
    for (int i = 0; i < 1000; i++) {
        MPI_Session session = MPI_SESSION_NULL;
        wrong += MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS;
        wrong += session == MPI_SESSION_NULL || session == keep;
        wrong += MPI_Session_finalize(&session) != MPI_SUCCESS;
        wrong += session != MPI_SESSION_NULL;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(MPI_Session_finalize(&keep), MPI_SUCCESS);
}

static void several(void) {
    enum { count = 20 };
    MPI_Session open[count];
    CASE("several sessions");
    for (int i = 0; i < count; i++) {
        open[i] = open_session();
        for (int other = 0; other < i; other++)
            CHECK(open[other] != open[i]);
    }
    for (int i = 0; i < count; i += 2)
        CHECK_INT(MPI_Session_finalize(&open[i]), MPI_SUCCESS);
    for (int i = 1; i < count; i += 2) {
        CHECK_INT(size_of(open[i], "mpi://SELF"), 1);
        CHECK_INT(MPI_Session_finalize(&open[i]), MPI_SUCCESS);
    }
}

static void* in_thread(void* unused) {
    for (int i = 0; i < 50; i++) {
        MPI_Session session = open_session();
        CHECK_INT(size_of(session, "mpi://WORLD"), check_ranks);
        CHECK_INT(MPI_Session_finalize(&session), MPI_SUCCESS);
    }
    return unused;
}

// MPICH 5 gives all sessions the thread level of the first one, whatever they request.
static int has_threads(MPI_Session session) {
    char level[MPI_MAX_INFO_VAL + 1] = "";
    MPI_Info info = MPI_INFO_NULL;
    int flag = 0;
    CHECK_INT(MPI_Session_get_info(session, &info), MPI_SUCCESS);
    CHECK_INT(MPI_Info_get(info, "thread_level", MPI_MAX_INFO_VAL, level, &flag), MPI_SUCCESS);
    CHECK_INT(MPI_Info_free(&info), MPI_SUCCESS);
    return flag && strcmp(level, "MPI_THREAD_MULTIPLE") == 0;
}

static void threads(MPI_Session session) {
    pthread_t thread[4];
    CASE("sessions in threads");
    if (!has_threads(session))
        return;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, in_thread, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
}

// A child that exits must not end the MPI of its parent.
static void forked(void) {
    int status = -1;
    CASE("a child exits");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        exit(0);
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int deleted[2], deletions, finalised_then = -1;

static int on_delete(MPI_Comm comm, int keyval, void* value, void* state) {
    (void)comm;
    (void)keyval;
    (void)state;
    if (deletions < 2)
        deleted[deletions] = *(int*)value;
    deletions++;
    MPI_Finalized(&finalised_then);
    return MPI_SUCCESS;
}

// The usual way in which a library notices MPI_Finalize: it frees the keyval at once.
static void hook(int* value) {
    int keyval = MPI_KEYVAL_INVALID;
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval, NULL));
    CHECK_OK(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, value));
    CHECK_OK(MPI_Comm_free_keyval(&keyval));
}

static void world(MPI_Session session, int* argc, char*** argv) {
    static int first = 1, second = 2;
    int provided = -1, level = -1, main_thread = -1, sum = -1, one = 1;
    CASE("MPI_Init after sessions");
    CHECK_INT(MPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
    check_state(1, 0);
    check_join();
    CHECK_OK(MPI_Query_thread(&level));
    CHECK_INT(level, provided);
    CHECK_OK(MPI_Is_thread_main(&main_thread));
    CHECK_INT(!!main_thread, 1);
    CHECK_OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK_INT(sum, check_ranks);
    sum_in(session, "anympi/sessions_life/during");
    hook(&first);
    hook(&second);
}

// A session that lives longer than the world.
static void ending(MPI_Session session) {
    CASE("MPI_Finalize while a session is open");
    check_merge();
    CHECK_INT(MPI_Finalize(), MPI_SUCCESS);
    check_state(1, 1);
    if (check_mpich_major() < 4) { // MPICH 4.0.2 to 5.0.2 delete the attributes only with the last session
        CHECK_INT(deletions, 2);
        CHECK(deleted[0] == 2 && deleted[1] == 1);
        CHECK_INT(finalised_then, 0);
    }
    sum_in(session, "anympi/sessions_life/after");
    MPI_Session another = open_session();
    CHECK_INT(size_of(another, "mpi://WORLD"), check_ranks);
    CHECK_INT(MPI_Session_finalize(&another), MPI_SUCCESS);
    CHECK_INT(MPI_Session_finalize(&session), MPI_SUCCESS);
    CHECK_SAME(session, MPI_SESSION_NULL);
}

int main(int argc, char** argv) {
    MPI_Session session = MPI_SESSION_NULL;
    check_start();
    CASE("sessions before MPI_Init");
    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS) {
        MPI_Init(&argc, &argv);
        check_join();
        check_skip("MPI_Session_init", "not offered by this MPI");
        return check_end();
    }
    if (!check_runtime_is("Intel")) // Intel's library counts sessions too
        check_state(0, 0);
    check_rank = rank_in(session);
    check_ranks = size_of(session, "mpi://WORLD");
    CHECK_INT(check_ranks, atoi(getenv("ANYMPI_TEST_RANKS")));
    sum_in(session, "anympi/sessions_life/before");
    many();
    several();
    threads(session);
    forked();
    if (check_runtime_is("Intel")) { // Intel's library reports MPI_Init as a second call
        CHECK_INT(MPI_Session_finalize(&session), MPI_SUCCESS);
        return check_report();
    }
    world(session, &argc, &argv);
    ending(session);
    return check_report();
}
