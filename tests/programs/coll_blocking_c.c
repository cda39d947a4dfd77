// The large-count forms of blocking collective operations, with counts that fit into any form.
// ranks: 1 2 3 4
#include "check.h"

#define CALL(name, lower, ...) OFFERED(MPI_##name##_c, (__VA_ARGS__))
typedef MPI_Count count_t;
typedef MPI_Aint displacement_t;
#define MPI_Barrier_c MPI_Barrier // it has no count
enum { blocking = 1 };
#include "collectives.h"

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    all_collectives();
    return check_end();
}
