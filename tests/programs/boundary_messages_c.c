// The large-count forms of messages, windows and files with many counts (see boundary.h).
// ranks: 2
#include "boundary_data.h"
#include "io.h"

static int peer;

// ---- messages from rank 0 to rank 1; the status contains the count --------------------------------------------------

static void expect_message(const layout* l, int n, int from) {
    clear_all();
    put(&given, l, 0, n, check_rank, anyone);
    put(&expected, l, 0, n, from, anyone);
}
static void check_message(MPI_Status* status, const layout* l, int n) {
    int elements = -1;
    CHECK_OK(MPI_Get_elements(status, l->type, &elements));
    CHECK_INT(elements, n * l->used);
    CHECK_RESULT(result);
}

typedef int send_function(const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
typedef int start_function(const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
static send_function* const sends[] = {MPI_Send_c, MPI_Ssend_c, MPI_Bsend_c, MPI_Rsend_c};
static start_function* const starts[] = {MPI_Isend_c,     MPI_Issend_c,     MPI_Ibsend_c,     MPI_Irsend_c,
                                         MPI_Send_init_c, MPI_Ssend_init_c, MPI_Bsend_init_c, MPI_Rsend_init_c};

static void send_one(int way, const layout* l, int n) {
    MPI_Request request;
    if (way < 4) {
        CHECK_OK(sends[way](begin_of(&given), n, l->type, 1, way, MPI_COMM_WORLD));
        return;
    }
    CHECK_OK(starts[way - 4](begin_of(&given), n, l->type, 1, way, MPI_COMM_WORLD, &request));
    if (way >= 8)
        CHECK_OK(MPI_Start(&request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (way >= 8)
        CHECK_OK(MPI_Request_free(&request));
}

static void receive_one(int way, const layout* l, int n) {
    MPI_Status status;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Message message;
    const int is_ready = way % 4 == 3, how = is_ready ? way % 2 : way % 5; // a ready send needs a posted receive
    if (how == 0 || is_ready)
        CHECK_OK(MPI_Irecv_c(begin_of(&result), n, l->type, 0, way, MPI_COMM_WORLD, &request));
    else if (how == 1) {
        CHECK_OK(MPI_Recv_init_c(begin_of(&result), n, l->type, 0, way, MPI_COMM_WORLD, &request));
        CHECK_OK(MPI_Start(&request));
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    if (how >= 3 && !is_ready)
        CHECK_OK(MPI_Mprobe(0, way, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
    if (how == 2 && !is_ready)
        CHECK_OK(MPI_Recv_c(begin_of(&result), n, l->type, 0, way, MPI_COMM_WORLD, &status));
    else if (how == 3 && !is_ready)
        CHECK_OK(MPI_Mrecv_c(begin_of(&result), n, l->type, &message, &status));
    else {
        if (how == 4 && !is_ready)
            CHECK_OK(MPI_Imrecv_c(begin_of(&result), n, l->type, &message, &request));
        CHECK_OK(MPI_Wait(&request, &status));
        if (request != MPI_REQUEST_NULL)
            CHECK_OK(MPI_Request_free(&request));
    }
    check_message(&status, l, n);
}

static void messages(const layout* l, int n) {
    for (int way = 0; way < 12; way++) {
        expect_message(l, n, 0);
        if (check_rank == 0) {
            CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
            send_one(way, l, n);
        } else
            receive_one(way, l, n);
    }
}

static void exchanges(const layout* l, int n) {
    MPI_Status status;
    MPI_Request request;
    for (int is_nonblocking = 0; is_nonblocking < 2; is_nonblocking++) {
        expect_message(l, n, peer);
        if (is_nonblocking) {
            CHECK_OK(MPI_Isendrecv_c(begin_of(&given), n, l->type, peer, 7, begin_of(&result), n, l->type, peer, 7,
                                     MPI_COMM_WORLD, &request));
            CHECK_OK(MPI_Wait(&request, &status));
        } else
            CHECK_OK(MPI_Sendrecv_c(begin_of(&given), n, l->type, peer, 7, begin_of(&result), n, l->type, peer, 7,
                                    MPI_COMM_WORLD, &status));
        check_message(&status, l, n);
        result = given;
        if (is_nonblocking) {
            CHECK_OK(
                MPI_Isendrecv_replace_c(begin_of(&result), n, l->type, peer, 8, peer, 8, MPI_COMM_WORLD, &request));
            CHECK_OK(MPI_Wait(&request, &status));
        } else
            CHECK_OK(MPI_Sendrecv_replace_c(begin_of(&result), n, l->type, peer, 8, peer, 8, MPI_COMM_WORLD, &status));
        check_message(&status, l, n);
    }
}

// ---- windows -------------------------------------------------------------------------------------------------------

static buffer window, fetched;

static void fence(MPI_Win win) {
    CHECK_OK(MPI_Win_fence(0, win));
}
static void wait_if(int has_request, MPI_Request* request) {
    if (has_request)
        CHECK_OK(MPI_Wait(request, MPI_STATUS_IGNORE));
}

// Each rank writes to the other's window, reads it and adds to it.
static void windows(MPI_Win win, const layout* l, int n) {
    const MPI_Aint place = margin;
    MPI_Request request;
    for (int r = 0; r < 2; r++) { // with a request, in a passive epoch
        clear(&window), clear_all(), clear(&fetched);
        put(&given, l, 0, n, check_rank, peer);
        fence(win);
        if (r)
            CHECK_OK(MPI_Win_lock_all(0, win));
        CHECK_OK(r ? MPI_Rput_c(begin_of(&given), n, l->type, peer, place, n, l->type, win, &request)
                   : MPI_Put_c(begin_of(&given), n, l->type, peer, place, n, l->type, win));
        wait_if(r, &request);
        if (r)
            CHECK_OK(MPI_Win_flush_all(win));
        else
            fence(win);
        CHECK_OK(r ? MPI_Rget_c(begin_of(&result), n, l->type, peer, place, n, l->type, win, &request)
                   : MPI_Get_c(begin_of(&result), n, l->type, peer, place, n, l->type, win));
        wait_if(r, &request);
        if (!r)
            fence(win);
        put(&expected, l, 0, n, check_rank, peer);
        CHECK_RESULT(result);
        CHECK_OK(r ? MPI_Raccumulate_c(begin_of(&given), n, l->type, peer, place, n, l->type, MPI_SUM, win, &request)
                   : MPI_Accumulate_c(begin_of(&given), n, l->type, peer, place, n, l->type, MPI_SUM, win));
        wait_if(r, &request);
        if (r)
            CHECK_OK(MPI_Win_flush_all(win));
        else
            fence(win);
        // MPI_NO_OP adds nothing, and the origin is ignored. In the call with a request, MPICH 3.4 reports committed
        // datatypes as uncommitted.
        if (r && check_mpich_major() == 3) {
            CHECK_OK(MPI_Win_unlock_all(win));
            continue;
        }
        CHECK_OK(r ? MPI_Rget_accumulate_c(NULL, 100000, MPI_INT, begin_of(&fetched), n, l->type, peer, place, n,
                                           l->type, MPI_NO_OP, win, &request)
                   : MPI_Get_accumulate_c(NULL, 100000, MPI_INT, begin_of(&fetched), n, l->type, peer, place, n,
                                          l->type, MPI_NO_OP, win));
        wait_if(r, &request);
        if (r)
            CHECK_OK(MPI_Win_unlock_all(win));
        fence(win);
        for (int i = 0; i < room; i++)
            if (expected.data[i] != gap)
                expected.data[i] *= 2;
        CHECK_RESULT(fetched);
        clear(&expected);
        put(&expected, l, 0, n, peer, check_rank);
        for (int i = 0; i < room; i++)
            if (expected.data[i] != gap)
                expected.data[i] *= 2;
        CHECK_RESULT(window);
    }
}

// ---- files ---------------------------------------------------------------------------------------------------------

static void files(MPI_File file, const layout* l, int n) {
    const MPI_Offset place = check_rank * 4096, back = peer * 4096;
    MPI_Status status;
    MPI_Request request;
    expect_message(l, n, check_rank);
    CHECK_OK(MPI_File_write_at_c(file, place, begin_of(&given), n, l->type, &status));
    CHECK_OK(MPI_File_read_at_c(file, place, begin_of(&result), n, l->type, &status));
    check_message(&status, l, n);
    clear(&result);
    CHECK_OK(MPI_File_iread_at_c(file, place, begin_of(&result), n, l->type, &request));
    CHECK_OK(MPI_Wait(&request, &status));
    check_message(&status, l, n);
    expect_message(l, n, peer);
    CHECK_OK(MPI_File_write_at_all_c(file, place, begin_of(&given), n, l->type, &status));
    CHECK_OK(MPI_File_sync(file));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_sync(file));
    CHECK_OK(MPI_File_read_at_all_begin_c(file, back, begin_of(&result), n, l->type));
    CHECK_OK(MPI_File_read_at_all_end(file, begin_of(&result), &status));
    check_message(&status, l, n);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
}

// ---- mistakes, and reductions without communication ----------------------------------------------------------------

static int reports;
static void count_report(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
    reports++;
}

// The error handler of the communicator is called for a datatype that cannot be sent, whatever the count. (MPICH 4.3
// and newer return MPI_SUCCESS after a handler of the program.)
static void told_to_the_communicator(void) {
    MPI_Comm comm;
    MPI_Errhandler counts;
    MPI_Datatype uncommitted;
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_OK(MPI_Comm_create_errhandler(count_report, &counts));
    CHECK_OK(MPI_Comm_set_errhandler(comm, counts));
    CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &uncommitted));
    for (int n = 1; n < 12; n++) {
        reports = 0;
        CHECK_CLASS(MPI_Send_c(&result, n, uncommitted, peer, 0, comm), MPI_ERR_TYPE, MPI_SUCCESS);
        CHECK_INT(reports, 1);
        reports = 0;
        CHECK_CLASS(MPI_Bcast_c(&result, n, uncommitted, check_rank, comm), MPI_ERR_TYPE, MPI_SUCCESS);
        CHECK_INT(reports, 1);
    }
    CHECK_OK(MPI_Type_free(&uncommitted));
    CHECK_OK(MPI_Errhandler_free(&counts));
    CHECK_OK(MPI_Comm_free(&comm));
}

static int window_reports;
static void count_window_report(MPI_Win* win, int* code, ...) {
    (void)win, (void)code;
    window_reports++;
}

static void told_to_the_window(MPI_Win win) {
    MPI_Errhandler counts;
    MPI_Datatype uncommitted;
    CHECK_OK(MPI_Win_create_errhandler(count_window_report, &counts));
    CHECK_OK(MPI_Win_set_errhandler(win, counts));
    CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &uncommitted));
    CHECK_OK(MPI_Win_fence(0, win));
    for (int n = 1; n < 12; n++) {
        window_reports = 0;
        CHECK_CLASS(MPI_Put_c(&result, n, uncommitted, peer, 0, 2 * n, MPI_INT, win), MPI_ERR_TYPE, MPI_SUCCESS);
        CHECK_INT(window_reports, 1);
    }
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK_OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Type_free(&uncommitted));
    CHECK_OK(MPI_Errhandler_free(&counts));
}

static void mistakes(void) {
    int number = 0;
    CHECK_CLASS(MPI_Send_c(&number, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Send_c(&number, INT64_C(-3000000000), MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Send_c(&number, INT64_C(-0xffffffff), MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Send_c(&number, INT64_C(3000000000), MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_CLASS(MPI_Bcast_c(&number, -1, MPI_INT, 0, MPI_COMM_SELF), MPI_ERR_COUNT);
    CHECK_CLASS(MPI_Allreduce_c(&number, &peer, -1, MPI_INT, MPI_SUM, MPI_COMM_SELF), MPI_ERR_COUNT,
                MPI_SUCCESS); // MPICH 4.3 to 5.0
    CHECK_CLASS(MPI_Gatherv_c(&number, 1, MPI_INT, NULL, NULL, NULL, MPI_INT, 99, MPI_COMM_WORLD), MPI_ERR_ROOT);
}

static void local_reductions(int n) {
    clear_all();
    put(&given, &layouts[0], 0, n, 0, 0);
    for (int e = 0; e < n; e++) {
        ((int*)begin_of(&result))[e] = e;
        ((int*)begin_of(&expected))[e] = e + ((int*)begin_of(&given))[e];
    }
    CHECK_OK(MPI_Reduce_local_c(begin_of(&given), begin_of(&result), n, MPI_INT, MPI_SUM));
    CHECK_RESULT(result);
}

int main(int argc, char** argv) {
    static char attached[10000];
    void* detached;
    int size, number = 0;
    MPI_Win win;
    MPI_File file;
    check_begin(&argc, &argv);
    peer = 1 - check_rank;
    if (!OFFERED(MPI_Send_c, (&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD)))
        return check_end();
    // The large forms of these releases crash with datatypes that have gaps, even without anympi.
    if (check_mpich_4_before(2)) {
        check_skip("large forms", "MPICH 4.0 and 4.1 crash in them");
        return check_end();
    }
    make_layouts();
    CHECK_OK(MPI_Buffer_attach(attached, sizeof attached));
    CHECK_OK(MPI_Win_create(&window, sizeof window, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    file = io_new();
    if (check_rank == 0)
        unlink(io_path); // the file is deleted now, so that it does not remain when the program ends
    for (int i = 0; i < length_count; i++) {
        for (int k = 0; k < 3; k++) {
            CASE("messages"), messages(&layouts[k], lengths[i]);
            CASE("exchanges"), exchanges(&layouts[k], lengths[i]);
            CASE("windows"), windows(win, &layouts[k], lengths[i]);
            CASE("files"), files(file, &layouts[k], lengths[i]);
        }
        CASE("reduce_local"), local_reductions(lengths[i]);
    }
    CASE("mistakes"), mistakes();
    CASE("told to the communicator"), told_to_the_communicator();
    CASE("told to the window"), told_to_the_window(win);
    CHECK_OK(MPI_File_close(&file));
    CHECK_OK(MPI_Win_free(&win));
    CHECK_OK(MPI_Buffer_detach(&detached, &size));
    free_layouts();
    return check_end();
}
