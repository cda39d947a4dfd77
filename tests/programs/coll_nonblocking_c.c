// The large-count forms of nonblocking collective operations, with counts that fit into any form.
// ranks: 1 2 3 4
#include "complete.h"

static MPI_Request request;
#define CALL(name, lower, ...)                                                                                         \
    (OFFERED(MPI_I##lower##_c, (__VA_ARGS__, &request)) && complete(&request) && CHECK_SAME(request, MPI_REQUEST_NULL))
typedef MPI_Count count_t;
typedef MPI_Aint displacement_t;
#define MPI_Ibarrier_c MPI_Ibarrier // it has no count
enum { blocking = 0 };
#include "collectives.h"

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    all_collectives();
    return check_end();
}
