// Blocking collective operations, the large-count forms, with many counts.
// ranks: 2 3 4
#define CALL(name, lower, ...) OFFERED(MPI_##name##_c, (__VA_ARGS__))
enum { blocking = 1 };
#include "boundary.h"

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    all_boundaries();
    return check_end();
}
