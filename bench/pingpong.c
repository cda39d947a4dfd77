// Measures the wall-clock time of 8-byte messages between two ranks (see ratio.py).
//
// The program times many short chunks and prints the 10th percentile. A chunk is short enough to run undisturbed, and
// the percentile ignores the chunks that another process interrupted.
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNKS = 400, ROUND_TRIPS = 200, WINDOW = 64, WINDOWS = 20 };

static double message = 1, ring[WINDOW];
static MPI_Request requests[WINDOW];

// Binds each rank to a core, on both sides in the same way, since the launchers' own binding differs.
static void stay_on_one_core(int rank) {
    cpu_set_t allowed, mine;
    if (sched_getaffinity(0, sizeof allowed, &allowed) || CPU_COUNT(&allowed) < 2)
        return;
    for (int cpu = 0, seen = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && seen++ == rank) {
            CPU_ZERO(&mine);
            CPU_SET(cpu, &mine);
            (void)sched_setaffinity(0, sizeof mine, &mine);
        }
}

static void round_trips(int rank) {
    for (int i = 0; i < ROUND_TRIPS; i++) {
        if (rank == 0)
            MPI_Send(&message, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&message, 1, MPI_DOUBLE, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(&message, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
}

// Rank 0 sends windows of messages and waits for an answer to each window, so that it cannot run ahead of the receiver.
static void windows(int rank) {
    for (int i = 0; i < WINDOWS; i++) {
        for (int k = 0; k < WINDOW; k++)
            if (rank == 0)
                MPI_Isend(&ring[k], 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, &requests[k]);
            else
                MPI_Irecv(&ring[k], 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &requests[k]);
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        if (rank == 0)
            MPI_Recv(&message, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(&message, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    }
}

static int ascending(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void measure(const char* name, void (*chunk)(int), int rank, int messages) {
    static double seconds[CHUNKS];
    chunk(rank); // warm up
    for (int i = 0; i < CHUNKS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        chunk(rank);
        seconds[i] = MPI_Wtime() - start;
    }
    qsort(seconds, CHUNKS, sizeof *seconds, ascending);
    if (rank == 0)
        printf("%s|%.3f\n", name, seconds[CHUNKS / 10] / messages * 1e9);
}

int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        fprintf(stderr, "pingpong: needs 2 ranks, has %d\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    stay_on_one_core(rank);
    measure("ping-pong", round_trips, rank, 2 * ROUND_TRIPS);
    measure("message rate", windows, rank, WINDOWS * WINDOW);
    MPI_Finalize();
    return 0;
}
