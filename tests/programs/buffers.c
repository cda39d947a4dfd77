// Buffered sends: the program provides the buffer, and the buffer holds as many messages as the program has computed.
// ranks: 1 2
#include "check.h"

static int left, right;

// Messages of 8 bytes, all sent before one is received: MPI_BSEND_OVERHEAD must be enough for each.
static void exactly_filled(int messages) {
    int size = messages * ((int)sizeof(double) + MPI_BSEND_OVERHEAD), detached_size = -1;
    void *buffer = malloc((size_t)size), *detached = NULL;
    CHECK_OK(MPI_Buffer_attach(buffer, size));
    for (int i = 0; i < messages; i++) {
        double value = 1.5 * i + check_rank;
        CHECK_OK(MPI_Bsend(&value, 1, MPI_DOUBLE, right, i, MPI_COMM_WORLD));
    }
    for (int i = messages - 1; i >= 0; i--) {
        double value = -1;
        CHECK_OK(MPI_Recv(&value, 1, MPI_DOUBLE, left, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(value == 1.5 * i + left);
    }
    CHECK_OK(MPI_Buffer_detach(&detached, &detached_size));
    CHECK_SAME(detached, buffer);
    CHECK_INT(detached_size, size);
    free(buffer);
}

static void attach_again(void) {
    static char first[20000], second[30000];
    void* detached = NULL;
    int size = -1;
    CASE("attach and detach");
    CHECK_OK(MPI_Buffer_attach(first, sizeof first));
    // Only one buffer may be attached at a time. Open MPI 4.1 returns -30, which is not a code of MPI.
    CHECK_CLASS(MPI_Buffer_attach(second, sizeof second), MPI_ERR_BUFFER, MPI_ERR_INTERN, MPI_ERR_OTHER, MPI_ERR_ARG);
    CHECK_OK(MPI_Buffer_detach(&detached, &size));
    CHECK_SAME(detached, first);
    CHECK_INT(size, sizeof first);
    CHECK_OK(MPI_Buffer_attach(second, sizeof second));
    CHECK_OK(MPI_Buffer_detach(&detached, &size));
    CHECK_SAME(detached, second);
    CHECK_INT(size, sizeof second);
}

// The program may write into its buffer after detaching, because the messages were sent by then.
static void detach_waits(void) {
    enum { large = 100000 };
    int *data = malloc(large * sizeof *data), *in = malloc(large * sizeof *in), wrong = 0, size = -1;
    size_t bytes = large * sizeof *data + MPI_BSEND_OVERHEAD;
    char* buffer = malloc(bytes);
    void* detached = NULL;
    MPI_Request request;
    CASE("detach waits for the messages");
    for (int i = 0; i < large; i++)
        data[i] = i + check_rank;
    CHECK_OK(MPI_Irecv(in, large, MPI_INT, left, 1, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Buffer_attach(buffer, (int)bytes));
    CHECK_OK(MPI_Bsend(data, large, MPI_INT, right, 1, MPI_COMM_WORLD));
    CHECK_OK(MPI_Buffer_detach(&detached, &size));
    CHECK_SAME(detached, buffer);
    memset(buffer, 0, bytes);
    memset(data, 0, large * sizeof *data);
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < large; i++)
        wrong += in[i] != i + left;
    CHECK_INT(wrong, 0);
    free(buffer);
    free(data);
    free(in);
}

static void too_small(void) {
    char buffer[MPI_BSEND_OVERHEAD + 8], *large = calloc(1, 1 << 20);
    void* detached = NULL;
    int size = -1;
    CASE("message larger than the buffer");
    CHECK_OK(MPI_Buffer_attach(buffer, sizeof buffer));
    CHECK_CLASS(MPI_Bsend(large, 1 << 20, MPI_BYTE, right, 3, MPI_COMM_WORLD), MPI_ERR_BUFFER, MPI_ERR_OTHER,
                MPI_ERR_INTERN, MPI_ERR_NO_MEM);
    CHECK_OK(MPI_Buffer_detach(&detached, &size));
    CHECK_SAME(detached, buffer);
    free(large);
}

// Forms of MPI 4.1 and the large-count ones.
static void newer_forms(void) {
    static char buffer[20000];
    void* detached = NULL;
    int size = -1, out = 5, in = -1;
    MPI_Count large_size = -1;
    MPI_Request request;
    MPI_Comm comm;
    CASE("large-count attach");
    if (OFFERED(MPI_Buffer_attach_c, (buffer, sizeof buffer))) {
        CHECK_OK(MPI_Buffer_detach_c(&detached, &large_size));
        CHECK_SAME(detached, buffer);
        CHECK_INT(large_size, sizeof buffer);
    }
    CASE("flush");
    CHECK_OK(MPI_Buffer_attach(buffer, sizeof buffer));
    CHECK_OK(MPI_Irecv(&in, 1, MPI_INT, left, 9, MPI_COMM_WORLD, &request));
    CHECK_OK(MPI_Bsend(&out, 1, MPI_INT, right, 9, MPI_COMM_WORLD));
    if (OFFERED(MPI_Buffer_flush, ())) {
        MPI_Request flush = MPI_REQUEST_NULL;
        CHECK_OK(MPI_Buffer_iflush(&flush));
        CHECK_OK(MPI_Wait(&flush, MPI_STATUS_IGNORE));
    }
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(in, 5);
    CHECK_OK(MPI_Buffer_detach(&detached, &size));

    CASE("buffer of a communicator");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    if (OFFERED(MPI_Comm_attach_buffer, (comm, buffer, sizeof buffer))) {
        in = -1;
        CHECK_OK(MPI_Bsend(&out, 1, MPI_INT, right, 9, comm));
        CHECK_OK(MPI_Recv(&in, 1, MPI_INT, left, 9, comm, MPI_STATUS_IGNORE));
        CHECK_INT(in, 5);
        CHECK_OK(MPI_Comm_flush_buffer(comm));
        MPI_Request flush = MPI_REQUEST_NULL;
        CHECK_OK(MPI_Comm_iflush_buffer(comm, &flush));
        CHECK_OK(MPI_Wait(&flush, MPI_STATUS_IGNORE));
        CHECK_OK(MPI_Comm_detach_buffer(comm, &detached, &size));
        CHECK_SAME(detached, buffer);
        CHECK_INT(size, sizeof buffer);
        CHECK_OK(MPI_Comm_attach_buffer_c(comm, buffer, sizeof buffer));
        CHECK_OK(MPI_Comm_detach_buffer_c(comm, &detached, &large_size));
        CHECK_SAME(detached, buffer);
        CHECK_INT(large_size, sizeof buffer);
        CASE("automatic buffer");
        CHECK_OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
        CHECK_OK(MPI_Bsend(&out, 1, MPI_INT, right, 10, comm));
        CHECK_OK(MPI_Recv(&in, 1, MPI_INT, left, 10, comm, MPI_STATUS_IGNORE));
        CHECK_OK(MPI_Comm_detach_buffer(comm, &detached, &size));
        CHECK_SAME(detached, MPI_BUFFER_AUTOMATIC);
    }
    CHECK_OK(MPI_Comm_free(&comm));
}

// All ways of sending through a communicator's buffer. All messages are sent before one is received.
static void ways_of_sending(MPI_Comm comm) {
    enum { large = 100000 };
    int *data = malloc(large * sizeof *data), *in = malloc(large * sizeof *in), wrong = 0, value = 7, got = -1;
    MPI_Request request = MPI_REQUEST_NULL, flush = MPI_REQUEST_NULL, persistent = MPI_REQUEST_NULL;
    MPI_Datatype every_second;
    MPI_Status status;
    for (int i = 0; i < large; i++)
        data[i] = 3 * i + check_rank;
    CHECK_OK(MPI_Type_vector(large / 2, 1, 2, MPI_INT, &every_second));
    CHECK_OK(MPI_Type_commit(&every_second));
    CASE("sends through the communicator's buffer");
    CHECK_OK(MPI_Bsend(data, large, MPI_INT, right, 1, comm));
    CHECK_OK(MPI_Ibsend(data, 1, every_second, right, 2, comm, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SAME(request, MPI_REQUEST_NULL);
    CHECK_OK(MPI_Bsend_init(&value, 1, MPI_INT, right, 3, comm, &persistent));
    for (int i = 0; i < 3; i++) {
        value = 70 + i;
        CHECK_OK(MPI_Start(&persistent));
        CHECK_OK(MPI_Wait(&persistent, MPI_STATUS_IGNORE));
    }
    CHECK_OK(MPI_Request_free(&persistent));
    CHECK_OK(MPI_Comm_iflush_buffer(comm, &flush));
    CHECK_OK(MPI_Test(&flush, &got, MPI_STATUS_IGNORE)); // does not wait for messages that are not received yet
    for (int i = 0; i < large; i++)
        data[i] = -1; // all data was copied
    value = -1;

    CASE("messages of the communicator's buffer");
    CHECK_OK(MPI_Recv(in, large, MPI_INT, left, 1, comm, &status));
    CHECK_STATUS(status, left, 1, MPI_INT, large);
    for (int i = 0; i < large; i++)
        wrong += in[i] != 3 * i + left;
    CHECK_INT(wrong, 0);
    CHECK_OK(MPI_Recv(in, large, MPI_INT, left, 2, comm, &status));
    CHECK_STATUS(status, left, 2, MPI_INT, large / 2);
    CHECK_INT(in[1], 6 + left);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(MPI_Recv(&got, 1, MPI_INT, left, 3, comm, MPI_STATUS_IGNORE));
        CHECK_INT(got, 70 + i);
    }
    CHECK_OK(MPI_Wait(&flush, MPI_STATUS_IGNORE));
    CHECK_SAME(flush, MPI_REQUEST_NULL);
    CHECK_OK(MPI_Type_free(&every_second));
    free(data);
    free(in);
}

static void of_a_communicator(void) {
    enum { large = 100000, size = 4 * large + 2 * large + 5 * MPI_BSEND_OVERHEAD + 100 };
    char *buffer = malloc(size), *more = calloc(1, size);
    void* detached = &buffer;
    int detached_size = -1, got = -1, out = 11;
    MPI_Comm comm;
    MPI_Request flush;
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CASE("no buffer of the communicator");
    if (OFFERED(MPI_Comm_flush_buffer, (comm))) {
        CHECK_OK(MPI_Comm_detach_buffer(comm, &detached, &detached_size));
        CHECK_SAME(detached, NULL);
        CHECK_INT(detached_size, 0);
        detached = &buffer;
        detached_size = -1;
        CHECK_OK(MPI_Buffer_detach(&detached, &detached_size)); // the process has no buffer either
        CHECK_SAME(detached, NULL);
        CHECK_INT(detached_size, 0);
        CHECK_OK(MPI_Comm_iflush_buffer(comm, &flush));
        CHECK_OK(MPI_Wait(&flush, MPI_STATUS_IGNORE));
        CHECK_CLASS(MPI_Comm_attach_buffer(comm, buffer, -1), MPI_ERR_ARG, MPI_ERR_BUFFER);

        CHECK_OK(MPI_Comm_attach_buffer(comm, buffer, size));
        CASE("second buffer of the communicator");
        CHECK_CLASS(MPI_Comm_attach_buffer(comm, more, size), MPI_ERR_BUFFER, MPI_ERR_OTHER);
        ways_of_sending(comm);
        CASE("message larger than the communicator's buffer");
        CHECK_CLASS(MPI_Bsend(more, size, MPI_BYTE, right, 4, comm), MPI_ERR_BUFFER);
        CASE("message to nobody, larger than the communicator's buffer");
        CHECK_OK(MPI_Bsend(more, size, MPI_BYTE, MPI_PROC_NULL, 4, comm));
        CASE("detach of the communicator's buffer");
        CHECK_OK(MPI_Bsend(&out, 1, MPI_INT, right, 5, comm));
        CHECK_OK(MPI_Recv(&got, 1, MPI_INT, left, 5, comm, MPI_STATUS_IGNORE));
        CHECK_INT(got, 11);
        CHECK_OK(MPI_Comm_detach_buffer(comm, &detached, &detached_size));
        CHECK_SAME(detached, buffer);
        CHECK_INT(detached_size, size);
        CASE("automatic buffer of the communicator");
        CHECK_OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
        ways_of_sending(comm);
        CASE("freed with its buffer");
    }
    CHECK_OK(MPI_Comm_free(&comm));
    free(buffer);
    free(more);
}

static void automatic_for_all(void) {
    enum { large = 100000 };
    static int data[large], in[large];
    void* detached = NULL;
    int size = -1;
    CASE("automatic buffer of the process");
    if (!OFFERED(MPI_Buffer_attach, (MPI_BUFFER_AUTOMATIC, 0)))
        return;
    for (int i = 0; i < large; i++)
        data[i] = i + check_rank;
    CHECK_CLASS(MPI_Buffer_attach(in, sizeof in), MPI_ERR_BUFFER, MPI_ERR_OTHER);
    CHECK_OK(MPI_Bsend(data, large, MPI_INT, right, 6, MPI_COMM_WORLD));
    CHECK_OK(MPI_Bsend(data, large, MPI_INT, right, 7, MPI_COMM_WORLD));
    CHECK_OK(MPI_Recv(in, large, MPI_INT, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_INT(in[large - 1], large - 1 + left);
    CHECK_OK(MPI_Recv(in, large, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Buffer_flush());
    CHECK_OK(MPI_Buffer_detach(&detached, &size));
    CHECK_SAME(detached, MPI_BUFFER_AUTOMATIC);
    CHECK_INT(size, 0);
    CHECK_OK(MPI_Buffer_attach(in, sizeof in)); // an ordinary buffer again
    CHECK_OK(MPI_Buffer_detach(&detached, &size));
    CHECK_SAME(detached, in);
    CHECK_INT(size, sizeof in);
}

// The communicator's buffer at the time of the send is used. This case comes first: no other buffer has been attached
// yet.
static void attached_after_init(void) {
    static char buffer[MPI_BSEND_OVERHEAD + 100];
    MPI_Request request, refused;
    MPI_Comm comm;
    int value = 17, got = -1, size = -1;
    void* detached = NULL;
    CASE("attached after Bsend_init");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_OK(MPI_Bsend_init(&value, 1, MPI_INT, right, 3, comm, &request));
    CHECK_CLASS(MPI_Bsend_init(&value, 1, MPI_INT, check_ranks, 3, comm, &refused), MPI_ERR_RANK);
    if (OFFERED(MPI_Comm_attach_buffer, (comm, buffer, sizeof buffer))) {
        for (int i = 0; i < 3; i++) {
            CHECK_OK(MPI_Start(&request));
            CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK_OK(MPI_Recv(&got, 1, MPI_INT, left, 3, comm, MPI_STATUS_IGNORE));
            CHECK_INT(got, 17);
            CHECK_OK(MPI_Comm_flush_buffer(comm));
        }
        CHECK_OK(MPI_Comm_detach_buffer(comm, &detached, &size));
        CHECK_SAME(detached, buffer);
    }
    CHECK_OK(MPI_Request_free(&request));
    CHECK_OK(MPI_Comm_free(&comm));
}

// A test of a flush request does not wait for the messages.
static void flushed_without_waiting(void) {
    enum { large = 40000 };
    static char buffer[large * sizeof(int) + MPI_BSEND_OVERHEAD];
    static int data[large], in[large];
    MPI_Request flush = MPI_REQUEST_NULL;
    void* detached = NULL;
    int flag = -1, size = -1;
    CASE("flush of the process's buffer does not wait in Test");
    CHECK_OK(MPI_Buffer_attach(buffer, sizeof buffer));
    if (OFFERED(MPI_Buffer_iflush, (&flush))) {
        CHECK_OK(MPI_Wait(&flush, MPI_STATUS_IGNORE));
        data[large - 1] = 5;
        CHECK_OK(MPI_Bsend(data, large, MPI_INT, right, 12, MPI_COMM_WORLD));
        CHECK_OK(MPI_Buffer_iflush(&flush));
        CHECK_OK(MPI_Test(&flush, &flag, MPI_STATUS_IGNORE)); // no message has been received yet
        CHECK_OK(MPI_Recv(in, large, MPI_INT, left, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_INT(in[large - 1], 5);
        CHECK_OK(MPI_Wait(&flush, MPI_STATUS_IGNORE));
    }
    CHECK_OK(MPI_Buffer_detach(&detached, &size));
    CHECK_SAME(detached, buffer);
}

// A session's buffer ends with the session.
static void of_an_ended_session(void) {
    static char buffer[MPI_BSEND_OVERHEAD + 100];
    MPI_Session session;
    int value = 1;
    CASE("buffer of a session that has ended");
    if (!OFFERED(MPI_Session_init, (MPI_INFO_NULL, MPI_ERRORS_RETURN, &session)))
        return;
    if (OFFERED(MPI_Session_attach_buffer, (session, buffer, sizeof buffer))) {
        CHECK_OK(MPI_Session_finalize(&session));
        CHECK_CLASS(MPI_Bsend(&value, 1, MPI_INT, right, 13, MPI_COMM_WORLD), MPI_ERR_BUFFER, MPI_ERR_OTHER,
                    MPI_ERR_NO_MEM, MPI_ERR_INTERN);
        CASE("buffer of no session");
        CHECK_CLASS(MPI_Session_attach_buffer(MPI_SESSION_NULL, buffer, sizeof buffer), MPI_ERR_SESSION, MPI_ERR_ARG);
        CHECK_CLASS(MPI_Session_flush_buffer(MPI_SESSION_NULL), MPI_ERR_SESSION, MPI_ERR_ARG);
    } else
        CHECK_OK(MPI_Session_finalize(&session));
}

static void of_a_session(void) {
    static char buffer[10000];
    MPI_Session session;
    MPI_Request flush = MPI_REQUEST_NULL;
    void* detached = NULL;
    int size = -1;
    MPI_Count large_size = -1;
    CASE("buffer of a session");
    if (!OFFERED(MPI_Session_init, (MPI_INFO_NULL, MPI_ERRORS_RETURN, &session)))
        return;
    // MPICH 4.0 forgets the error handler of MPI_Session_init
    CHECK_OK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
    if (OFFERED(MPI_Session_attach_buffer, (session, buffer, sizeof buffer))) {
        CHECK_OK(MPI_Session_flush_buffer(session));
        CHECK_OK(MPI_Session_iflush_buffer(session, &flush));
        CHECK_OK(MPI_Wait(&flush, MPI_STATUS_IGNORE));
        CHECK_OK(MPI_Session_detach_buffer(session, &detached, &size));
        CHECK_SAME(detached, buffer);
        CHECK_INT(size, sizeof buffer);
        CHECK_OK(MPI_Session_attach_buffer_c(session, buffer, sizeof buffer));
        CHECK_OK(MPI_Session_detach_buffer_c(session, &detached, &large_size));
        CHECK_SAME(detached, buffer);
        CHECK_INT(large_size, sizeof buffer);
    }
    CHECK_OK(MPI_Session_finalize(&session));
}

static void memory(void) {
    char* allocated = NULL;
    CASE("allocated memory");
    CHECK_OK(MPI_Alloc_mem(1000, MPI_INFO_NULL, &allocated));
    CHECK(allocated != NULL);
    memset(allocated, 1, 1000);
    CHECK_OK(MPI_Free_mem(allocated));
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    left = (check_rank + check_ranks - 1) % check_ranks;
    right = (check_rank + 1) % check_ranks;
    attached_after_init();
    attach_again();
    CASE("exactly filled with 1"), exactly_filled(1);
    CASE("exactly filled with 10"), exactly_filled(10);
    CASE("exactly filled with 1000"), exactly_filled(1000);
    detach_waits();
    too_small();
    newer_forms();
    of_a_communicator();
    automatic_for_all();
    of_a_session();
    of_an_ended_session();
    flushed_without_waiting();
    memory();
    return check_end();
}
