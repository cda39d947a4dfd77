// Signals and fork, as docs/cluster/security.md promises: anympi changes neither handlers nor the mask of signals, a
// signal may come at any time, and a child of fork may start a program while threads of its parent are inside MPI.
// ranks: 1 2
// flags: -pthread
#define _DEFAULT_SOURCE
#include "check.h"
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>

enum { rounds = 2000, children = 20 };

static volatile sig_atomic_t signals;
static timer_t timer;

static void count_signal(int number) {
    (void)number;
    signals++;
}

static void make_timer(void) {
    struct sigaction action = {0};
    struct sigevent event = {0};
    action.sa_handler = count_signal; // without SA_RESTART: system calls are interrupted
    CHECK_INT(sigaction(SIGUSR1, &action, NULL), 0);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    CHECK_INT(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
}

// 0 ends the signals.
static void signal_every(long nanoseconds) {
    const struct itimerspec period = {{0, nanoseconds}, {0, nanoseconds}};
    CHECK_INT(timer_settime(timer, 0, &period, NULL), 0);
}

// The first call finds, opens and binds the library.
static void first_call(void) {
    struct sigaction action;
    sigset_t before, after;
    int flag = -1;
    CASE("the first call");
    sigprocmask(SIG_SETMASK, NULL, &before);
    signal_every(50000);
    CHECK_INT(MPI_Initialized(&flag), MPI_SUCCESS);
    signal_every(0);
    CHECK_INT(flag, 0);
    CHECK(signals > 0);
    sigprocmask(SIG_SETMASK, NULL, &after);
    for (int i = 1; i < NSIG; i++)
        CHECK_INT(sigismember(&after, i), sigismember(&before, i));
    CHECK_INT(sigaction(SIGUSR1, NULL, &action), 0);
    CHECK_SAME(action.sa_handler, count_signal);
}

static void make_and_free(void) {
    MPI_Datatype type;
    MPI_Group group;
    MPI_Info info;
    char value[8];
    int size = -1, flag = 0;
    CHECK_OK(MPI_Type_contiguous(3, MPI_INT, &type));
    CHECK_OK(MPI_Type_size(type, &size));
    CHECK_INT(size, 3 * sizeof(int));
    CHECK_OK(MPI_Type_free(&type));
    CHECK_OK(MPI_Comm_group(MPI_COMM_SELF, &group));
    CHECK_OK(MPI_Group_free(&group));
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "key", "value"));
    CHECK_OK(MPI_Info_get(info, "key", 7, value, &flag));
    CHECK_STRING(value, "value");
    CHECK_OK(MPI_Info_free(&info));
}

static void calls_with_signals(void) {
    CASE("signals during calls");
    signals = 0;
    signal_every(50000);
    for (int i = 0; i < rounds; i++) {
        int sum = 0, one = 1;
        make_and_free();
        CHECK_OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF));
        CHECK_INT(sum, 1);
    }
    signal_every(0);
    CHECK(signals > 0);
}

static int stop_making;

static void* keep_making(void* unused) {
    while (!__atomic_load_n(&stop_making, __ATOMIC_RELAXED))
        make_and_free();
    return unused;
}

// The child starts a program at once, as MPI libraries require. Before that, no code of anympi may run in it that could
// wait for a lock which a thread of the parent held.
static void start_programs(void) {
    for (int i = 0; i < children; i++) {
        int status = -1;
        const pid_t child = fork();
        if (child == 0) {
            execl("/bin/true", "true", (char*)NULL);
            _exit(127);
        }
        CHECK(child > 0);
        CHECK_INT(waitpid(child, &status, 0), child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

static void fork_beside_threads(int level) {
    pthread_t thread;
    CASE("fork beside a thread");
    if (!CHECK_INT(level, MPI_THREAD_MULTIPLE))
        return;
    CHECK_INT(pthread_create(&thread, NULL, keep_making, NULL), 0);
    start_programs();
    __atomic_store_n(&stop_making, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
    int level = MPI_THREAD_SINGLE;
    check_start();
    make_timer();
    first_call();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    check_join();
    calls_with_signals();
    fork_beside_threads(level);
    return check_end();
}
