// Dynamic processes: this program spawns copies of itself; arguments, infos, error codes, communication with the
// parents.
// ranks: 1 2 4
// seconds: 60
// hangs natively: openmpi, 1 of 15 to 4 of 15
#define _GNU_SOURCE
#include "check.h"
#include "hang.h"
#include <time.h>

enum { report_tag = 31, text_length = 200 };

// ---- the children ---------------------------------------------------------------------------------------------------

// Writes the process's world and arguments as one line: "rank of size, application n: a|b".
static void describe(char* text, int argc, char** argv) {
    int rank, size, flag = 0, *number = NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag);
    snprintf(text, text_length, "%d of %d, application %d:", rank, size, flag ? *number : 0);
    for (int i = 1; i < argc; i++)
        snprintf(text + strlen(text), text_length - strlen(text), "%s%s", i > 1 ? "|" : " ", argv[i]);
}

// Children check nothing themselves: they send what they find to the parents.
static int be_child(MPI_Comm parent, int argc, char** argv) {
    char text[text_length];
    int number = -1, sum = -1;
    MPI_Comm all;
    describe(text, argc, argv);
    MPI_Send(text, text_length, MPI_CHAR, 0, report_tag, parent);
    MPI_Bcast(&number, 1, MPI_INT, 0, parent);
    MPI_Reduce(&number, NULL, 1, MPI_INT, MPI_SUM, 0, parent);
    MPI_Intercomm_merge(parent, 1, &all);
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
}

// ---- the parents ----------------------------------------------------------------------------------------------------

static void receive_reports(MPI_Comm children, int count, const char* const* expected) {
    char text[text_length];
    MPI_Status status;
    for (int child = 0; child < count; child++) {
        CHECK_OK(MPI_Recv(text, text_length, MPI_CHAR, child, MPI_ANY_TAG, children, &status));
        CHECK_STATUS(status, child, report_tag, MPI_CHAR, text_length);
        CHECK_STRING(text, expected[child]);
    }
}

static void check_children(MPI_Comm* children, int count, const char* const* expected) {
    int flag = 0, found = -1, number = 7, sum = -1, root = check_rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Comm all;
    CHECK_OK(MPI_Comm_test_inter(*children, &flag));
    CHECK_INT(flag, 1);
    CHECK_OK(MPI_Comm_remote_size(*children, &found));
    CHECK_INT(found, count);
    if (check_rank == 0)
        receive_reports(*children, count, expected);
    CHECK_OK(MPI_Bcast(&number, 1, MPI_INT, root, *children));
    CHECK_OK(MPI_Reduce(NULL, &sum, 1, MPI_INT, MPI_SUM, root, *children));
    if (check_rank == 0)
        CHECK_INT(sum, 7 * count);
    CHECK_OK(MPI_Intercomm_merge(*children, 0, &all));
    number = 1;
    CHECK_OK(MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, all));
    CHECK_INT(sum, 7 * count + check_ranks);
    CHECK_OK(MPI_Comm_free(&all));
    CHECK_OK(MPI_Comm_disconnect(children));
    CHECK_SAME(*children, MPI_COMM_NULL);
    // Open MPI's launcher may wait forever if new children come while the last ones are leaving.
    if (check_runtime_is("Open MPI"))
        nanosleep(&(struct timespec){0, 500000000}, NULL);
}

// If processes cannot be spawned, the error must say so.
static int spawned(int code) {
    if (code == MPI_SUCCESS || !check_lacks_dynamic_processes())
        return CHECK_OK(code);
    CHECK_CLASS(code, MPI_ERR_SPAWN, MPI_ERR_OTHER);
    check_skip("spawn", "this MPI cannot start processes here");
    return 0;
}

// Arguments that are significant only at the root may be anything on other ranks: reading them there would crash.
static void* at_root(const void* argument) {
    static const uintptr_t nowhere = 16;
    return check_rank == 0 ? (void*)(uintptr_t)argument : (void*)nowhere;
}

static int spawn(char* program) {
    static char first[] = "one", second[] = "two words";
    char* arguments[] = {first, second, NULL};
    const char* const expected[] = {"0 of 2, application 0: one|two words", "1 of 2, application 0: one|two words"};
    int codes[2] = {-1, -1};
    MPI_Comm children = MPI_COMM_NULL;
    CASE("Comm_spawn");
    if (!spawned(MPI_Comm_spawn(program, at_root(arguments), 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes)))
        return 0;
    CHECK_INT(codes[0], MPI_SUCCESS);
    CHECK_INT(codes[1], MPI_SUCCESS);
    check_children(&children, 2, expected);
    return 1;
}

static void spawn_without_arguments(char* program) {
    const char* const expected[] = {"0 of 1, application 0:"};
    MPI_Comm children = MPI_COMM_NULL;
    CASE("Comm_spawn with MPI_ARGV_NULL and MPI_ERRCODES_IGNORE");
    CHECK_OK(
        MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE));
    check_children(&children, 1, expected);
}

// Two commands, one with an info and one with a null info.
static void spawn_multiple(char* program) {
    static char a[] = "a", b[] = "b";
    char *for_first[] = {a, NULL}, *for_second[] = {b, a, NULL};
    char *programs[] = {program, program}, **arguments[] = {for_first, for_second};
    const char* const expected[] = {"0 of 3, application 0: a", "1 of 3, application 1: b|a",
                                    "2 of 3, application 1: b|a"};
    int counts[] = {1, 2}, codes[3] = {-1, -1, -1};
    MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm children = MPI_COMM_NULL;
    CASE("Comm_spawn_multiple");
    CHECK_OK(MPI_Info_create(&infos[0]));
    CHECK_OK(MPI_Info_set(infos[0], "wdir", "/"));
    if (CHECK_OK(MPI_Comm_spawn_multiple(2, at_root(programs), at_root(arguments), at_root(counts), at_root(infos), 0,
                                         MPI_COMM_WORLD, &children, codes))) {
        for (int i = 0; i < 3; i++)
            CHECK_INT(codes[i], MPI_SUCCESS);
        check_children(&children, 3, expected);
    }
    CHECK_OK(MPI_Info_free(&infos[0]));

    CASE("Comm_spawn_multiple with MPI_ARGVS_NULL");
    const char* const plain[] = {"0 of 2, application 0:", "1 of 2, application 1:"};
    counts[1] = 1;
    if (CHECK_OK(MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &children,
                                         MPI_ERRCODES_IGNORE)))
        check_children(&children, 2, plain);
}

int main(int argc, char** argv) {
    MPI_Comm parent = MPI_COMM_WORLD;
    check_start();
    hang_watch();
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        return be_child(parent, argc, argv);
    check_join();
    CHECK_SAME(parent, MPI_COMM_NULL);
    if (check_runtime_is("MPICH Version:\t3"))
        check_skip("spawn", "children of MPICH 3.4 crash in MPI_Init natively");
    else if (spawn(argv[0])) {
        spawn_without_arguments(argv[0]);
        spawn_multiple(argv[0]);
    }
    return check_end();
}
