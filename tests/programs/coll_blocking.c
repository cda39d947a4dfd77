// Blocking collective operations.
// ranks: 1 2 3 4
#include "check.h"

#define CALL(name, lower, ...) OFFERED(MPI_##name, (__VA_ARGS__))
typedef int count_t;
typedef int displacement_t;
enum { blocking = 1 };
#include "collectives.h"

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    all_collectives();
    return check_end();
}
