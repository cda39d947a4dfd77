// The large-count forms of blocking collective operations with many counts.
// ranks: 2 3 4
#define CALL(name, lower, ...) OFFERED(MPI_##name##_c, (__VA_ARGS__))
enum { blocking = 1 };
#include "boundary.h"

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    all_boundaries();
    return check_end();
}
