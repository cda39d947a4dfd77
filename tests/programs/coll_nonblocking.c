// Nonblocking collective operations, and several pending ones at once.
// ranks: 1 2 3 4
#include "complete.h"

static MPI_Request request;
#define CALL(name, lower, ...)                                                                                         \
    (OFFERED(MPI_I##lower, (__VA_ARGS__, &request)) && complete(&request) && CHECK_SAME(request, MPI_REQUEST_NULL))
typedef int count_t;
typedef int displacement_t;
enum { blocking = 0 };
#include "collectives.h"

static void many_at_once(void) {
    enum { many = 40 };
    MPI_Request requests[many];
    MPI_Status statuses[many];
    int sums[many], mine[many];
    CASE("many at once");
    for (int i = 0; i < many; i++) {
        mine[i] = check_rank + i;
        CHECK_OK(MPI_Iallreduce(&mine[i], &sums[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[i]));
    }
    CHECK_OK(MPI_Waitall(many, requests, statuses));
    for (int i = 0; i < many; i++) {
        CHECK_SAME(requests[i], MPI_REQUEST_NULL);
        CHECK_INT(sums[i], check_ranks * (check_ranks - 1) / 2 + check_ranks * i);
        CHECK_INT(statuses[i].MPI_ERROR, MPI_SUCCESS);
    }
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    all_collectives();
    many_at_once();
    return check_end();
}
