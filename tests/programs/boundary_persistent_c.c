// The large-count forms of persistent collective operations with many counts. Each operation is started once.
// ranks: 2 3 4
// seconds: 300
#include "complete.h"

static int run_once(MPI_Request* request) {
    return CHECK_OK(MPI_Start(request)) && complete(request) && CHECK_OK(MPI_Request_free(request));
}

static MPI_Request request;
#define CALL(name, lower, ...)                                                                                         \
    (OFFERED(MPI_##name##_init_c, (__VA_ARGS__, MPI_INFO_NULL, &request)) && run_once(&request))
enum { blocking = 0 };
#include "boundary.h"

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    all_boundaries();
    return check_end();
}
