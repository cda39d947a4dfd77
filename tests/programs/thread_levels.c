// Thread levels: what is asked for, what is given, who is the main thread.
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

int main(int argc, char** argv) {
    // A process asks once in its life, so the number of ranks chooses the level.
    const int levels[] = {MPI_THREAD_MULTIPLE, MPI_THREAD_FUNNELED, MPI_THREAD_SINGLE, MPI_THREAD_SERIALIZED};
    const char* ranks = getenv("ANYMPI_TEST_RANKS");
    int wanted = levels[ranks ? (atoi(ranks) + 3) % 4 : 0], provided = -1, level = -1, flag = -1;
    pthread_t thread;
    check_start();
    CASE("Init_thread");
    CHECK_INT(MPI_Init_thread(&argc, &argv, wanted, &provided), MPI_SUCCESS);
    check_join();
    CHECK(is_level(provided));
    CHECK(provided >= wanted); // the standard's numbers grow with the level
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
    CASE("Initialized, Finalized");
    CHECK_OK(MPI_Initialized(&flag));
    CHECK_INT(flag, 1);
    CHECK_OK(MPI_Finalized(&flag));
    CHECK_INT(flag, 0);
    return check_end();
}
