/* Extensions for fault tolerance: they reach a library in which they work, and return an error class on other
   libraries. The mpi.h of older releases lacks them, so the program looks them up. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#ifndef MPIX_ERR_REVOKED
#define MPIX_ERR_REVOKED 77 /* of Open MPI 5.0, in a header of its own */
#endif

static int failures = 0, forwarded = 0, refused = 0;

static void expect(int condition, const char* what) {
    if (!condition) {
        printf("FAILED %s\n", what);
        failures++;
    }
}

/* Returns true if the library has the function. Any result except "unsupported" or success is an error. */
static int has(int code, const char* what) {
    int class = -1;
    MPI_Error_class(code, &class);
    expect(class == MPI_SUCCESS || class == MPI_ERR_UNSUPPORTED_OPERATION, what);
    if (class == MPI_SUCCESS)
        forwarded++;
    else
        refused++;
    return class == MPI_SUCCESS;
}

#define FUNCTION(name, ...) ((int (*)(__VA_ARGS__))dlsym(RTLD_DEFAULT, "MPIX_Comm_" #name))

int main(int argc, char** argv) {
    int rank = -1, size = -1, made_size = -1, sum = 0, one = 1, result = -1, flag;
    MPI_Comm comm, made = MPI_COMM_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);

    flag = rank == 0 ? 6 : 3;
    if (has(FUNCTION(agree, MPI_Comm, int*)(comm, &flag), "agree"))
        expect(flag == (size > 1 ? 2 : 6), "all bits that all agree on");
    if (has(FUNCTION(failure_ack, MPI_Comm)(comm), "failure_ack") &&
        has(FUNCTION(failure_get_acked, MPI_Comm, MPI_Group*)(comm, &group), "failure_get_acked")) {
        MPI_Group_size(group, &result);
        expect(result == 0, "nobody failed");
        if (group != MPI_GROUP_EMPTY)
            MPI_Group_free(&group);
    }
    if (has(FUNCTION(shrink, MPI_Comm, MPI_Comm*)(comm, &made), "shrink")) {
        MPI_Comm_size(made, &made_size);
        expect(made_size == size, "size of the shrunk communicator");
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, made);
        expect(sum == size, "sum in the shrunk communicator");
        MPI_Comm_free(&made);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (has(FUNCTION(revoke, MPI_Comm)(comm), "revoke")) {
        char text[MPI_MAX_ERROR_STRING] = "";
        MPI_Error_class(MPI_Barrier(comm), &result);
        MPI_Error_string(result, text, &flag);
        expect(result == MPIX_ERR_REVOKED, "class of a barrier in a revoked communicator");
        expect(strstr(text, "REVOKED") != NULL || strstr(text, "revoked") != NULL, text);
    }
    MPI_Finalize();
    printf(failures ? "FAILED\n" : "passed: %d forwarded, %d refused\n", forwarded, refused);
    return failures != 0;
}
