// The part of profiling.f90 that is in C: layers above C functions, and the counters of all layers.
#include "checks.c" // all in one file, since every file with check.h counts its own checks

static int counters[8];

void count_call_(const int* level) {
    ++counters[*level];
}

int calls_(const int* level) {
    return counters[*level];
}

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
    ++counters[3];
    return PMPI_Comm_rank(comm, rank);
}

// These procedures have a fast path around C, which these functions disable.
int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    ++counters[6];
    return PMPI_Allreduce(from, to, count, datatype, op, comm);
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    ++counters[7];
    return PMPI_Waitall(count, requests, statuses);
}

void PMPI_Send_f08ts(const void* section, const int* count, const int* datatype, const int* dest, const int* tag,
                     const int* comm, int* code);

void MPI_Send_f08ts(const void* section, const int* count, const int* datatype, const int* dest, const int* tag,
                    const int* comm, int* code) {
    ++counters[4];
    PMPI_Send_f08ts(section, count, datatype, dest, tag, comm, code);
}

int PMPI_Op_create_f08cb(void* function, int commute, MPI_Op* op);

int MPI_Op_create_f08cb(void* function, int commute, MPI_Op* op) {
    ++counters[5];
    return PMPI_Op_create_f08cb(function, commute, op);
}
