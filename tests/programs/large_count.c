// The large-count forms of point-to-point, datatypes, packing and statuses: small numbers that must arrive unchanged,
// and large ones that do not fit into an int. (coll_*_c.c test collectives.)
// ranks: 1 2
#include "complete.h"

static const MPI_Count huge = 3000000000; // does not fit into an int
static int left, right;
static int out[4] = {1, 2, 3, 4};

// ---- point-to-point ---------------------------------------------------------------------------------------------

typedef int send_function(const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
typedef int start_function(const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

// A receive is posted; for ready mode `send` was called already. Returns 0 if the runtime lacks the form.
static void check_arrival(MPI_Request* receive, const int* in) {
    MPI_Status status = check_dirty_status();
    MPI_Count count = -1;
    CHECK_OK(MPI_Wait(receive, &status));
    CHECK_STATUS(status, left, 5, MPI_INT, 4);
    CHECK_BYTES(in, out, sizeof out);
    CHECK_OK(MPI_Get_count_c(&status, MPI_INT, &count));
    CHECK_INT(count, 4);
    CHECK_OK(MPI_Get_elements_c(&status, MPI_BYTE, &count));
    CHECK_INT(count, sizeof out);
}

static void blocking(const char* name, send_function* send) {
    int in[4] = {0};
    MPI_Request request;
    CHECK_OK(MPI_Irecv_c(in, 4, MPI_INT, left, 5, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    check_offered(__FILE__, __LINE__, name, send(out, 4, MPI_INT, right, 5, MPI_COMM_WORLD));
    check_arrival(&request, in);
}

static void nonblocking(const char* name, start_function* start, int persistent) {
    int in[4] = {0};
    MPI_Request request, sending;
    CHECK_OK(MPI_Irecv_c(in, 4, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    check_offered(__FILE__, __LINE__, name, start(out, 4, MPI_INT, right, 5, MPI_COMM_WORLD, &sending));
    if (persistent)
        CHECK_OK(MPI_Start(&sending));
    check_arrival(&request, in);
    complete(&sending);
    if (persistent)
        CHECK_OK(MPI_Request_free(&sending));
}

static void exchanges(void) {
    int in[4] = {0}, own[4] = {1, 2, 3, 4};
    MPI_Status status;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Message message;
    CASE("recv_c and sendrecv_c");
    CHECK_OK(MPI_Sendrecv_c(out, 4, MPI_INT, right, 6, in, 4, MPI_INT, left, 6, MPI_COMM_WORLD, &status));
    CHECK_BYTES(in, out, sizeof out);
    CHECK_OK(MPI_Sendrecv_replace_c(own, 4, MPI_INT, right, 7, left, 7, MPI_COMM_WORLD, &status));
    CHECK_BYTES(own, out, sizeof out);
    CHECK_OK(MPI_Isend_c(out, 4, MPI_INT, right, 8, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Recv_c(in, 4, MPI_INT, left, 8, MPI_COMM_WORLD, &status));
    CHECK_STATUS(status, left, 8, MPI_INT, 4);
    complete(&request);
    CASE("isendrecv_c");
    memset(in, 0, sizeof in);
    CHECK_OK(MPI_Isendrecv_c(out, 4, MPI_INT, right, 9, in, 4, MPI_INT, left, 9, MPI_COMM_WORLD, &request));
    complete(&request);
    CHECK_BYTES(in, out, sizeof out);
    CHECK_OK(MPI_Isendrecv_replace_c(own, 4, MPI_INT, right, 10, left, 10, MPI_COMM_WORLD, &request));
    complete(&request);
    CHECK_BYTES(own, out, sizeof out);
    CASE("matched receives");
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
        MPI_Request receive;
        memset(in, 0, sizeof in);
        CHECK_OK(MPI_Isend_c(out, 4, MPI_INT, right, 11, MPI_COMM_WORLD, &request));
        CHECK_OK(MPI_Mprobe(left, 11, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
        if (nonblocking) {
            CHECK_OK(MPI_Imrecv_c(in, 4, MPI_INT, &message, &receive));
            complete(&receive);
        } else
            CHECK_OK(MPI_Mrecv_c(in, 4, MPI_INT, &message, &status));
        CHECK_SAME(message, MPI_MESSAGE_NULL);
        CHECK_BYTES(in, out, sizeof out);
        complete(&request);
    }
    CASE("recv_init_c");
    MPI_Request both[2];
    memset(in, 0, sizeof in);
    CHECK_OK(MPI_Recv_init_c(in, 4, MPI_INT, left, 12, MPI_COMM_WORLD, &both[0]));
    CHECK_OK(MPI_Send_init_c(out, 4, MPI_INT, right, 12, MPI_COMM_WORLD, &both[1]));
    CHECK_OK(MPI_Startall(2, both));
    CHECK_OK(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
    CHECK_BYTES(in, out, sizeof out);
    CHECK_OK(MPI_Request_free(&both[0]));
    CHECK_OK(MPI_Request_free(&both[1]));
}

static void messages(void) {
    static char buffer[10000];
    void* detached;
    MPI_Count size;
    CASE("send_c"), blocking("MPI_Send_c", MPI_Send_c);
    CASE("ssend_c"), blocking("MPI_Ssend_c", MPI_Ssend_c);
    CASE("rsend_c"), blocking("MPI_Rsend_c", MPI_Rsend_c);
    CHECK_OK(MPI_Buffer_attach_c(buffer, sizeof buffer));
    CASE("bsend_c"), blocking("MPI_Bsend_c", MPI_Bsend_c);
    CASE("isend_c"), nonblocking("MPI_Isend_c", MPI_Isend_c, 0);
    CASE("issend_c"), nonblocking("MPI_Issend_c", MPI_Issend_c, 0);
    CASE("irsend_c"), nonblocking("MPI_Irsend_c", MPI_Irsend_c, 0);
    CASE("ibsend_c"), nonblocking("MPI_Ibsend_c", MPI_Ibsend_c, 0);
    CASE("send_init_c"), nonblocking("MPI_Send_init_c", MPI_Send_init_c, 1);
    CASE("ssend_init_c"), nonblocking("MPI_Ssend_init_c", MPI_Ssend_init_c, 1);
    CASE("rsend_init_c"), nonblocking("MPI_Rsend_init_c", MPI_Rsend_init_c, 1);
    CASE("bsend_init_c"), nonblocking("MPI_Bsend_init_c", MPI_Bsend_init_c, 1);
    CHECK_OK(MPI_Buffer_detach_c(&detached, &size));
    exchanges();
}

// ---- datatypes --------------------------------------------------------------------------------------------------

static void check_size(MPI_Datatype* type, MPI_Count size, MPI_Count extent) {
    MPI_Count got = -1, lower = -1, got_extent = -1, true_lower = -1, true_extent = -1;
    int small = -1;
    CHECK_OK(MPI_Type_size_c(*type, &got));
    CHECK_INT(got, size);
    CHECK_OK(MPI_Type_size(*type, &small));
    CHECK_INT(small, size > INT_MAX ? MPI_UNDEFINED : size);
    CHECK_OK(MPI_Type_get_extent_c(*type, &lower, &got_extent));
    CHECK_INT(lower, 0);
    CHECK_INT(got_extent, extent);
    CHECK_OK(MPI_Type_get_true_extent_c(*type, &true_lower, &true_extent));
    CHECK_INT(true_lower, 0);
    CHECK_OK(MPI_Type_commit(type));
    CHECK_OK(MPI_Type_free(type));
}

static void datatypes(void) {
    MPI_Datatype type;
    const MPI_Count two[2] = {1, 1}, places[2] = {0, huge}, sizes[2] = {2, huge}, sub[2] = {1, huge},
                    starts[2] = {0, 0};
    const MPI_Datatype types[2] = {MPI_CHAR, MPI_BYTE};
    CASE("contiguous_c"), CHECK_OK(MPI_Type_contiguous_c(huge, MPI_CHAR, &type)), check_size(&type, huge, huge);
    CASE("vector_c"), CHECK_OK(MPI_Type_vector_c(2, 1, huge, MPI_CHAR, &type)), check_size(&type, 2, huge + 1);
    CASE("hvector_c"), CHECK_OK(MPI_Type_create_hvector_c(2, 2, huge, MPI_CHAR, &type)), check_size(&type, 4, huge + 2);
    CASE("indexed_c"), CHECK_OK(MPI_Type_indexed_c(2, two, places, MPI_CHAR, &type)), check_size(&type, 2, huge + 1);
    CASE("hindexed_c"), CHECK_OK(MPI_Type_create_hindexed_c(2, two, places, MPI_CHAR, &type));
    check_size(&type, 2, huge + 1);
    CASE("indexed_block_c"), CHECK_OK(MPI_Type_create_indexed_block_c(2, 1, places, MPI_CHAR, &type));
    check_size(&type, 2, huge + 1);
    CASE("hindexed_block_c"), CHECK_OK(MPI_Type_create_hindexed_block_c(2, 1, places, MPI_CHAR, &type));
    check_size(&type, 2, huge + 1);
    CASE("struct_c"), CHECK_OK(MPI_Type_create_struct_c(2, two, places, types, &type));
    check_size(&type, 2, huge + 1);
    CASE("resized_c"), CHECK_OK(MPI_Type_create_resized_c(MPI_INT, 0, huge, &type)), check_size(&type, 4, huge);
    CASE("subarray_c"), CHECK_OK(MPI_Type_create_subarray_c(2, sizes, sub, starts, MPI_ORDER_C, MPI_CHAR, &type));
    check_size(&type, huge, 2 * huge);
    CASE("darray_c");
    CHECK_OK(MPI_Type_create_darray_c(2, 0, 1, (const MPI_Count[]){8}, (const int[]){MPI_DISTRIBUTE_BLOCK},
                                      (const int[]){MPI_DISTRIBUTE_DFLT_DARG}, (const int[]){2}, MPI_ORDER_C, MPI_CHAR,
                                      &type));
    check_size(&type, 4, 8);
}

// The arguments that are returned: counts have a separate array.
static void contents(void) {
    MPI_Datatype type, inner[4];
    MPI_Count integers = -1, addresses = -1, counts = -1, types = -1, large[8];
    MPI_Aint places[4];
    int combiner = -1, small[8];
    CASE("envelope_c and contents_c");
    CHECK_OK(MPI_Type_vector_c(2, 1, huge, MPI_SHORT_INT, &type));
    CHECK_OK(MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_VECTOR);
    CHECK_INT(counts, 3);
    CHECK_INT(types, 1);
    CHECK_OK(MPI_Type_get_contents_c(type, integers, addresses, counts, types, small, places, large, inner));
    CHECK_INT(large[0], 2);
    CHECK_INT(large[1], 1);
    CHECK_INT(large[2], huge);
    CHECK_SAME(inner[0], MPI_SHORT_INT);
    CHECK_OK(MPI_Type_free(&type));
    const MPI_Count sizes[2] = {3, 4}, sub[2] = {1, 2}, starts[2] = {0, 1};
    CHECK_OK(MPI_Type_create_subarray_c(2, sizes, sub, starts, MPI_ORDER_FORTRAN, MPI_DOUBLE, &type));
    CHECK_OK(MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner));
    CHECK_INT(combiner, MPI_COMBINER_SUBARRAY);
    CHECK_INT(integers, 2); // number of dimensions, order
    CHECK_INT(counts, 6);
    CHECK_OK(MPI_Type_get_contents_c(type, integers, addresses, counts, types, small, places, large, inner));
    CHECK_INT(small[0], 2);
    CHECK_INT(small[1], MPI_ORDER_FORTRAN);
    CHECK_INT(large[1], 4);
    CHECK_INT(large[5], 1);
    CHECK_SAME(inner[0], MPI_DOUBLE);
    CHECK_OK(MPI_Type_free(&type));
}

// ---- packing and statuses ---------------------------------------------------------------------------------------

static void packing(void) {
    char buffer[64];
    int back[4] = {0};
    MPI_Count size = -1, position = 0;
    CASE("pack_c");
    CHECK_OK(MPI_Pack_size_c(4, MPI_INT, MPI_COMM_WORLD, &size));
    CHECK(size >= (MPI_Count)sizeof out);
    CHECK_OK(MPI_Pack_c(out, 4, MPI_INT, buffer, sizeof buffer, &position, MPI_COMM_WORLD));
    CHECK(position >= (MPI_Count)sizeof out);
    size = position;
    position = 0;
    CHECK_OK(MPI_Unpack_c(buffer, size, &position, back, 4, MPI_INT, MPI_COMM_WORLD));
    CHECK_BYTES(back, out, sizeof out);
    CASE("pack_external_c");
    position = 0;
    memset(back, 0, sizeof back);
    CHECK_OK(MPI_Pack_external_size_c("external32", 4, MPI_INT, &size));
    CHECK_INT(size, 16);
    CHECK_OK(MPI_Pack_external_c("external32", out, 4, MPI_INT, buffer, sizeof buffer, &position));
    CHECK_INT(position, 16);
    if (check_mpich_major() != 3) // MPICH 3's external32 has the machine's own byte order
        CHECK_INT(buffer[3], 1);  // big-endian
    position = 0;
    CHECK_OK(MPI_Unpack_external_c("external32", buffer, 16, &position, back, 4, MPI_INT));
    CHECK_BYTES(back, out, sizeof out);
}

// A message that needs no memory of its size: the datatype contains one small address a huge number of times.
static void huge_message(void) {
    MPI_Datatype same_place;
    MPI_Status status;
    MPI_Count count = -1;
    CASE("status of a huge count");
    memset(&status, 0, sizeof status);
    CHECK_OK(MPI_Status_set_elements_x(&status, MPI_INT, huge));
    CHECK_OK(MPI_Get_count_c(&status, MPI_INT, &count));
    CHECK_INT(count, huge);
    CHECK_OK(MPI_Get_elements_c(&status, MPI_INT, &count));
    CHECK_INT(count, huge);
    CASE("type that repeats one place");
    CHECK_OK(MPI_Type_create_hvector_c(huge, 1, 0, MPI_CHAR, &same_place));
    CHECK_OK(MPI_Type_size_c(same_place, &count));
    CHECK_INT(count, huge);
    CHECK_OK(MPI_Type_free(&same_place));
}

// One process, with a displacement of its block.
static void alone_with_displacements(void) {
    const int out[4] = {1, 2, 3, 4};
    int in[4] = {0, 0, 0, 0};
    const MPI_Count count = 2;
    const MPI_Aint from = 1, to = 2;
    CASE("alltoallv_c with oneself");
    if (!OFFERED(MPI_Alltoallv_c, (out, &count, &from, MPI_INT, in, &count, &to, MPI_INT, MPI_COMM_SELF)))
        return;
    const int wanted[4] = {0, 0, 2, 3};
    CHECK_BYTES(in, wanted, sizeof in);
}

// The send and receive buffers may be the same if no data is sent.
static void nothing_at_all(void) {
    const MPI_Count counts[4] = {0, 0, 0, 0};
    const MPI_Aint places[4] = {0, 0, 0, 0};
    MPI_Request request;
    CASE("igatherv_c of nothing");
    if (OFFERED(MPI_Igatherv_c, (NULL, 0, MPI_INT, NULL, counts, places, MPI_INT, 0, MPI_COMM_WORLD, &request)))
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

// The program may free its datatype before the persistent operation is started.
static void freed_before_start(void) {
    enum { most = 4 };
    MPI_Datatype pair, others[8];
    MPI_Request request;
    MPI_Count counts[most];
    MPI_Aint places[most];
    int out[2 * most], in[2 * most];
    CASE("alltoallv_init_c with a datatype that is freed");
    for (int i = 0; i < most; i++)
        counts[i] = 1, places[i] = i, out[2 * i] = 10 * check_rank + i, out[2 * i + 1] = -out[2 * i];
    CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &pair));
    CHECK_OK(MPI_Type_commit(&pair));
    const int offered = OFFERED(MPI_Alltoallv_init_c, (out, counts, places, pair, in, counts, places, pair,
                                                       MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    CHECK_OK(MPI_Type_free(&pair));
    for (int i = 0; i < 8; i++) // may reuse its memory
        CHECK_OK(MPI_Type_vector(2, 1, 5, MPI_CHAR, &others[i]));
    for (int round = 0; offered && round < 3; round++) {
        memset(in, -1, sizeof in);
        CHECK_OK(MPI_Start(&request));
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < check_ranks; i++)
            CHECK(in[2 * i] == 10 * i + check_rank && in[2 * i + 1] == -in[2 * i]);
    }
    if (offered)
        CHECK_OK(MPI_Request_free(&request));
    for (int i = 0; i < 8; i++)
        CHECK_OK(MPI_Type_free(&others[i]));
}

// Blocks in place whose data is before or after the addresses of their elements.
static void add_first_ints(void* in, void* inout, MPI_Count* length, MPI_Datatype* type) {
    MPI_Count lower, extent;
    MPI_Type_get_true_extent_c(*type, &lower, &extent);
    for (MPI_Count i = 0; i < *length; i++)
        *(int*)((char*)inout + lower + 4 * i) += *(int*)((char*)in + lower + 4 * i);
}

static void reduced_in_place(MPI_Aint displacement, MPI_Op op) {
    enum { each = 20, most = 4, margin = 8192 };
    static char memory[2 * margin + each * most * sizeof(int)];
    char* const base = memory + margin;
    MPI_Datatype placed, type;
    MPI_Count counts[most] = {each, each, each, each};
    CHECK_OK(MPI_Type_create_hindexed_block(1, 1, &displacement, MPI_INT, &placed));
    CHECK_OK(MPI_Type_create_resized(placed, displacement, sizeof(int), &type));
    CHECK_OK(MPI_Type_commit(&type));
    int* const numbers = (int*)(base + displacement);
    for (int i = 0; i < check_ranks * each; i++)
        numbers[i] = i + check_rank;
    CHECK_OK(MPI_Reduce_scatter_c(MPI_IN_PLACE, base, counts, type, op, MPI_COMM_WORLD));
    for (int i = 0; i < each; i++)
        CHECK_INT(numbers[i], check_ranks * (check_rank * each + i) + check_ranks * (check_ranks - 1) / 2);
    CHECK_OK(MPI_Type_free(&placed));
    CHECK_OK(MPI_Type_free(&type));
}

static void reductions_in_place(void) {
    MPI_Op op;
    CASE("reduce_scatter_c in place with lower bounds");
    if (!OFFERED(MPI_Op_create_c, (add_first_ints, 1, &op)))
        return;
    reduced_in_place(0, op);
    reduced_in_place(4096, op);
    reduced_in_place(-4096, op);
    CHECK_OK(MPI_Op_free(&op));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    left = (check_rank + check_ranks - 1) % check_ranks;
    right = (check_rank + 1) % check_ranks;
    int probe = 0;
    MPI_Count size = -1;
    CASE("offered");
    if (OFFERED(MPI_Sendrecv_c, (&probe, 1, MPI_INT, MPI_PROC_NULL, 0, &probe, 1, MPI_INT, MPI_PROC_NULL, 0,
                                 MPI_COMM_WORLD, MPI_STATUS_IGNORE)))
        messages();
    alone_with_displacements();
    nothing_at_all();
    freed_before_start();
    reductions_in_place();
    if (OFFERED(MPI_Type_size_c, (MPI_INT, &size))) {
        datatypes();
        contents();
        packing();
        huge_message();
    }
    return check_end();
}
