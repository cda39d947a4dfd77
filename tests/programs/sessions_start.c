// A session and the world begin at the same time, in two threads, on libraries that have only MPI_Init.
// ranks: 1 2
// flags: -pthread
#include "check.h"
#include <pthread.h>

static pthread_barrier_t both;
static MPI_Session session = MPI_SESSION_NULL;
static int session_code = -1;

static void* open_session(void* unused) {
    pthread_barrier_wait(&both);
    session_code = MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    return unused;
}

int main(int argc, char** argv) {
    const int is_ours = check_runtime_is("Open MPI v4") || check_mpich_major() == 3;
    pthread_t thread;
    int provided = -1, code, size = -1;
    MPI_Group group = MPI_GROUP_NULL;
    check_start();
    if (!is_ours) { // the library itself starts the session
        MPI_Init(&argc, &argv);
        check_join();
        check_skip("a session and the world at the same time", "this MPI has sessions of its own");
        return check_end();
    }
    CASE("a session and the world at the same time");
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&thread, NULL, open_session, NULL);
    pthread_barrier_wait(&both);
    code = MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_join(thread, NULL);
    CHECK_INT(code, MPI_SUCCESS);
    CHECK_INT(session_code, MPI_SUCCESS);
    check_join();
    CHECK_INT(provided, MPI_THREAD_MULTIPLE);
    CHECK_OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    CHECK_OK(MPI_Group_size(group, &size));
    CHECK_INT(size, check_ranks);
    CHECK_OK(MPI_Group_free(&group));
    CHECK_OK(MPI_Session_finalize(&session));
    return check_end();
}
