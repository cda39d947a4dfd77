// Attributes of MPI_COMM_WORLD that MPI itself sets: their values are ranks and error codes.
// ranks: 1 2
#include "check.h"

// The value of an int attribute of MPI_COMM_WORLD; the pointer must be the same in every call.
static int world_value(int keyval, int* found) {
    int flag = -1, *value = NULL, *again = NULL;
    CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &flag));
    *found = flag;
    if (!flag)
        return 0;
    int first = *value;
    CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &again, &flag));
    CHECK_SAME(again, value);
    CHECK_INT(*again, first);
    return first;
}

static void on_world(void) {
    int found = 0, value;
    CASE("tag_ub");
    value = world_value(MPI_TAG_UB, &found);
    CHECK_INT(found, 1);
    CHECK(value >= 32767);
    CASE("host");
    value = world_value(MPI_HOST, &found);
    CHECK(!found || value == MPI_PROC_NULL || (value >= 0 && value < check_ranks));
    CASE("io");
    value = world_value(MPI_IO, &found);
    CHECK(!found || value == MPI_ANY_SOURCE || value == MPI_PROC_NULL || (value >= 0 && value < check_ranks));
    CHECK(found); // all tested runtimes return that all ranks can do input and output
    CHECK_INT(value, MPI_ANY_SOURCE);
    CASE("wtime_is_global");
    value = world_value(MPI_WTIME_IS_GLOBAL, &found);
    CHECK_INT(found, 1);
    CHECK(value == 0 || value == 1);
    CASE("appnum");
    value = world_value(MPI_APPNUM, &found);
    CHECK(!found || value == 0);
    CASE("universe_size");
    value = world_value(MPI_UNIVERSE_SIZE, &found);
    CHECK(!found || value >= 1);

    CASE("lastusedcode");
    int before = world_value(MPI_LASTUSEDCODE, &found), class = 0, code = 0;
    CHECK_INT(found, 1);
    CHECK(before >= MPI_ERR_LASTCODE);
    CHECK_OK(MPI_Add_error_class(&class));
    CHECK_OK(MPI_Add_error_code(class, &code));
    CHECK(class > MPI_ERR_LASTCODE && code > MPI_ERR_LASTCODE);
    value = world_value(MPI_LASTUSEDCODE, &found);
    CHECK(value >= before && value >= class);
    if (check_mpich_major() < 5) // MPICH 5's own standard ABI loses the codes
        CHECK(value >= code);
}

// A program can neither change nor delete them, because they belong to MPI.
static void read_only(void) {
    int new_value = 5, keyval = MPI_TAG_UB;
    CASE("read only");
    CHECK_CLASS(MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &new_value), MPI_ERR_ARG, MPI_ERR_KEYVAL, MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_TAG_UB), MPI_ERR_ARG, MPI_ERR_KEYVAL, MPI_ERR_OTHER);
    CHECK_CLASS(MPI_Comm_free_keyval(&keyval), MPI_ERR_ARG, MPI_ERR_KEYVAL, MPI_ERR_OTHER);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    on_world();
    read_only();
    return check_end();
}
