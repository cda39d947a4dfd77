// The large-count forms of nonblocking collective operations with many counts.
// ranks: 2 3 4
#include "complete.h"

static MPI_Request request;
#define CALL(name, lower, ...) (OFFERED(MPI_I##lower##_c, (__VA_ARGS__, &request)) && complete(&request))
enum { blocking = 0 };
#include "boundary.h"

// Objects of a pending reduction may be freed: they must live until the reduction has completed.
static void freed_early(void) {
    enum { n = 9 };
    MPI_Op op;
    MPI_Datatype type;
    MPI_Request both[2];
    static buffer second;
    CASE("operation and datatype that are freed early");
    CHECK_OK(MPI_Op_create(compose, 0, &op));
    CHECK_OK(MPI_Type_dup(layouts[1].type, &type));
    contribute(&given, 1, n);
    expect(1, 0, n, 0, check_ranks);
    clear(&result);
    clear(&second);
    if (OFFERED(MPI_Iallreduce_c, (begin_of(&given), begin_of(&result), n, type, op, MPI_COMM_WORLD, &both[0]))) {
        CHECK_OK(MPI_Iallreduce_c(begin_of(&given), begin_of(&second), n, type, op, MPI_COMM_WORLD, &both[1]));
        CHECK_OK(MPI_Op_free(&op));
        CHECK_SAME(op, MPI_OP_NULL);
        CHECK_OK(MPI_Type_free(&type));
        CHECK_OK(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
        CHECK_RESULT(result);
        CHECK_RESULT(second);
    }
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    all_boundaries();
    make_layouts();
    for (int i = 0; i < 20; i++)
        freed_early();
    free_layouts();
    return check_end();
}
