// Thread levels: the required and the provided level, the main thread, and the effect of the tools interface.
// ranks: 1 2 3 4
// flags: -pthread
#include "check.h"
#include <pthread.h>

static int main_flag_elsewhere = -1;

static void* ask_elsewhere(void* unused) {
    (void)unused;
    MPI_Is_thread_main(&main_flag_elsewhere);
    return NULL;
}

static int is_level(int level) {
    return level == MPI_THREAD_SINGLE || level == MPI_THREAD_FUNNELED || level == MPI_THREAD_SERIALIZED ||
           level == MPI_THREAD_MULTIPLE;
}

// Open MPI has one level for MPI and its tools interface: initialising the tools interface must not lower it, because
// threads would then run without locks.
static void begin_tools(int level_of_mpi) {
    int granted = -1, again = -1, level = -1;
    CHECK_OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &granted));
    CHECK_OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &again));
    CHECK(is_level(granted));
    CHECK(is_level(again));
    if (check_runtime_is("Open MPI"))
        CHECK_INT(granted, level_of_mpi);
    CHECK_OK(MPI_Query_thread(&level));
    CHECK_INT(level, level_of_mpi);
    CHECK_OK(MPI_T_finalize());
    CHECK_OK(MPI_T_finalize());
}

int main(int argc, char** argv) {
    // A process can request a level only once, so the number of ranks chooses the level.
    const int levels[] = {MPI_THREAD_MULTIPLE, MPI_THREAD_FUNNELED, MPI_THREAD_SINGLE, MPI_THREAD_SERIALIZED};
    const char* ranks = getenv("ANYMPI_TEST_RANKS");
    int wanted = levels[ranks ? (atoi(ranks) + 3) % 4 : 0], provided = -1, level = -1, flag = -1;
    pthread_t thread;
    check_start();
    CASE("Init_thread");
    CHECK_INT(MPI_Init_thread(&argc, &argv, wanted, &provided), MPI_SUCCESS);
    check_join();
    CHECK(is_level(provided));
    CHECK(provided >= wanted); // the standard's values grow with the level
    CHECK_OK(MPI_Query_thread(&level));
    CHECK_INT(level, provided);
    CHECK_OK(MPI_Is_thread_main(&flag));
    CHECK_INT(flag, 1);
    if (provided == MPI_THREAD_MULTIPLE) {
        CASE("another thread");
        CHECK_INT(pthread_create(&thread, NULL, ask_elsewhere, NULL), 0);
        CHECK_INT(pthread_join(thread, NULL), 0);
        CHECK_INT(main_flag_elsewhere, 0);
    }
    CASE("tools that begin with a lower level");
    begin_tools(provided);
    CASE("Initialized, Finalized");
    check_state(1, 0);
    return check_end();
}
