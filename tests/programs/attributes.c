// Cached attributes on communicators and datatypes: values, copy and delete callbacks and their results, predefined
// callbacks, and the numbers of keys. (win_attributes.c tests windows.)
// ranks: 1 2
#include "check.h"

enum { user_error = 77 }; // the callback's code comes back unchanged, whatever it may mean elsewhere

// The arguments that the callbacks got, and the results that they must return.
static struct {
    int copies, deletes, keyval, copy_result, delete_result, copy_flag;
    uintptr_t object;
    void *state, *value;
} seen;

static char state; // its address is the extra state

static int note_copy(uintptr_t object, int keyval, void* extra, void* value, void* out, int* flag) {
    seen.copies++;
    seen.keyval = keyval;
    seen.object = object;
    seen.state = extra;
    seen.value = value;
    *(void**)out = (char*)value + 1;
    *flag = seen.copy_flag;
    return seen.copy_result;
}

static int note_delete(uintptr_t object, int keyval, void* value, void* extra) {
    seen.deletes++;
    seen.keyval = keyval;
    seen.object = object;
    seen.state = extra;
    seen.value = value;
    return seen.delete_result;
}

static int comm_copy(MPI_Comm comm, int keyval, void* extra, void* value, void* out, int* flag) {
    return note_copy((uintptr_t)comm, keyval, extra, value, out, flag);
}
static int comm_delete(MPI_Comm comm, int keyval, void* value, void* extra) {
    return note_delete((uintptr_t)comm, keyval, value, extra);
}
static int type_copy(MPI_Datatype type, int keyval, void* extra, void* value, void* out, int* flag) {
    return note_copy((uintptr_t)type, keyval, extra, value, out, flag);
}
static int type_delete(MPI_Datatype type, int keyval, void* value, void* extra) {
    return note_delete((uintptr_t)type, keyval, value, extra);
}

static void forget(void) {
    memset(&seen, 0, sizeof seen);
    seen.copy_flag = 1;
}

// A key must differ from the predefined keys (501 to 605) and from the invalid one.
static void check_keyval(int keyval) {
    CHECK(keyval != MPI_KEYVAL_INVALID && (keyval < 501 || keyval > 605));
}

static void check_value(MPI_Comm comm, int keyval, void* expected) {
    void* value = &state;
    int flag = -1;
    CHECK_OK(MPI_Comm_get_attr(comm, keyval, &value, &flag));
    CHECK_INT(!!flag, expected != NULL);
    if (expected && flag)
        CHECK_SAME(value, expected);
}

static char cells[10]; // their addresses are the values

static void on_communicators(void) {
    MPI_Comm comm, copy;
    int keyval = MPI_KEYVAL_INVALID;
    CASE("communicator: set, get, replace");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_OK(MPI_Comm_create_keyval(comm_copy, comm_delete, &keyval, &state));
    check_keyval(keyval);
    forget();
    check_value(comm, keyval, NULL);
    CHECK_OK(MPI_Comm_set_attr(comm, keyval, &cells[0]));
    check_value(comm, keyval, &cells[0]);
    CHECK_INT(seen.deletes, 0);
    CHECK_OK(MPI_Comm_set_attr(comm, keyval, &cells[2])); // deletes the old value first
    CHECK_INT(seen.deletes, 1);
    CHECK_SAME(seen.value, &cells[0]);
    CHECK_SAME(seen.object, comm);
    CHECK_SAME(seen.state, &state);
    CHECK_INT(seen.keyval, keyval);

    CASE("communicator: copied by dup");
    forget();
    CHECK_OK(MPI_Comm_dup(comm, &copy));
    CHECK_INT(seen.copies, 1);
    CHECK_SAME(seen.object, comm);
    CHECK_SAME(seen.state, &state);
    CHECK_SAME(seen.value, &cells[2]);
    CHECK_INT(seen.keyval, keyval);
    check_value(copy, keyval, &cells[3]); // the callback added one
    check_value(comm, keyval, &cells[2]);
    forget();
    MPI_Comm before = copy;
    CHECK_OK(MPI_Comm_free(&copy));
    CHECK_INT(seen.deletes, 1);
    CHECK_SAME(seen.object, before);
    CHECK_SAME(seen.value, &cells[3]);

    CASE("communicator: not copied when the flag is 0");
    forget();
    seen.copy_flag = 0;
    CHECK_OK(MPI_Comm_dup(comm, &copy));
    CHECK_INT(seen.copies, 1);
    check_value(copy, keyval, NULL);
    CHECK_OK(MPI_Comm_free(&copy));
    CHECK_INT(seen.deletes, 0);

    CASE("communicator: key freed while attributes exist");
    int old = keyval;
    forget();
    CHECK_OK(MPI_Comm_free_keyval(&keyval));
    CHECK_INT(keyval, MPI_KEYVAL_INVALID);
    CHECK_INT(seen.deletes, 0);
    CHECK_OK(MPI_Comm_dup(comm, &copy)); // still copied
    CHECK_INT(seen.copies, 1);
    CHECK_INT(seen.keyval, old);
    CHECK_OK(MPI_Comm_free(&copy));
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK_INT(seen.deletes, 2);
}

static void errors(void) {
    MPI_Comm comm, copy = MPI_COMM_NULL;
    int keyval;
    CASE("errors of callbacks");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    CHECK_OK(MPI_Comm_create_keyval(comm_copy, comm_delete, &keyval, &state));
    CHECK_OK(MPI_Comm_set_attr(comm, keyval, &cells[1]));
    forget();
    seen.copy_result = user_error;
    CHECK_INT(MPI_Comm_dup(comm, &copy), user_error);
    forget();
    seen.delete_result = user_error;
    CHECK_INT(MPI_Comm_delete_attr(comm, keyval), user_error);
    check_value(comm, keyval, &cells[1]); // it was not deleted
    CHECK_INT(MPI_Comm_set_attr(comm, keyval, &cells[2]), user_error);

    // The standard's classes and classes that a program adds are also valid results of a callback.
    int added = 0;
    CHECK_OK(MPI_Add_error_class(&added));
    const int codes[4] = {MPI_ERR_REQUEST, MPI_ERR_RMA_SHARED, added, 1000000};
    for (int i = 0; i < 4; i++) {
        seen.copy_result = codes[i];
        CHECK_INT(MPI_Comm_dup(comm, &copy), codes[i]);
        seen.delete_result = codes[i];
        CHECK_INT(MPI_Comm_delete_attr(comm, keyval), codes[i]);
    }
    CASE("a later error is not confused with the error of a callback");
    CHECK_CLASS(MPI_Comm_delete_attr(comm, MPI_KEYVAL_INVALID), MPI_ERR_KEYVAL, MPI_ERR_ARG, MPI_ERR_OTHER);
    forget();
    CHECK_OK(MPI_Comm_delete_attr(comm, keyval));
    CHECK_INT(seen.deletes, 1);
    check_value(comm, keyval, NULL);
    CHECK_OK(MPI_Comm_free_keyval(&keyval));
    CHECK_OK(MPI_Comm_free(&comm));
}

static void predefined_callbacks(void) {
    MPI_Comm comm, copy;
    int kept, lost;
    CASE("predefined callbacks");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &kept, NULL));
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &lost, NULL));
    check_keyval(kept);
    check_keyval(lost);
    CHECK(kept != lost);
    CHECK_OK(MPI_Comm_set_attr(comm, kept, &cells[4]));
    CHECK_OK(MPI_Comm_set_attr(comm, lost, &cells[5]));
    CHECK_OK(MPI_Comm_dup(comm, &copy));
    check_value(copy, kept, &cells[4]);
    check_value(copy, lost, NULL);
    CHECK_OK(MPI_Comm_free(&copy));
    CHECK_OK(MPI_Comm_delete_attr(comm, kept));
    CHECK_OK(MPI_Comm_free_keyval(&kept));
    CHECK_OK(MPI_Comm_free_keyval(&lost));
    CHECK_OK(MPI_Comm_free(&comm));

    CASE("predefined callbacks beside the program's own");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, comm_delete, &kept, &state));
    CHECK_OK(MPI_Comm_create_keyval(comm_copy, MPI_COMM_NULL_DELETE_FN, &lost, &state));
    CHECK_OK(MPI_Comm_set_attr(comm, kept, &cells[6]));
    CHECK_OK(MPI_Comm_set_attr(comm, lost, &cells[7]));
    forget();
    CHECK_OK(MPI_Comm_dup(comm, &copy));
    CHECK_INT(seen.copies, 1);
    check_value(copy, kept, &cells[6]);
    check_value(copy, lost, &cells[8]);
    CHECK_OK(MPI_Comm_free(&copy));
    CHECK_INT(seen.deletes, 1);
    CHECK_SAME(seen.value, &cells[6]);
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK_OK(MPI_Comm_free_keyval(&kept));
    CHECK_OK(MPI_Comm_free_keyval(&lost));
}

static void on_datatypes(void) {
    MPI_Datatype type, copy;
    int keyval, kept, flag = -1;
    void* value = NULL;
    CASE("datatype");
    CHECK_OK(MPI_Type_create_keyval(type_copy, type_delete, &keyval, &state));
    CHECK_OK(MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &kept, NULL));
    check_keyval(keyval);
    CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &type));
    forget();
    CHECK_OK(MPI_Type_set_attr(type, keyval, &cells[0]));
    CHECK_OK(MPI_Type_set_attr(type, kept, &cells[9]));
    CHECK_OK(MPI_Type_dup(type, &copy));
    CHECK_INT(seen.copies, 1);
    CHECK_SAME(seen.object, type);
    CHECK_INT(seen.keyval, keyval);
    CHECK_OK(MPI_Type_get_attr(copy, keyval, &value, &flag));
    CHECK_INT(!!flag, 1);
    CHECK_SAME(value, &cells[1]);
    CHECK_OK(MPI_Type_get_attr(copy, kept, &value, &flag));
    CHECK_INT(!!flag, 1);
    CHECK_SAME(value, &cells[9]);
    CHECK_OK(MPI_Type_delete_attr(copy, keyval));
    CHECK_INT(seen.deletes, 1);
    CHECK_SAME(seen.object, copy);
    CHECK_OK(MPI_Type_free(&copy));
    seen.copy_result = user_error;
    CHECK_INT(MPI_Type_dup(type, &copy), user_error);
    forget();
    CHECK_OK(MPI_Type_free(&type));
    CHECK_INT(seen.deletes, 1);

    CASE("attribute on a predefined datatype");
    forget();
    CHECK_OK(MPI_Type_set_attr(MPI_DOUBLE, keyval, &cells[3]));
    CHECK_OK(MPI_Type_get_attr(MPI_DOUBLE, keyval, &value, &flag));
    CHECK_INT(!!flag, 1);
    CHECK_SAME(value, &cells[3]);
    CHECK_OK(MPI_Type_dup(MPI_DOUBLE, &copy));
    CHECK_SAME(seen.object, MPI_DOUBLE); // the callback gets the constant
    CHECK_OK(MPI_Type_delete_attr(MPI_DOUBLE, keyval));
    CHECK_SAME(seen.object, MPI_DOUBLE);
    CHECK_OK(MPI_Type_free(&copy));
    CHECK_OK(MPI_Type_free_keyval(&keyval));
    CHECK_INT(keyval, MPI_KEYVAL_INVALID);
    CHECK_OK(MPI_Type_free_keyval(&kept));
}

// The functions of MPI 1 share keys with the newer ones.
static void deprecated(void) {
    MPI_Comm comm, copy;
    int keyval, kept, flag = -1;
    void* value = NULL;
    CASE("names of MPI 1");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    CHECK_OK(MPI_Keyval_create(comm_copy, comm_delete, &keyval, &state));
    CHECK_OK(MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &kept, NULL));
    check_keyval(keyval);
    forget();
    CHECK_OK(MPI_Attr_put(comm, keyval, &cells[0]));
    CHECK_OK(MPI_Attr_put(comm, kept, &cells[5]));
    CHECK_OK(MPI_Comm_dup(comm, &copy));
    CHECK_OK(MPI_Attr_get(copy, keyval, &value, &flag));
    CHECK_INT(!!flag, 1);
    CHECK_SAME(value, &cells[1]);
    check_value(copy, kept, &cells[5]);
    CHECK_OK(MPI_Attr_delete(copy, keyval));
    CHECK_INT(seen.deletes, 1);
    CHECK_OK(MPI_Comm_free(&copy));
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK_INT(seen.deletes, 2);
    CHECK_OK(MPI_Keyval_free(&keyval));
    CHECK_INT(keyval, MPI_KEYVAL_INVALID);
    CHECK_OK(MPI_Keyval_free(&kept));
    CHECK_OK(MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag));
    CHECK(flag && *(int*)value >= 32767);
}

// More keys than there are numbers between the runtime's first key and anympi's predefined keys.
static void many_keys(void) {
    enum { many = 700 };
    static int keyvals[many];
    CASE("many keys");
    int clashes = 0, values = 0;
    for (int i = 0; i < many; i++) {
        if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyvals[i], NULL) != MPI_SUCCESS)
            clashes++;
        clashes += keyvals[i] == MPI_KEYVAL_INVALID || (keyvals[i] >= 501 && keyvals[i] <= 605);
        clashes += MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[i], &keyvals[i]) != MPI_SUCCESS;
    }
    CHECK_INT(clashes, 0);
    for (int i = 0; i < many; i++) {
        void* value = NULL;
        int flag = 0;
        MPI_Comm_get_attr(MPI_COMM_SELF, keyvals[i], &value, &flag);
        values += flag && value == &keyvals[i];
        MPI_Comm_delete_attr(MPI_COMM_SELF, keyvals[i]);
        MPI_Comm_free_keyval(&keyvals[i]);
    }
    CHECK_INT(values, many);
}

// MPI_Finalize first deletes the attributes of MPI_COMM_SELF, in the reverse order of setting, while MPI still works.
static int finalized, order[2], deleted;

static int at_finalize(MPI_Comm comm, int keyval, void* value, void* extra) {
    (void)keyval;
    (void)extra;
    CHECK_SAME(comm, MPI_COMM_SELF);
    CHECK_OK(MPI_Finalized(&finalized));
    CHECK_INT(finalized, 0);
    if (deleted < 2)
        order[deleted++] = (int)((char*)value - cells);
    return MPI_SUCCESS;
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    on_communicators();
    errors();
    predefined_callbacks();
    on_datatypes();
    deprecated();
    many_keys();

    CASE("deleted in finalize");
    int first, second;
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &first, NULL));
    CHECK_OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &second, NULL));
    CHECK_OK(MPI_Comm_set_attr(MPI_COMM_SELF, first, &cells[1]));
    CHECK_OK(MPI_Comm_set_attr(MPI_COMM_SELF, second, &cells[2]));
    check_merge();
    CASE("deleted in finalize");
    CHECK_INT(MPI_Finalize(), MPI_SUCCESS);
    CHECK_INT(deleted, 2);
    CHECK_INT(order[0], 2);
    CHECK_INT(order[1], 1);
    return check_report();
}
