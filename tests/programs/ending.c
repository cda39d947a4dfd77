// A job that ends early, or without MPI_Init and MPI_Finalize, in the way that the argument names; run by
// programs/ending.py.
#include "mpi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void without_world(const char* way) {
    MPI_Session session;
    MPI_Group group;
    MPI_Info info;
    if (strcmp(way, "infos-only") == 0) {
        MPI_Info_create(&info);
        MPI_Info_free(&info);
        exit(0);
    }
    if (strncmp(way, "session", 7) != 0)
        return;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    if (strcmp(way, "session-fatal") == 0) {
        MPI_Group_from_session_pset(session, "mpi://no such set", &group);
        printf("the job went on\n");
    }
    MPI_Session_finalize(&session);
    if (strcmp(way, "sessions-forked") == 0) {
        if (fork() == 0)
            exit(0); // must not end the MPI of its parent
        wait(NULL);
    }
    exit(strcmp(way, "sessions-failed") == 0 ? 5 : 0);
}

// A library that closes its session in a callback of MPI_Finalize. Nothing needs MPI afterwards.
static MPI_Session last_session;

static int close_session(MPI_Comm comm, int keyval, void* value, void* state) {
    (void)comm, (void)keyval, (void)value, (void)state;
    return MPI_Session_finalize(&last_session);
}

static void closed_in_finalize(void) {
    int keyval;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &last_session);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, close_session, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    MPI_Finalize();
    exit(0);
}

int main(int argc, char** argv) {
    const char* way = argc > 1 ? argv[1] : "";
    int rank, value = 0;
    without_world(way);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(way, "closed-in-finalize") == 0)
        closed_in_finalize();
    if (strcmp(way, "abort") == 0 && rank == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (strcmp(way, "abort-self") == 0)
        MPI_Abort(MPI_COMM_SELF, 9);
    if (strcmp(way, "default-handler") == 0)
        MPI_Send(&value, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD);
    if (strcmp(way, "fatal-handler") == 0) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
        MPI_Barrier(comm);
        MPI_Send(&value, 1, MPI_INT, 1000, 0, comm);
    }
    MPI_Recv(&value, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // waits forever
    printf("the job went on\n");
    MPI_Finalize();
    return 0;
}
