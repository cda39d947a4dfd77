// A preloaded PMPI tool. It replaces functions that programs call and that MPI libraries also call internally (ROMIO,
// one-sided plug-ins), counts the calls between MPI_Pcontrol(1) and MPI_Pcontrol(0), and checks every communicator. If
// a library is not bound to itself, the tool sees calls that the program did not make, communicators that the program
// does not have, and calls inside other calls. MPI_Finalize prints a line:
//
//     tool: rank 0: MPI_Send 1, MPI_Allreduce 2; 0 foreign communicators, 0 calls from inside
#define _POSIX_C_SOURCE 200809L
#include "mpi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_functions = 64, most_communicators = 64 };

static struct {
    const char* name;
    int calls;
} functions[most_functions];
static MPI_Comm known[most_communicators] = {MPI_COMM_WORLD, MPI_COMM_SELF};
static int counting, foreign, from_inside;
static __thread int depth;

static void learn(MPI_Comm comm) {
    for (int i = 0; i < most_communicators; i++)
        if (known[i] == NULL) {
            known[i] = comm;
            return;
        }
    fputs("tool: too many communicators\n", stderr);
    abort();
}

static void forget(MPI_Comm comm) {
    for (int i = 2; i < most_communicators; i++)
        if (known[i] == comm)
            known[i] = NULL;
}

static void look_at(const char* function, MPI_Comm comm) {
    for (int i = 0; i < most_communicators; i++)
        if (known[i] == comm)
            return;
    foreign++;
    fprintf(stderr, "tool: %s with communicator %p, which the program does not have\n", function, (void*)comm);
}

static void enter(const char* function) {
    if (depth++ > 0) {
        from_inside++;
        fprintf(stderr, "tool: %s was called from inside another MPI function\n", function);
    }
    for (int i = 0; counting && i < most_functions; i++) {
        if (!functions[i].name)
            functions[i].name = function;
        if (strcmp(functions[i].name, function) == 0) {
            functions[i].calls++;
            return;
        }
    }
}

static int leave(int code) {
    depth--;
    return code;
}

// A function, its parameters and arguments; WRAP_ON also has the name of the communicator among them.
#define WRAP(name, parameters, arguments)                                                                              \
    int name parameters {                                                                                              \
        enter(#name);                                                                                                  \
        return leave(P##name arguments);                                                                               \
    }
#define WRAP_ON(name, comm, parameters, arguments)                                                                     \
    int name parameters {                                                                                              \
        look_at(#name, comm);                                                                                          \
        enter(#name);                                                                                                  \
        return leave(P##name arguments);                                                                               \
    }

WRAP_ON(MPI_Send, comm, (const void* buf, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm),
        (buf, n, type, dest, tag, comm))
WRAP_ON(MPI_Recv, comm, (void* buf, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status),
        (buf, n, type, from, tag, comm, status))
WRAP_ON(MPI_Isend, comm,
        (const void* buf, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request* request),
        (buf, n, type, dest, tag, comm, request))
WRAP_ON(MPI_Irecv, comm, (void* buf, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request),
        (buf, n, type, from, tag, comm, request))
WRAP(MPI_Wait, (MPI_Request * request, MPI_Status* status), (request, status))
WRAP(MPI_Waitall, (int n, MPI_Request* requests, MPI_Status* statuses), (n, requests, statuses))
WRAP_ON(MPI_Barrier, comm, (MPI_Comm comm), (comm))
WRAP_ON(MPI_Bcast, comm, (void* buf, int n, MPI_Datatype type, int root, MPI_Comm comm), (buf, n, type, root, comm))
WRAP_ON(MPI_Reduce, comm, (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
        (in, out, n, type, op, root, comm))
WRAP_ON(MPI_Allreduce, comm, (const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
        (in, out, n, type, op, comm))
WRAP_ON(MPI_Allgather, comm,
        (const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype to, MPI_Comm comm),
        (in, n, type, out, m, to, comm))
WRAP_ON(MPI_Alltoall, comm,
        (const void* in, int n, MPI_Datatype type, void* out, int m, MPI_Datatype to, MPI_Comm comm),
        (in, n, type, out, m, to, comm))
WRAP_ON(MPI_Comm_rank, comm, (MPI_Comm comm, int* rank), (comm, rank))
WRAP_ON(MPI_Comm_size, comm, (MPI_Comm comm, int* size), (comm, size))
WRAP_ON(MPI_Comm_get_attr, comm, (MPI_Comm comm, int keyval, void* value, int* flag), (comm, keyval, value, flag))
WRAP_ON(MPI_Comm_group, comm, (MPI_Comm comm, MPI_Group* group), (comm, group))
WRAP_ON(MPI_Comm_get_errhandler, comm, (MPI_Comm comm, MPI_Errhandler* handler), (comm, handler))
WRAP(MPI_Type_size, (MPI_Datatype type, int* size), (type, size))
WRAP(MPI_Type_commit, (MPI_Datatype * type), (type))
WRAP(MPI_Type_free, (MPI_Datatype * type), (type))
WRAP(MPI_Type_contiguous, (int n, MPI_Datatype type, MPI_Datatype* made), (n, type, made))
WRAP(MPI_Type_get_envelope, (MPI_Datatype type, int* i, int* a, int* d, int* combiner), (type, i, a, d, combiner))
WRAP(MPI_Info_create, (MPI_Info * info), (info))
WRAP(MPI_Info_dup, (MPI_Info info, MPI_Info* copy), (info, copy))
WRAP(MPI_Info_set, (MPI_Info info, const char* key, const char* value), (info, key, value))
WRAP(MPI_Info_free, (MPI_Info * info), (info))
WRAP(MPI_Get_count, (const MPI_Status* status, MPI_Datatype type, int* count), (status, type, count))
WRAP(MPI_Status_set_elements, (MPI_Status * status, MPI_Datatype type, int n), (status, type, n))
WRAP_ON(MPI_File_open, comm, (MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file),
        (comm, name, mode, info, file))
WRAP(MPI_File_close, (MPI_File * file), (file))
WRAP(MPI_File_set_view,
     (MPI_File file, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char* rep, MPI_Info info),
     (file, disp, etype, filetype, rep, info))
WRAP(MPI_File_write_all, (MPI_File file, const void* buf, int n, MPI_Datatype type, MPI_Status* status),
     (file, buf, n, type, status))
WRAP(MPI_File_read_at_all, (MPI_File file, MPI_Offset at, void* buf, int n, MPI_Datatype type, MPI_Status* status),
     (file, at, buf, n, type, status))
WRAP(MPI_File_write_shared, (MPI_File file, const void* buf, int n, MPI_Datatype type, MPI_Status* status),
     (file, buf, n, type, status))
WRAP(MPI_File_sync, (MPI_File file), (file))
WRAP_ON(MPI_Win_create, comm, (void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* win),
        (base, size, unit, info, comm, win))
WRAP(MPI_Win_fence, (int assertion, MPI_Win win), (assertion, win))
WRAP(MPI_Put, (const void* buf, int n, MPI_Datatype type, int rank, MPI_Aint at, int m, MPI_Datatype to, MPI_Win win),
     (buf, n, type, rank, at, m, to, win))
WRAP(MPI_Accumulate,
     (const void* buf, int n, MPI_Datatype type, int rank, MPI_Aint at, int m, MPI_Datatype to, MPI_Op op, MPI_Win win),
     (buf, n, type, rank, at, m, to, op, win))
WRAP(MPI_Win_free, (MPI_Win * win), (win))

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
    look_at("MPI_Comm_dup", comm);
    enter("MPI_Comm_dup");
    int code = leave(PMPI_Comm_dup(comm, copy));
    learn(*copy);
    return code;
}

int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* part) {
    look_at("MPI_Comm_split", comm);
    enter("MPI_Comm_split");
    int code = leave(PMPI_Comm_split(comm, colour, key, part));
    learn(*part);
    return code;
}

int MPI_Comm_free(MPI_Comm* comm) {
    look_at("MPI_Comm_free", *comm);
    forget(*comm);
    enter("MPI_Comm_free");
    return leave(PMPI_Comm_free(comm));
}

int MPI_Pcontrol(const int level, ...) {
    counting = level;
    return PMPI_Pcontrol(level);
}

static void report(void) {
    char line[4096];
    int rank = -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(line, sizeof line, "tool: rank %d:", rank);
    for (int i = 0; i < most_functions && functions[i].name; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s %s %d", i ? "," : "", functions[i].name,
                 functions[i].calls);
    printf("%s; %d foreign communicators, %d calls from inside\n", line, foreign, from_inside);
    fflush(stdout);
}

int MPI_Finalize(void) {
    report();
    enter("MPI_Finalize");
    return leave(PMPI_Finalize());
}
