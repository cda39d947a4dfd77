// Datatypes with gaps and changed bounds, and buffers that are compared completely: for boundary*_c.c.
#include "check.h"

enum { room = 2048, margin = 8, gap = -7 };
static const int lengths[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 20};
enum { length_count = sizeof lengths / sizeof *lengths };

typedef struct layout {
    MPI_Datatype type;
    int extent; // in ints
    int used;   // number of ints with data in an element
    int at[2];  // their places
} layout;
static layout layouts[3] = {
    {MPI_DATATYPE_NULL, 1, 1, {0}}, {MPI_DATATYPE_NULL, 4, 2, {0, 2}}, {MPI_DATATYPE_NULL, 3, 1, {0}}};

static void make_layouts(void) {
    MPI_Datatype two;
    layouts[0].type = MPI_INT;
    CHECK_OK(MPI_Type_vector(2, 1, 2, MPI_INT, &two));
    CHECK_OK(MPI_Type_create_resized(two, 0, 4 * sizeof(int), &layouts[1].type));
    CHECK_OK(MPI_Type_create_resized(MPI_INT, -(MPI_Aint)sizeof(int), 3 * sizeof(int), &layouts[2].type));
    CHECK_OK(MPI_Type_free(&two));
    for (int i = 1; i < 3; i++)
        CHECK_OK(MPI_Type_commit(&layouts[i].type));
}
static void free_layouts(void) {
    for (int i = 1; i < 3; i++)
        CHECK_OK(MPI_Type_free(&layouts[i].type));
}

// ---- buffers: the input of an operation, its output, the expected output ------------------------------------------

typedef struct buffer {
    int data[room];
} buffer;
static buffer given, result, expected;

static void* begin_of(buffer* b) {
    return b->data + margin;
}
static void clear(buffer* b) {
    for (int i = 0; i < room; i++)
        b->data[i] = gap;
}
/// Writes `length` elements, beginning with element `first`. Their values contain the sender and the receiver.
static void put(buffer* b, const layout* l, int first, int length, int from, int to) {
    for (int e = 0; e < length; e++)
        for (int k = 0; k < l->used; k++)
            b->data[margin + (first + e) * l->extent + l->at[k]] = 100000 * (from + 1) + 1000 * (to + 1) + 10 * e + k;
}
static void clear_all(void) {
    clear(&given);
    clear(&result);
    clear(&expected);
}
#define CHECK_RESULT(buffer) CHECK_BYTES((buffer).data, expected.data, sizeof expected.data)

static int anyone = -1; // `to` for elements that are the same for all receivers
