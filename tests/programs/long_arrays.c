// Arrays that are too long for a copy on the stack, in functions that take arrays of ranks, datatypes and constants.
// (requests_arrays.c tests arrays of requests.)
// ranks: 1 2
#include "check.h"

enum { many = 300, dimensions = 70, neighbors = 80, cart_dimensions = 20 };

static void translate_ranks(void) {
    MPI_Group world, again;
    int ranks[many], translated[many], wrong = 0;
    CASE("translate ranks");
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &again));
    for (int i = 0; i < many; i++) {
        ranks[i] = i % 3 == 2 ? MPI_PROC_NULL : i % check_ranks;
        translated[i] = -12345;
    }
    CHECK_OK(MPI_Group_translate_ranks(world, many, ranks, again, translated));
    for (int i = 0; i < many; i++)
        wrong += translated[i] != ranks[i];
    CHECK_INT(wrong, 0);
    CHECK_OK(MPI_Group_free(&world));
    CHECK_OK(MPI_Group_free(&again));
}

static void check_struct(MPI_Datatype made) {
    MPI_Aint lower, extent;
    CHECK_OK(MPI_Type_get_extent(made, &lower, &extent));
    CHECK_INT(lower, 0);
    CHECK_INT(extent, many * 8);
    CHECK_OK(MPI_Type_free(&made));
}

static void structs(void) {
    static int lengths[many], integers[many + 1];
    static MPI_Aint places[many], addresses[many];
    static MPI_Count large_lengths[many], large_places[many];
    static MPI_Datatype types[many], given[many];
    MPI_Datatype made;
    int wrong = 0;
    CASE("struct");
    for (int i = 0; i < many; i++) {
        lengths[i] = large_lengths[i] = 1;
        places[i] = large_places[i] = 8 * i;
        types[i] = i % 2 == 0 ? MPI_DOUBLE : MPI_LONG_LONG_INT;
    }
    if (CHECK_OK(MPI_Type_create_struct(many, lengths, places, types, &made))) {
        CHECK_OK(MPI_Type_get_contents(made, many + 1, many, many, integers, addresses, given));
        for (int i = 0; i < many; i++)
            wrong += given[i] != types[i] || addresses[i] != places[i] || integers[i + 1] != 1;
        CHECK_INT(wrong, 0);
        check_struct(made);
    }
    if (OFFERED(MPI_Type_create_struct_c, (many, large_lengths, large_places, types, &made)))
        check_struct(made);
    if (OFFERED(MPI_Type_create_hindexed_c, (many, large_lengths, large_places, MPI_DOUBLE, &made)))
        check_struct(made);
    if (OFFERED(MPI_Type_create_hindexed_block_c, (many, 1, large_places, MPI_DOUBLE, &made)))
        check_struct(made);
    for (int i = 0; i < many; i++)
        large_places[i] = i;
    if (OFFERED(MPI_Type_indexed_c, (many, large_lengths, large_places, MPI_DOUBLE, &made)))
        check_struct(made);
    if (OFFERED(MPI_Type_create_indexed_block_c, (many, 1, large_places, MPI_DOUBLE, &made)))
        check_struct(made);
}

static void check_single(MPI_Datatype made) {
    int size = 0;
    CHECK_OK(MPI_Type_size(made, &size));
    CHECK_INT(size, (int)sizeof(int));
    CHECK_OK(MPI_Type_free(&made));
}

static void arrays(void) {
    int sizes[dimensions], distributions[dimensions], arguments[dimensions];
    MPI_Count large_sizes[dimensions], large_starts[dimensions];
    MPI_Datatype made;
    CASE("arrays of many dimensions");
    for (int i = 0; i < dimensions; i++) {
        sizes[i] = large_sizes[i] = 1;
        large_starts[i] = 0;
        distributions[i] = i % 2 == 0 ? MPI_DISTRIBUTE_NONE : MPI_DISTRIBUTE_BLOCK;
        arguments[i] = MPI_DISTRIBUTE_DFLT_DARG;
    }
    if (CHECK_OK(MPI_Type_create_darray(1, 0, dimensions, sizes, distributions, arguments, sizes, MPI_ORDER_C, MPI_INT,
                                        &made)))
        check_single(made);
    if (OFFERED(MPI_Type_create_darray_c,
                (1, 0, dimensions, large_sizes, distributions, arguments, sizes, MPI_ORDER_C, MPI_INT, &made)))
        check_single(made);
    if (OFFERED(MPI_Type_create_subarray_c,
                (dimensions, large_sizes, large_sizes, large_starts, MPI_ORDER_C, MPI_INT, &made)))
        check_single(made);
}

// Persistent operations on a communicator with a topology. A library without them needs a copy of the topology.
static void persistent_barrier(MPI_Comm comm) {
    MPI_Request request;
    if (!OFFERED(MPI_Barrier_init, (comm, MPI_INFO_NULL, &request)))
        return;
    CHECK_OK(MPI_Start(&request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Request_free(&request));
}

static void topologies(void) {
    int sizes[cart_dimensions], periods[cart_dimensions], sources[neighbors];
    MPI_Comm made;
    CASE("a grid of many dimensions");
    for (int i = 0; i < cart_dimensions; i++) {
        sizes[i] = i == 0 ? check_ranks : 1;
        periods[i] = i % 2;
    }
    CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, cart_dimensions, sizes, periods, 0, &made));
    persistent_barrier(made);
    CHECK_OK(MPI_Comm_free(&made));

    CASE("a graph of many edges");
    for (int i = 0; i < neighbors; i++)
        sources[i] = check_rank;
    CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, neighbors, sources, MPI_UNWEIGHTED, neighbors, sources,
                                            MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
    persistent_barrier(made);
    CHECK_OK(MPI_Comm_free(&made));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    translate_ranks();
    structs();
    arrays();
    topologies();
    return check_end();
}
