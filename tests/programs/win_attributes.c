// Windows as objects: predefined attributes of every flavor, keyvals with callbacks, names, groups, error handlers.
// ranks: 1 2
#include "rma.h"

static int cells[10];

static int int_attribute(MPI_Win window, int keyval) {
    int *value = NULL, flag = 0;
    CHECK_OK(MPI_Win_get_attr(window, keyval, &value, &flag));
    return CHECK_INT(flag, 1) && CHECK(value != NULL) ? *value : -999;
}

// Flavor, model and unit are returned as the address of an int, the size as the address of an MPI_Aint, the base as
// itself.
static void check_predefined(MPI_Win window, int flavour, const void* expected_base, MPI_Aint expected_size, int unit) {
    void* base = &base;
    MPI_Aint* size = NULL;
    int flag = 0, model;
    CHECK_INT(int_attribute(window, MPI_WIN_CREATE_FLAVOR), flavour);
    model = int_attribute(window, MPI_WIN_MODEL);
    CHECK(model == MPI_WIN_UNIFIED || model == MPI_WIN_SEPARATE);
    CHECK_OK(MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &flag));
    CHECK_INT(flag, 1);
    CHECK_SAME(base, expected_base);
    CHECK_OK(MPI_Win_get_attr(window, MPI_WIN_SIZE, &size, &flag));
    if (CHECK_INT(flag, 1))
        CHECK_INT(*size, expected_size);
    CHECK_INT(int_attribute(window, MPI_WIN_DISP_UNIT), unit);
}

static void predefined(void) {
    MPI_Win window, second;
    int* memory = NULL;
    CASE("attributes of a created window");
    if (window_made("MPI_Win_create", MPI_Win_create(cells, sizeof cells, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window))) {
        check_predefined(window, MPI_WIN_FLAVOR_CREATE, cells, sizeof cells, 4);
        CHECK_OK(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
        CHECK_CLASS(MPI_Win_set_attr(window, MPI_WIN_BASE, cells), MPI_ERR_KEYVAL, MPI_ERR_ARG, MPI_ERR_OTHER);
        CASE("two windows at a time"); // the first window's answer must not change when another window is queried
        if (window_made("MPI_Win_create", MPI_Win_create(cells, 8, 2, MPI_INFO_NULL, MPI_COMM_WORLD, &second))) {
            int *first_unit = NULL, flag;
            CHECK_OK(MPI_Win_get_attr(window, MPI_WIN_DISP_UNIT, &first_unit, &flag));
            check_predefined(second, MPI_WIN_FLAVOR_CREATE, cells, 8, 2);
            CHECK_INT(*first_unit, 4);
            CHECK_OK(MPI_Win_free(&second));
        }
        CHECK_OK(MPI_Win_free(&window));
    }
    CASE("attributes of an allocated window");
    if (window_made("MPI_Win_allocate", MPI_Win_allocate(64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window))) {
        check_predefined(window, MPI_WIN_FLAVOR_ALLOCATE, memory, 64, 8);
        CHECK_OK(MPI_Win_free(&window));
    }
    CASE("attributes of a shared window");
    if (window_made("MPI_Win_allocate_shared",
                    MPI_Win_allocate_shared(24, 2, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window))) {
        check_predefined(window, MPI_WIN_FLAVOR_SHARED, memory, 24, 2);
        CHECK_OK(MPI_Win_free(&window));
    }
    CASE("attributes of a dynamic window");
    if (window_made("MPI_Win_create_dynamic", MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window))) {
        check_predefined(window, MPI_WIN_FLAVOR_DYNAMIC, MPI_BOTTOM, 0, 1);
        CHECK_OK(MPI_Win_free(&window));
    }
}

static struct {
    MPI_Win window;
    int keyval, calls;
    void *value, *state;
} deleted;

static int on_delete(MPI_Win window, int keyval, void* value, void* state) {
    deleted.window = window;
    deleted.keyval = keyval;
    deleted.value = value;
    deleted.state = state;
    deleted.calls++;
    return MPI_SUCCESS;
}

// Fails as often as its state says.
static int on_refuse(MPI_Win window, int keyval, void* value, void* state) {
    int* refusals = state;
    (void)window;
    (void)keyval;
    (void)value;
    return (*refusals)-- > 0 ? 77 : MPI_SUCCESS;
}

static void check_deleted(MPI_Win window, int keyval, void* value, int calls) {
    CHECK_SAME(deleted.window, window);
    CHECK_INT(deleted.keyval, keyval);
    CHECK_SAME(deleted.value, value);
    CHECK_SAME(deleted.state, &deleted);
    CHECK_INT(deleted.calls, calls);
}

static void keyvals(MPI_Win* window) {
    int keyval = MPI_KEYVAL_INVALID, plain = MPI_KEYVAL_INVALID, number, flag = -1, a, b;
    int* value = NULL;
    MPI_Win handle = *window;
    CASE("keyvals");
    CHECK_OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, &keyval, &deleted));
    CHECK_OK(MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &plain, NULL));
    CHECK(keyval != MPI_KEYVAL_INVALID && plain != MPI_KEYVAL_INVALID && keyval != plain);
    CHECK_OK(MPI_Win_get_attr(*window, keyval, &value, &flag));
    CHECK_INT(flag, 0);
    CHECK_OK(MPI_Win_set_attr(*window, keyval, &a));
    CHECK_OK(MPI_Win_set_attr(*window, plain, &b));
    CHECK_OK(MPI_Win_get_attr(*window, keyval, &value, &flag));
    CHECK_INT(flag, 1);
    CHECK_SAME(value, &a);
    CHECK_INT(deleted.calls, 0);

    CASE("delete callbacks");
    CHECK_OK(MPI_Win_set_attr(*window, keyval, &b)); // replaces the value, so the old value is deleted
    check_deleted(handle, keyval, &a, 1);
    CHECK_OK(MPI_Win_delete_attr(*window, keyval));
    check_deleted(handle, keyval, &b, 2);
    CHECK_OK(MPI_Win_get_attr(*window, keyval, &value, &flag));
    CHECK_INT(flag, 0);

    CASE("deleted when the window is freed, after the keyval");
    CHECK_OK(MPI_Win_set_attr(*window, keyval, &b));
    deleted.calls = 0;
    number = keyval;
    CHECK_OK(MPI_Win_free_keyval(&keyval));
    CHECK_INT(keyval, MPI_KEYVAL_INVALID);
    CHECK_INT(deleted.calls, 0);
    CHECK_OK(MPI_Win_free(window));
    check_deleted(handle, number, &b, 1);
    CHECK_OK(MPI_Win_free_keyval(&plain));
    CHECK_CLASS(MPI_Win_free_keyval(&plain), MPI_ERR_KEYVAL, MPI_ERR_ARG, MPI_ERR_OTHER);
}

// The number belongs to the program and comes back unchanged. Without anympi, Open MPI returns MPI_ERR_OTHER instead.
static void refused_deletion(MPI_Win window) {
    int keyval, refusals = 1, code;
    CASE("a delete callback that refuses");
    CHECK_OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_refuse, &keyval, &refusals));
    CHECK_OK(MPI_Win_set_attr(window, keyval, NULL));
    code = MPI_Win_delete_attr(window, keyval);
    if (code != 77)
        CHECK_CLASS(code, MPI_ERR_OTHER);
    CHECK_INT(refusals, 0);
    MPI_Win_delete_attr(window, keyval); // MPICH has kept the attribute, Open MPI has deleted it
    CHECK_OK(MPI_Win_free_keyval(&keyval));
}

static void names_and_groups(MPI_Win window) {
    MPI_Group group, world;
    char name[MPI_MAX_OBJECT_NAME];
    int length = -1, same = -1;
    CASE("names and groups");
    memset(name, '?', sizeof name);
    CHECK_OK(MPI_Win_get_name(window, name, &length));
    CHECK_INT(strlen(name), length);
    CHECK_OK(MPI_Win_set_name(window, "the window's name"));
    CHECK_OK(MPI_Win_get_name(window, name, &length));
    CHECK_STRING(name, "the window's name");
    CHECK_INT(length, 17);
#ifdef MPI_ABI_VERSION
    CHECK_OK(MPI_Win_get_name(MPI_WIN_NULL, name, &length));
    CHECK_STRING(name, "MPI_WIN_NULL");
    CHECK_INT(length, 12);
#endif
    CHECK_OK(MPI_Win_get_group(window, &group));
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_OK(MPI_Group_compare(group, world, &same));
    CHECK_INT(same, MPI_IDENT);
    CHECK_OK(MPI_Group_free(&group));
    CHECK_OK(MPI_Group_free(&world));
}

static struct {
    MPI_Win window;
    int class, calls;
} reported;

static void on_error(MPI_Win* window, int* code, ...) {
    reported.window = *window;
    reported.class = check_class_of(*code);
    reported.calls++;
}

// MPICH 4.3 and newer return MPI_SUCCESS from a call whose error went to a user's handler.
static int handled_is_success(void) {
    return check_runtime_is("MPICH Version:      4.3") || check_runtime_is("MPICH Version:      5");
}

static void error_handlers(MPI_Win window) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL, found = MPI_ERRHANDLER_NULL;
    int value = 0, code;
    CASE("error handlers");
    CHECK_OK(MPI_Win_get_errhandler(window, &found));
    CHECK_SAME(found, MPI_ERRORS_ARE_FATAL);
    CHECK_OK(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Win_get_errhandler(window, &found));
    CHECK_SAME(found, MPI_ERRORS_RETURN);
    CHECK_OK(MPI_Win_create_errhandler(on_error, &handler));
    CHECK_OK(MPI_Win_set_errhandler(window, handler));
    CHECK_OK(MPI_Win_get_errhandler(window, &found));
    CHECK_SAME(found, handler);
    CHECK_OK(MPI_Errhandler_free(&found));
    CHECK_SAME(found, MPI_ERRHANDLER_NULL);

    CASE("an error handler of the program");
    CHECK_OK(MPI_Win_fence(0, window));
    code = MPI_Put(&value, 1, MPI_INT, check_ranks + 5, 0, 1, MPI_INT, window);
    if (handled_is_success())
        CHECK_CLASS(code, MPI_SUCCESS, MPI_ERR_RANK);
    else
        CHECK_CLASS(code, MPI_ERR_RANK);
    CHECK_INT(reported.calls, 1);
    CHECK_INT(reported.class, MPI_ERR_RANK);
    CHECK_SAME(reported.window, window);
    CHECK_OK(MPI_Errhandler_free(&handler)); // it is still set on the window
    CHECK_OK(MPI_Win_call_errhandler(window, MPI_ERR_RMA_SYNC));
    CHECK_INT(reported.calls, 2);
    CHECK_INT(reported.class, MPI_ERR_RMA_SYNC);
    CHECK_SAME(reported.window, window);
    CHECK_OK(MPI_Win_fence(0, window));
    CHECK_OK(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
    CHECK_CLASS(MPI_Win_set_errhandler(MPI_WIN_NULL, MPI_ERRORS_RETURN), MPI_ERR_WIN);
}

int main(int argc, char** argv) {
    MPI_Win window;
    check_begin(&argc, &argv);
    predefined();
    if (window_made("MPI_Win_create", MPI_Win_create(cells, sizeof cells, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window))) {
        names_and_groups(window);
        error_handlers(window);
        refused_deletion(window);
        keyvals(&window);
        CHECK_SAME(window, MPI_WIN_NULL);
    }
    return check_end();
}
