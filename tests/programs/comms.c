// Communicators: created, compared, named, split and freed; and the predefined ones.
// ranks: 1 2 3 4
#include "complete.h"

// Checks a new communicator by a sum over it.
static void check_sum(MPI_Comm comm, int expected_size) {
    int size = -1, one = 1, sum = -1;
    CHECK_OK(MPI_Comm_size(comm, &size));
    CHECK_INT(size, expected_size);
    CHECK_OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_INT(sum, expected_size);
}

static void free_comm(MPI_Comm* comm) {
    CHECK_OK(MPI_Comm_free(comm));
    CHECK_SAME(*comm, MPI_COMM_NULL);
}

static void predefined(void) {
    int size = -1, rank = -1, inter = -1, length = -1;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Comm parent = MPI_COMM_WORLD;
    CASE("predefined");
    CHECK_OK(MPI_Comm_size(MPI_COMM_SELF, &size));
    CHECK_INT(size, 1);
    CHECK_OK(MPI_Comm_rank(MPI_COMM_SELF, &rank));
    CHECK_INT(rank, 0);
    CHECK_OK(MPI_Comm_test_inter(MPI_COMM_WORLD, &inter));
    CHECK_INT(inter, 0);
    CHECK_OK(MPI_Comm_get_name(MPI_COMM_WORLD, name, &length));
    CHECK_STRING(name, "MPI_COMM_WORLD");
    CHECK_INT(length, 14);
    CHECK_OK(MPI_Comm_get_name(MPI_COMM_SELF, name, &length));
    CHECK_STRING(name, "MPI_COMM_SELF");
#ifdef MPI_ABI_VERSION
    CHECK_OK(MPI_Comm_get_name(MPI_COMM_NULL, name, &length));
    CHECK_STRING(name, "MPI_COMM_NULL");
    CHECK_INT(length, 13);
#endif
    CHECK_OK(MPI_Comm_get_parent(&parent));
    CHECK_SAME(parent, MPI_COMM_NULL);
}

static void names(void) {
    int length = -1;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Comm comm;
    CASE("names");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_OK(MPI_Comm_set_name(comm, "ocean"));
    CHECK_OK(MPI_Comm_get_name(comm, name, &length));
    CHECK_STRING(name, "ocean");
    CHECK_INT(length, 5);
    CHECK_OK(MPI_Comm_set_name(comm, ""));
    CHECK_OK(MPI_Comm_get_name(comm, name, &length));
    CHECK_STRING(name, "");
    CHECK_INT(length, 0);
    free_comm(&comm);
}

static void duplicates(void) {
    MPI_Comm comm;
    MPI_Request request = MPI_REQUEST_NULL;
    int result = -1;
    CASE("dup");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK(comm != MPI_COMM_WORLD);
    check_sum(comm, check_ranks);
    CHECK_OK(MPI_Comm_compare(comm, MPI_COMM_WORLD, &result));
    CHECK_INT(result, MPI_CONGRUENT);
    CHECK_OK(MPI_Comm_compare(comm, comm, &result));
    CHECK_INT(result, MPI_IDENT);
    free_comm(&comm);

    CASE("dup_with_info");
    CHECK_OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm));
    check_sum(comm, check_ranks);
    free_comm(&comm);

    CASE("idup");
    comm = MPI_COMM_NULL;
    CHECK_OK(MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request)); // the handle is valid when the request completes
    complete(&request);
    CHECK(comm != MPI_COMM_NULL && comm != MPI_COMM_WORLD);
    check_sum(comm, check_ranks);
    free_comm(&comm);

    CASE("idup_with_info");
    if (OFFERED(MPI_Comm_idup_with_info, (MPI_COMM_WORLD, MPI_INFO_NULL, &comm, &request))) {
        complete(&request);
        check_sum(comm, check_ranks);
        free_comm(&comm);
    }

    CASE("many idups at once");
    enum { many = 20 };
    MPI_Comm comms[many];
    MPI_Request requests[many];
    for (int i = 0; i < many; i++)
        CHECK_OK(MPI_Comm_idup(MPI_COMM_WORLD, &comms[i], &requests[i]));
    CHECK_OK(MPI_Waitall(many, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < many; i++) {
        check_sum(comms[i], check_ranks);
        free_comm(&comms[i]);
    }
}

static void split(void) {
    MPI_Comm comm;
    int rank = -1, result = -1;
    CASE("split");
    CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, check_rank % 2, -check_rank, &comm)); // in reverse order of the ranks
    int size = (check_ranks + 1 - check_rank % 2) / 2;
    check_sum(comm, size);
    CHECK_OK(MPI_Comm_rank(comm, &rank));
    CHECK_INT(rank, size - 1 - check_rank / 2);
    CHECK_OK(MPI_Comm_compare(comm, MPI_COMM_WORLD, &result));
    CHECK_INT(result, check_ranks == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
    free_comm(&comm);

    CASE("split into reverse order");
    CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, 0, -check_rank, &comm));
    CHECK_OK(MPI_Comm_compare(comm, MPI_COMM_WORLD, &result));
    CHECK_INT(result, check_ranks == 1 ? MPI_CONGRUENT : MPI_SIMILAR);
    free_comm(&comm);

    CASE("split, some left out");
    CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, check_rank == 0 ? 5 : MPI_UNDEFINED, 0, &comm));
    if (check_rank == 0) {
        check_sum(comm, 1);
        free_comm(&comm);
    } else
        CHECK_SAME(comm, MPI_COMM_NULL);
}

static void split_type(void) {
    MPI_Comm comm;
    CASE("split_type, shared memory");
    CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm));
    check_sum(comm, check_ranks); // all ranks run on one machine
    free_comm(&comm);
    CASE("split_type, undefined");
    comm = MPI_COMM_WORLD;
    CHECK_OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &comm));
    CHECK_SAME(comm, MPI_COMM_NULL);
    CASE("split_type, hardware");
    comm = MPI_COMM_WORLD;
    int code = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &comm);
    if (code == MPI_SUCCESS) { // a smaller part of the machine; otherwise no smaller part was found
        int size = -1;
        CHECK(comm != MPI_COMM_WORLD);
        if (comm != MPI_COMM_NULL) {
            CHECK_OK(MPI_Comm_size(comm, &size));
            CHECK(size >= 1 && size <= check_ranks);
            free_comm(&comm);
        }
    } else // runtimes of MPI 3.1
        CHECK_CLASS(code, MPI_ERR_ARG, MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_OTHER);
}

static void split_by_resource(int type, const char* resource, int expected_size) {
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Info info;
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "mpi_hw_resource_type", resource));
    if (OFFERED(MPI_Comm_split_type, (MPI_COMM_WORLD, check_rank == 0 ? MPI_UNDEFINED : type, 0, info, &comm))) {
        if (check_rank == 0 || expected_size == 0) {
            CHECK_SAME(comm, MPI_COMM_NULL);
        } else {
            check_sum(comm, expected_size);
            free_comm(&comm);
        }
    }
    CHECK_OK(MPI_Info_free(&info));
}

// Libraries that have these types treat unknown resources differently, and Open MPI 5.0.11 waits forever for a process
// that does not take part.
static void split_guided(void) {
    CASE("split_type, guided by hardware");
    if (check_mpich_major() >= 4 || check_runtime_is("Intel"))
        return;
    if (!check_runtime_is("Open MPI v5")) {
        split_by_resource(MPI_COMM_TYPE_HW_GUIDED, "mpi_shared_memory", check_ranks - 1);
        split_by_resource(MPI_COMM_TYPE_HW_GUIDED, "anympi has no such resource", 0);
    }
    CASE("split_type, guided by a resource");
    split_by_resource(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_shared_memory", check_ranks - 1);
}

static void create(void) {
    MPI_Group world, first;
    MPI_Comm comm;
    int zero = 0;
    CASE("create");
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_OK(MPI_Group_incl(world, 1, &zero, &first));
    CHECK_OK(MPI_Comm_create(MPI_COMM_WORLD, first, &comm));
    if (check_rank == 0) {
        check_sum(comm, 1);
        free_comm(&comm);
    } else
        CHECK_SAME(comm, MPI_COMM_NULL);
    comm = MPI_COMM_WORLD;
    CHECK_OK(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &comm));
    CHECK_SAME(comm, MPI_COMM_NULL);
    CASE("create_group");
    if (check_rank == 0) { // only the members call
        CHECK_OK(MPI_Comm_create_group(MPI_COMM_WORLD, first, 3, &comm));
        check_sum(comm, 1);
        free_comm(&comm);
    }
    CHECK_OK(MPI_Group_free(&first));
    CHECK_OK(MPI_Group_free(&world));
}

static void info_and_disconnect(void) {
    MPI_Comm comm;
    MPI_Info info = MPI_INFO_NULL;
    CASE("info");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
    CHECK_OK(MPI_Comm_set_info(comm, info));
    CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Comm_get_info(comm, &info));
    CHECK(info != MPI_INFO_NULL);
    CHECK_OK(MPI_Info_free(&info));
    CHECK_SAME(info, MPI_INFO_NULL);
    CASE("disconnect");
    CHECK_OK(MPI_Comm_disconnect(&comm));
    CHECK_SAME(comm, MPI_COMM_NULL);
}

// Handles of objects that exist at the same time must differ.
static void many(void) {
    enum { number = 100 };
    MPI_Comm comms[number];
    int same = 0;
    CASE("many");
    for (int i = 0; i < number; i++)
        CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comms[i]));
    for (int i = 0; i < number; i++)
        for (int j = 0; j < i; j++)
            same += comms[i] == comms[j];
    CHECK_INT(same, 0);
    for (int i = 0; i < number; i++)
        free_comm(&comms[i]);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    predefined();
    names();
    duplicates();
    split();
    split_type();
    split_guided();
    create();
    info_and_disconnect();
    many();
    return check_end();
}
