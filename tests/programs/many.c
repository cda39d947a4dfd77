// Many live objects of each kind: the cost of one object does not grow with their number.
// ranks: 1
// seconds: 300
#include "check.h"
#include <time.h>

// Libraries cannot handle more requests, and Open MPI itself searches linearly through keyvals. Communicators and
// objects that need one (windows, files, buffers, sessions) are too few and too expensive in the libraries to reveal a
// linear search in anympi: unit tests count the steps in their tables.
enum { many = 100000, many_requests = 10000, many_keyvals = 1000 };
enum { growth = 100 };

// A search through all objects would cost 100 times as much, and at least half a nanosecond for each object. Memory
// outside of the caches, and libraries themselves, cost several times as much. Memory that is new to the process costs
// up to two microseconds a page, which is large compared with the smallest costs.
static const double most_growth = growth / 4;
static const double least_step = 0.25;

typedef union {
    MPI_Info info;
    MPI_Datatype type;
    MPI_Group group;
    MPI_Op op;
    MPI_Errhandler handler;
    MPI_Request request;
    int number;
} object;

static object* objects;
static MPI_Group world;
static int type_key;
static int data[2];

typedef struct {
    const char* name;
    int (*make)(int i);
    int (*end)(int i);
    int many;
} kind;

static int no_function(void* state) {
    (void)state;
    return MPI_SUCCESS;
}
static int query(void* state, MPI_Status* status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}
static int cancel(void* state, int complete) {
    (void)state, (void)complete;
    return MPI_SUCCESS;
}
static void sum(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)in, (void)inout, (void)length, (void)type;
}
static void ignore(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
}
static int copy(MPI_Comm comm, int key, void* state, void* in, void* out, int* flag) {
    (void)comm, (void)key, (void)state, (void)in, (void)out;
    *flag = 0;
    return MPI_SUCCESS;
}
static int delete_value(MPI_Comm comm, int key, void* value, void* state) {
    (void)comm, (void)key, (void)value, (void)state;
    return MPI_SUCCESS;
}

static int make_info(int i) {
    return MPI_Info_create(&objects[i].info);
}
static int end_info(int i) {
    return MPI_Info_free(&objects[i].info);
}
// Longer than Open MPI, and MPICH before 5.0, allow: anympi keeps it beside their infos.
static int make_long_info(int i) {
    if (make_info(i) != MPI_SUCCESS)
        return 1;
    char key[50];
    memset(key, 'k', sizeof key);
    key[sizeof key - 1] = '\0';
    return MPI_Info_set(objects[i].info, key, "value");
}

static int make_type(int i) {
    return MPI_Type_contiguous(i % 100, MPI_INT, &objects[i].type);
}
static int end_type(int i) {
    return MPI_Type_free(&objects[i].type);
}
static int make_numbered_type(int i) {
    if (make_type(i) != MPI_SUCCESS)
        return 1;
    return MPI_Type_f2c(MPI_Type_c2f(objects[i].type)) != objects[i].type;
}
static int make_large_type(int i) {
    return MPI_Type_contiguous_c((MPI_Count)INT_MAX + 1 + i % 100, MPI_BYTE, &objects[i].type);
}

static int delete_from_type(MPI_Datatype type, int key, void* value, void* state) {
    (void)type, (void)key, (void)value, (void)state;
    return MPI_SUCCESS;
}
static int make_attribute(int i) {
    const int code = make_type(i);
    return code != MPI_SUCCESS ? code : MPI_Type_set_attr(objects[i].type, type_key, data);
}

static int make_group(int i) {
    const int self = 0;
    return MPI_Group_incl(world, 1, &self, &objects[i].group);
}
static int end_group(int i) {
    return MPI_Group_free(&objects[i].group);
}

static int make_op(int i) {
    return MPI_Op_create(sum, 1, &objects[i].op);
}
static int end_op(int i) {
    return MPI_Op_free(&objects[i].op);
}

static int make_handler(int i) {
    return MPI_Comm_create_errhandler(ignore, &objects[i].handler);
}
static int end_handler(int i) {
    return MPI_Errhandler_free(&objects[i].handler);
}

static int make_keyval(int i) {
    return MPI_Comm_create_keyval(copy, delete_value, &objects[i].number, NULL);
}
static int end_keyval(int i) {
    return MPI_Comm_free_keyval(&objects[i].number);
}

// Persistent requests keep the datatype, which may be freed earlier.
static int make_persistent(int i) {
    return MPI_Recv_init(data, 1, MPI_INT, 0, i % 100, MPI_COMM_SELF, &objects[i].request);
}
static int end_request(int i) {
    return MPI_Request_free(&objects[i].request);
}
static int make_partitioned(int i) {
    return MPI_Precv_init(data, 1, 1, MPI_INT, 0, i % 2000, MPI_COMM_SELF, MPI_INFO_NULL, &objects[i].request);
}

static int make_generalized(int i) {
    int code = MPI_Grequest_start(query, no_function, cancel, NULL, &objects[i].request);
    return code != MPI_SUCCESS ? code : MPI_Grequest_complete(objects[i].request);
}
static int wait_for_request(int i) {
    return MPI_Wait(&objects[i].request, MPI_STATUS_IGNORE);
}

static int make_plain(int i) {
    (void)i;
    return MPI_Irecv(data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &objects[i].request);
}
// A request that most libraries lack.
static int make_emulated(int i) {
    return MPI_Isendrecv(data, 1, MPI_INT, MPI_PROC_NULL, 0, data + 1, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF,
                         &objects[i].request);
}
// A request that is freed while it waits for its message.
static int make_freed(int i) {
    (void)i;
    MPI_Request request;
    int code = MPI_Isendrecv(data, 0, MPI_INT, MPI_PROC_NULL, 0, data + 1, 0, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    return code != MPI_SUCCESS ? code : MPI_Request_free(&request);
}
static int end_freed(int i) {
    (void)i;
    return MPI_Send(data, 0, MPI_INT, 0, 7, MPI_COMM_SELF);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Returns the time for one object; objects are freed in the same or in reverse order. Negative if an object could not
// be created.
static double cost(const kind* of, int count, int in_reverse) {
    const double begin = now();
    for (int i = 0; i < count; i++)
        if (of->make(i) != MPI_SUCCESS)
            return -1;
    for (int i = 0; i < count; i++)
        if (of->end(in_reverse ? count - 1 - i : i) != MPI_SUCCESS)
            return -1;
    return (now() - begin) / count;
}

// Returns the smallest of several costs, because other load on the machine only makes a cost larger.
static double least_cost(const kind* of, int count, int in_reverse, int tries) {
    double least = cost(of, count, in_reverse);
    for (int i = 1; i < tries && least >= 0; i++) {
        const double again = cost(of, count, in_reverse);
        least = again < least ? again : least;
    }
    return least;
}

static int is_without_search(const kind* of, double one_of_few, double one_of_many) {
    return one_of_many <= most_growth * one_of_few || one_of_many <= least_step * of->many;
}

static void check_kind(const kind* of) {
    CASE(of->name);
    for (int in_reverse = 0; in_reverse < 2; in_reverse++) {
        const int few = of->many / growth;
        const double one_of_few = least_cost(of, few, in_reverse, 5);
        double one_of_many = least_cost(of, of->many, in_reverse, 1);
        if (!is_without_search(of, one_of_few, one_of_many))
            one_of_many = least_cost(of, of->many, in_reverse, 1);
        CHECK(one_of_few >= 0 && one_of_many >= 0);
        if (!CHECK(is_without_search(of, one_of_few, one_of_many)) || getenv("MANY_COSTS"))
            check_say("%s: %.0f ns for one of %d, %.0f ns for one of %d", of->name, one_of_few, few, one_of_many,
                      of->many);
    }
}

int main(int argc, char** argv) {
    static const kind kinds[] = {
        {"info", make_info, end_info, many},
        {"info with a long key", make_long_info, end_info, many},
        {"datatype", make_type, end_type, many},
        {"datatype with a number", make_numbered_type, end_type, many},
        {"datatype with a large count", make_large_type, end_type, many},
        {"datatype with an attribute", make_attribute, end_type, many},
        {"group", make_group, end_group, many},
        {"operation", make_op, end_op, many},
        {"error handler", make_handler, end_handler, many},
        {"keyval", make_keyval, end_keyval, many_keyvals},
        {"persistent request", make_persistent, end_request, many_requests},
        {"partitioned request", make_partitioned, end_request, many_requests},
        {"generalized request", make_generalized, wait_for_request, many_requests},
        {"request", make_plain, wait_for_request, many_requests},
        {"emulated request", make_emulated, wait_for_request, many_requests},
        {"freed request", make_freed, end_freed, many_requests},
    };
    check_begin(&argc, &argv);
    objects = malloc(many * sizeof *objects);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    CHECK_OK(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, delete_from_type, &type_key, NULL));
    const size_t count = sizeof kinds / sizeof *kinds;
    const int can_free = !check_runtime_is("Open MPI v5");
    if (!can_free)
        check_skip("freed request", "Open MPI 5 cannot free a request of MPI_Isendrecv");
    for (size_t i = 0; i < (can_free ? count : count - 1); i++)
        if (argc < 2 || strcmp(argv[1], kinds[i].name) == 0)
            check_kind(&kinds[i]);
    CHECK_OK(MPI_Type_free_keyval(&type_key));
    CHECK_OK(MPI_Group_free(&world));
    free(objects);
    return check_end();
}
