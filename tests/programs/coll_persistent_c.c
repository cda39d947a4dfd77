// The large-count forms of persistent collective operations, with counts that fit into any form.
// ranks: 1 2 3 4
#include "complete.h"

static int run_once(MPI_Request* request) {
    return CHECK_OK(MPI_Start(request)) && complete(request) && CHECK_OK(MPI_Request_free(request));
}

static MPI_Request request;
#define CALL(name, lower, ...)                                                                                         \
    (OFFERED(MPI_##name##_init_c, (__VA_ARGS__, MPI_INFO_NULL, &request)) && run_once(&request))
typedef MPI_Count count_t;
typedef MPI_Aint displacement_t;
#define MPI_Barrier_init_c MPI_Barrier_init // it has no count
enum { blocking = 0 };
#include "collectives.h"

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    all_collectives();
    return check_end();
}
