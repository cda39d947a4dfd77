/* A program that opens a plug-in which may have been built for another ABI of MPI. The plug-in is built from the
   same file with -DPLUGIN, by another compiler.

     program before PLUGIN    opens the plug-in, then starts MPI, then uses the plug-in
     program bound PLUGIN     calls MPI_Initialized, opens the plug-in, then starts MPI and uses the plug-in
     program after PLUGIN     starts MPI, opens the plug-in and uses it
     program only PLUGIN      opens the plug-in and does nothing else */
#include <mpi.h>
#include <stdio.h>

#ifdef PLUGIN

/* A message to this process itself: handles, constants and the status are all converted. */
int use_mpi(void) {
    int sent = 42, received = 0, rank = -1, count = -1;
    MPI_Status status;
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Isend(&sent, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &request);
    MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Get_count(&status, MPI_INT, &count);
    printf("plug-in: received %d, count %d, tag %d, source %d\n", received, count, status.MPI_TAG, status.MPI_SOURCE);
    return received == 42 && count == 1 && status.MPI_TAG == 7 && status.MPI_SOURCE == rank;
}

#else

#include <dlfcn.h>
#include <string.h>

typedef int user(void);

static user* open_plugin(const char* file) {
    void* const handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        fprintf(stderr, "%s\n", dlerror());
    return handle ? (user*)dlsym(handle, "use_mpi") : NULL;
}

int main(int count, char** arguments) {
    if (count != 3)
        return 2;
    const char* const when = arguments[1];
    const int is_after = strcmp(when, "after") == 0;
    int is_running = 0;
    if (strcmp(when, "bound") == 0)
        MPI_Initialized(&is_running);
    user* use = is_after ? NULL : open_plugin(arguments[2]);
    if (strcmp(when, "only") == 0) {
        puts(use ? "opened" : "not opened");
        return 0;
    }
    MPI_Init(NULL, NULL);
    if (is_after)
        use = open_plugin(arguments[2]);
    const int is_right = use && use();
    puts(is_right ? "right" : "wrong");
    MPI_Finalize();
    return !is_right;
}

#endif
