// MPI_THREAD_MULTIPLE: several threads of every rank send, probe, receive, reduce and run callbacks at the same time.
// ranks: 1 2
// flags: -pthread
// seconds: 300
#include "in_threads.h"

enum { messages = 150, longest = 40, rounds = 60, window = 4 };

static MPI_Comm shared;       // one communicator for all threads
static MPI_Comm own[threads]; // one for each thread

// ---- arrays of requests ---------------------------------------------------------------------------------------------

static void check_round(int thread, int round, const MPI_Status* statuses, int in[window][2]) {
    for (int i = 0; i < window; i++) {
        CHECK_INT(statuses[i].MPI_SOURCE, left);
        CHECK_INT(statuses[i].MPI_TAG, thread * window + i);
        CHECK_INT(in[i][0], round);
        CHECK_INT(in[i][1], 1000 * left + thread * window + i);
    }
}

// Completes the receives one by one, in any order; `place` of each is set to its status.
static void wait_in_any_order(MPI_Request* requests, MPI_Status* statuses) {
    for (int n = 0; n < window; n++) {
        MPI_Status status;
        int index = -1;
        CHECK_OK(MPI_Waitany(window, requests, &index, &status));
        if (!CHECK(index >= 0 && index < window))
            return;
        CHECK_SAME(requests[index], MPI_REQUEST_NULL);
        statuses[index] = status;
    }
}

static void* request_arrays(void* argument) {
    int thread = *(int*)argument, in[window][2], out[window][2];
    for (int round = 0; round < rounds; round++) {
        MPI_Request requests[2 * window];
        MPI_Status statuses[2 * window];
        for (int i = 0; i < window; i++)
            CHECK_OK(MPI_Irecv(in[i], 2, MPI_INT, left, thread * window + i, shared, &requests[i]));
        for (int i = 0; i < window; i++) {
            out[i][0] = round;
            out[i][1] = 1000 * check_rank + thread * window + i;
            CHECK_OK(MPI_Isend(out[i], 2, MPI_INT, right, thread * window + i, shared, &requests[window + i]));
        }
        if (round % 2) {
            CHECK_OK(MPI_Waitall(2 * window, requests, statuses));
        } else {
            wait_in_any_order(requests, statuses);
            CHECK_OK(MPI_Waitall(window, requests + window, MPI_STATUSES_IGNORE));
        }
        check_round(thread, round, statuses, in);
    }
    return NULL;
}

// ---- matched probes -------------------------------------------------------------------------------------------------

static int length_of(int tag) {
    return 3 + tag % (longest - 3);
}

static void fill_message(int* message, int tag) {
    message[0] = check_rank;
    message[1] = tag;
    for (int i = 2; i < length_of(tag); i++)
        message[i] = 7 * tag + i;
}

// The data must belong to the status that came with it: another thread's message is a failure.
static void check_message(const MPI_Status* status, const int* message) {
    int count = -1, tag = status->MPI_TAG;
    CHECK_INT(status->MPI_SOURCE, left);
    CHECK_OK(MPI_Get_count(status, MPI_INT, &count));
    CHECK_INT(count, length_of(tag));
    CHECK_INT(message[0], left);
    CHECK_INT(message[1], tag);
    for (int i = 2; i < length_of(tag); i++)
        if (!CHECK_INT(message[i], 7 * tag + i))
            return;
}

static void probe_and_receive(void) {
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status probed, received;
    int message[longest], count = -1;
    CHECK_OK(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, shared, &handle, &probed));
    CHECK(handle != MPI_MESSAGE_NULL);
    CHECK_OK(MPI_Get_count(&probed, MPI_INT, &count));
    CHECK_OK(MPI_Mrecv(message, count, MPI_INT, &handle, &received));
    CHECK_SAME(handle, MPI_MESSAGE_NULL);
    CHECK_INT(received.MPI_TAG, probed.MPI_TAG);
    check_message(&received, message);
}

static void poll_and_receive(void) {
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status probed, received;
    int message[longest], count = -1, flag = 0;
    while (!flag)
        if (MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, shared, &flag, &handle, &probed) != MPI_SUCCESS)
            break;
    CHECK(flag && handle != MPI_MESSAGE_NULL);
    CHECK_OK(MPI_Get_count(&probed, MPI_INT, &count));
    CHECK_OK(MPI_Imrecv(message, count, MPI_INT, &handle, &request));
    CHECK_OK(MPI_Wait(&request, &received));
    CHECK_INT(received.MPI_TAG, probed.MPI_TAG);
    check_message(&received, message);
}

static void* matched_probes(void* argument) {
    static int out[threads][messages][longest];
    static MPI_Request requests[threads][messages];
    int thread = *(int*)argument;
    for (int i = 0; i < messages; i++) {
        int tag = i * threads + thread;
        fill_message(out[thread][i], tag);
        CHECK_OK(MPI_Isend(out[thread][i], length_of(tag), MPI_INT, right, tag, shared, &requests[thread][i]));
        if ((i + thread) % 2)
            probe_and_receive();
        else
            poll_and_receive();
    }
    CHECK_OK(MPI_Waitall(messages, requests[thread], MPI_STATUSES_IGNORE));
    return NULL;
}

// ---- operations of the program --------------------------------------------------------------------------------------

// Another thread of the program, which makes progress, may compute a pending reduction. ThreadSanitizer does not see
// how MPI passes the result on, so these numbers are read and written atomically.
static void put(int* place, int value) {
    __atomic_store_n(place, value, __ATOMIC_RELEASE);
}
static int take(const int* place) {
    return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

// Every thread has its own function, which puts its number into the result.
#define OPERATION(number)                                                                                              \
    static void operation_##number(void* in, void* inout, int* count, MPI_Datatype* type) {                            \
        CHECK_SAME(*type, MPI_INT);                                                                                    \
        for (int i = 0; i < *count; i++)                                                                               \
            put((int*)inout + i, take((int*)inout + i) + take((int*)in + i) + 1000 * (number + 1));                    \
    }
OPERATION(0)
OPERATION(1)
OPERATION(2)
OPERATION(3)
static MPI_User_function* const operation_of[threads] = {operation_0, operation_1, operation_2, operation_3};

static void* user_operations(void* argument) {
    int thread = *(int*)argument,
        expected = check_ranks * (check_ranks + 1) / 2 + (check_ranks - 1) * 1000 * (thread + 1);
    for (int round = 0; round < rounds; round++) {
        int mine[3], result[3], local[3];
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Op op = MPI_OP_NULL;
        for (int i = 0; i < 3; i++) {
            put(&mine[i], check_rank + 1);
            put(&result[i], 0);
            put(&local[i], 5);
        }
        CHECK_OK(MPI_Op_create(operation_of[thread], 1, &op));
        CHECK_OK(MPI_Reduce_local(mine, local, 3, MPI_INT, op));
        CHECK_INT(take(&local[2]), check_rank + 6 + 1000 * (thread + 1));
        CHECK_OK(MPI_Allreduce(mine, result, 3, MPI_INT, op, own[thread]));
        CHECK_INT(take(&result[1]), expected);
        put(&result[1], 0);
        CHECK_OK(MPI_Iallreduce(mine, result, 3, MPI_INT, op, own[thread], &request));
        CHECK_OK(MPI_Op_free(&op)); // frees it while the reduction is pending
        CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_INT(take(&result[1]), expected);
    }
    return NULL;
}

// ---- attributes and error handlers ----------------------------------------------------------------------------------

struct seen {
    int copies, deletes, errors;
    MPI_Comm comm;
};
static struct seen seen[threads];

static int on_copy(MPI_Comm comm, int keyval, void* state, void* value, void* result, int* flag) {
    struct seen* mine = state;
    (void)keyval;
    CHECK_SAME(comm, mine->comm);
    mine->copies++;
    *(void**)result = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int keyval, void* value, void* state) {
    (void)comm;
    (void)keyval;
    CHECK_SAME(value, state);
    ((struct seen*)state)->deletes++;
    return MPI_SUCCESS;
}

// The handler has no state; the communicator identifies the thread.
static void on_error(MPI_Comm* comm, int* code, ...) {
    CHECK_INT(check_class_of(*code), MPI_ERR_RANK);
    for (int thread = 0; thread < threads; thread++)
        if (own[thread] == *comm)
            seen[thread].errors++;
}

static void* callbacks(void* argument) {
    int thread = *(int*)argument;
    struct seen* mine = &seen[thread];
    MPI_Errhandler handler;
    mine->comm = own[thread];
    CHECK_OK(MPI_Comm_create_errhandler(on_error, &handler));
    CHECK_OK(MPI_Comm_set_errhandler(own[thread], handler));
    for (int round = 0; round < rounds; round++) {
        int keyval = MPI_KEYVAL_INVALID;
        MPI_Comm copy;
        CHECK_OK(MPI_Comm_create_keyval(on_copy, on_delete, &keyval, mine));
        CHECK_OK(MPI_Comm_set_attr(own[thread], keyval, mine));
        CHECK_OK(MPI_Comm_dup(own[thread], &copy));
        CHECK_OK(MPI_Comm_free(&copy));
        CHECK_OK(MPI_Comm_delete_attr(own[thread], keyval));
        CHECK_OK(MPI_Comm_free_keyval(&keyval));
        MPI_Send(NULL, 0, MPI_INT, check_ranks + 3, 0, own[thread]);
    }
    CHECK_INT(mine->copies, rounds);
    CHECK_INT(mine->deletes, 2 * rounds);
    CHECK_INT(mine->errors, rounds);
    CHECK_OK(MPI_Comm_set_errhandler(own[thread], MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Errhandler_free(&handler));
    return NULL;
}

// ---- objects of one thread ------------------------------------------------------------------------------------------

static void* objects(void* argument) {
    int thread = *(int*)argument;
    for (int round = 0; round < 5 * rounds; round++) {
        MPI_Datatype type, parts[2];
        MPI_Group group;
        MPI_Info info;
        MPI_Aint places[2] = {0, 8};
        int counts[2] = {1, thread + 1}, size = -1, integers, addresses, types, combiner;
        CHECK_OK(MPI_Type_create_struct(2, counts, places, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &type));
        CHECK_OK(MPI_Type_commit(&type));
        CHECK_OK(MPI_Type_size(type, &size));
        CHECK_INT(size, 4 + 8 * (thread + 1));
        CHECK_OK(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
        CHECK_INT(combiner, MPI_COMBINER_STRUCT);
        CHECK_OK(MPI_Type_get_contents(type, integers, addresses, types, (int[3]){0}, places, parts));
        CHECK_SAME(parts[0], MPI_INT);
        CHECK_SAME(parts[1], MPI_DOUBLE);
        CHECK_OK(MPI_Type_free(&type));
        CHECK_OK(MPI_Comm_group(own[thread], &group));
        CHECK_OK(MPI_Group_free(&group));
        CHECK_OK(MPI_Info_create(&info));
        CHECK_OK(MPI_Info_set(info, "key", "value"));
        CHECK_OK(MPI_Info_free(&info));
    }
    return NULL;
}

// ---- buffered sends -------------------------------------------------------------------------------------------------

// The buffer has room for one message of each thread, and no thread sends its next message before the last one was
// received. A flush must not detach the buffer from other threads.
enum { bytes = 100000 };

static void* buffered_sends(void* argument) {
    int thread = *(int*)argument, wrong = 0;
    char *out = malloc(bytes), *in = malloc(bytes);
    for (int round = 0; round < rounds / 2; round++) {
        memset(out, round + thread, bytes);
        CHECK_OK(MPI_Bsend(out, bytes, MPI_CHAR, right, 3, own[thread]));
        CHECK_OK(MPI_Recv(in, bytes, MPI_CHAR, left, 3, own[thread], MPI_STATUS_IGNORE));
        wrong += in[0] != (char)(round + thread) || in[bytes - 1] != (char)(round + thread);
        CHECK_OK(MPI_Barrier(own[thread]));
        // Only one thread of one rank at a time: a flush waits for the messages of all threads, which two flushing
        // threads would not receive. MPICH 5.0 lets no other thread of the rank into MPI meanwhile.
        if (thread == 0 && round % check_ranks == check_rank)
            check_offered(__FILE__, __LINE__, "MPI_Buffer_flush", MPI_Buffer_flush());
    }
    CHECK_INT(wrong, 0);
    free(out);
    free(in);
    return NULL;
}

static void buffered(void) {
    const int size = threads * (bytes + MPI_BSEND_OVERHEAD);
    char* buffer = malloc((size_t)size);
    void* detached = NULL;
    int detached_size = -1;
    CASE("buffered sends");
    CHECK_OK(MPI_Buffer_attach(buffer, size));
    run_in_threads(buffered_sends, NULL);
    CHECK_OK(MPI_Buffer_detach(&detached, &detached_size));
    CHECK_SAME(detached, buffer);
    CHECK_INT(detached_size, size);
    free(buffer);
}

// ---- main -----------------------------------------------------------------------------------------------------------

static void run_all(void) {
    CASE("arrays of requests");
    run_in_threads(request_arrays, NULL);
    CASE("matched probes");
    run_in_threads(matched_probes, NULL);
    CASE("operations of the program");
    run_in_threads(user_operations, NULL);
    CASE("attributes and error handlers");
    run_in_threads(callbacks, NULL);
    CASE("datatypes, groups, infos");
    run_in_threads(objects, NULL);
    buffered();
}

// A reduction may query the datatype of its elements: the library calls the operation while it holds a lock that some
// functions would take again.
static void ask_for_sizes(void* in, void* inout, MPI_Count* count, MPI_Datatype* type) {
    MPI_Count size = -1, lower = -1, extent = -1, true_lower = -1, true_extent = -1;
    CHECK_OK(MPI_Type_size_c(*type, &size));
    CHECK_OK(MPI_Type_get_extent_c(*type, &lower, &extent));
    CHECK_OK(MPI_Type_get_true_extent_c(*type, &true_lower, &true_extent));
    CHECK(size == sizeof(int) && lower == 0 && extent == size && true_lower == 0 && true_extent == size);
    for (MPI_Count i = 0; i < *count; i++)
        ((int*)inout)[i] += ((int*)in)[i];
}

static void reduction_that_asks(void) {
    MPI_Op op;
    int in = 3, inout = 4;
    CASE("a reduction asks for sizes");
    CHECK_OK(MPI_Op_create_c(ask_for_sizes, 1, &op));
    CHECK_OK(MPI_Reduce_local(&in, &inout, 1, MPI_INT, op));
    CHECK_INT(inout, 7);
    CHECK_OK(MPI_Op_free(&op));
}

int main(int argc, char** argv) {
    const int are_given = begin_for_threads(&argc, &argv);
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &shared));
    for (int thread = 0; thread < threads; thread++)
        CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &own[thread]));
    if (are_given)
        run_all(), reduction_that_asks();
    for (int thread = 0; thread < threads; thread++)
        CHECK_OK(MPI_Comm_free(&own[thread]));
    CHECK_OK(MPI_Comm_free(&shared));
    return check_end();
}
