// A distributed graph that one process learns about late, after as many nonblocking collectives as are harmless without
// anympi. Open MPI 4.1 receives edges from any source, on the given communicator, with tags that the 24th and 25th
// nonblocking collective on it also have. Collectives that a front makes for itself in MPI_Init must not count: the
// first collective of this MPI_Dist_graph_create would become the 25th, and its messages would be mistaken for edges.
// ranks: 4
#include "check.h"

#include <time.h>

static timer_t alarm_clock;
static int naps_left = 100;

static void run_for_a_moment(void) {
    const struct itimerspec moment = {{0, 0}, {0, 10000}};
    timer_settime(alarm_clock, 0, &moment, NULL);
}

static void sleep_again(int number) {
    const struct timespec nap = {0, 20000000};
    (void)number;
    nanosleep(&nap, NULL);
    if (--naps_left > 0)
        run_for_a_moment();
}

// Puts the process to sleep again and again, so that it is late in everything, also between two steps of one MPI call.
static void limp(void) {
    struct sigaction action = {0};
    struct sigevent event = {0};
    action.sa_handler = sleep_again;
    action.sa_flags = SA_RESTART;
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR2;
    CHECK(sigaction(SIGUSR2, &action, NULL) == 0);
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &alarm_clock) == 0);
    run_for_a_moment();
}

static void walk(void) {
    timer_delete(alarm_clock);
}

// One edge from the first process to the last one. Only the last one passes it.
static void create(int last, MPI_Comm* made) {
    const int first = 0, one = 1, knows = check_rank == last;
    if (knows)
        limp();
    CHECK_OK(MPI_Dist_graph_create(MPI_COMM_WORLD, knows, &first, &one, &last, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, made));
    if (knows)
        walk();
}

int main(int argc, char** argv) {
    int in = -1, out = -1, weighted = -1;
    MPI_Comm graph;
    check_begin(&argc, &argv);
    for (int i = 0; i < 21; ++i) {
        MPI_Request barrier;
        CHECK_OK(MPI_Ibarrier(MPI_COMM_WORLD, &barrier));
        CHECK_OK(MPI_Wait(&barrier, MPI_STATUS_IGNORE));
    }
    CASE("an edge that is told late");
    create(check_ranks - 1, &graph);
    CHECK_OK(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK_INT(out, check_rank == 0);
    CHECK_INT(in, check_rank == check_ranks - 1);
    CHECK_OK(MPI_Comm_free(&graph));
    return check_end();
}
