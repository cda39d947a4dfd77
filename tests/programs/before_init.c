// Functions that a program may call before MPI_Init and after MPI_Finalize: version, state, infos and errors.
// ranks: 1 2
#include "check.h"

#ifndef MPI_ABI_VERSION // the header of a vendor, which has another ABI
#define MPI_ABI_VERSION (-1)
#define MPI_ABI_SUBVERSION (-1)
#endif

static int version, subversion;

// MPICH 3 forgets that it was initialised.
static void check_state_after(void) {
    int initialised = -1;
    CHECK_INT(MPI_Initialized(&initialised), MPI_SUCCESS);
    check_state(check_runtime_is("MPICH Version:\t3") ? initialised : 1, 1);
}

static void check_version(void) {
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = -1;
    CHECK_INT(MPI_Get_version(&version, &subversion), MPI_SUCCESS);
    CHECK(version >= 3 && version <= 5 && subversion >= 0 && subversion <= 1);
    memset(text, '?', sizeof text);
    CHECK_INT(MPI_Get_library_version(text, &length), MPI_SUCCESS);
    CHECK(length > 0 && length < MPI_MAX_LIBRARY_VERSION_STRING);
    CHECK(strlen(text) == (size_t)length || strlen(text) == (size_t)length - 1); // Open MPI counts the final zero
}

// MPI 4 allows infos and errors at any time. On older libraries anympi emulates them.
static int are_infos_emulated(void) {
    return check_runtime_is("Open MPI v4") || check_runtime_is("MPICH Version:\t3");
}

static void check_info(void) {
    MPI_Info info = MPI_INFO_NULL, copy = MPI_INFO_NULL;
    char value[16] = "";
    int flag = 0, keys = -1;
    CHECK_INT(MPI_Info_create(&info), MPI_SUCCESS);
    CHECK(info != MPI_INFO_NULL);
    CHECK_INT(MPI_Info_set(info, "key", "value"), MPI_SUCCESS);
    CHECK_INT(MPI_Info_dup(info, &copy), MPI_SUCCESS);
    CHECK_INT(MPI_Info_get_nkeys(copy, &keys), MPI_SUCCESS);
    CHECK_INT(keys, 1);
    CHECK_INT(MPI_Info_get(copy, "key", 15, value, &flag), MPI_SUCCESS);
    CHECK_INT(flag, 1);
    CHECK_STRING(value, "value");
    CHECK_INT(MPI_Info_free(&copy), MPI_SUCCESS);
    CHECK_INT(MPI_Info_free(&info), MPI_SUCCESS);
    CHECK_SAME(info, MPI_INFO_NULL);
}

static void check_errors(void) {
    char text[MPI_MAX_ERROR_STRING];
    int length = -1, class = -1;
    memset(text, '?', sizeof text);
    CHECK_INT(MPI_Error_string(MPI_ERR_TRUNCATE, text, &length), MPI_SUCCESS);
    CHECK(length > 0 && length < MPI_MAX_ERROR_STRING);
    CHECK_INT(strlen(text), length);
    CHECK_INT(MPI_Error_class(MPI_ERR_NO_SUCH_FILE, &class), MPI_SUCCESS);
    CHECK_INT(class, MPI_ERR_NO_SUCH_FILE);
}

// An info that was created before MPI_Init is the same object afterwards.
static void carry_over(int* argc, char*** argv) {
    MPI_Info info = MPI_INFO_NULL;
    char value[16] = "";
    int flag = 0;
    CASE("an info from before MPI_Init");
    CHECK_INT(MPI_Info_create(&info), MPI_SUCCESS);
    CHECK_INT(MPI_Info_set(info, "made", "early"), MPI_SUCCESS);
    MPI_Init(argc, argv);
    check_join();
    CHECK_OK(MPI_Info_get(info, "made", 15, value, &flag));
    CHECK_STRING(value, "early");
    CHECK_OK(MPI_Info_free(&info));
}

// ---- after MPI_Finalize ---------------------------------------------------------------------------------------------

static MPI_Info kept, of_world;
static char text_between[MPI_MAX_ERROR_STRING];
static int added_class, added_code;

// Creates the objects that must exist after MPI_Finalize.
static void prepare(void) {
    int length = -1;
    CASE("left for later");
    CHECK_OK(MPI_Info_create(&kept));
    CHECK_OK(MPI_Info_set(kept, "made", "earlier"));
    CHECK_OK(MPI_Info_set(kept, "second", "2"));
    CHECK_OK(MPI_Comm_get_info(MPI_COMM_WORLD, &of_world));
    CHECK_OK(MPI_Error_string(MPI_ERR_TRUNCATE, text_between, &length));
    CHECK_OK(MPI_Add_error_class(&added_class));
    CHECK_OK(MPI_Add_error_code(added_class, &added_code));
    CHECK_OK(MPI_Add_error_string(added_code, "of the program"));
}

static void check_value(MPI_Info info, const char* key, const char* expected) {
    char value[64] = "";
    int flag = -1;
    CHECK_INT(MPI_Info_get(info, key, sizeof value - 1, value, &flag), MPI_SUCCESS);
    CHECK_INT(flag, expected != NULL);
    if (expected)
        CHECK_STRING(value, expected);
}

static void check_kept_info(void) {
    MPI_Info copy = MPI_INFO_NULL;
    char key[MPI_MAX_INFO_KEY] = "";
    int keys = -1;
    CASE("an info from before MPI_Finalize");
    check_value(kept, "made", "earlier");
    CHECK_INT(MPI_Info_set(kept, "made", "once more"), MPI_SUCCESS);
    CHECK_INT(MPI_Info_set(kept, "third", "3"), MPI_SUCCESS);
    CHECK_INT(MPI_Info_dup(kept, &copy), MPI_SUCCESS);
    CHECK_INT(MPI_Info_delete(kept, "second"), MPI_SUCCESS);
    CHECK_INT(MPI_Info_get_nkeys(kept, &keys), MPI_SUCCESS);
    CHECK_INT(keys, 2);
    check_value(kept, "second", NULL);
    check_value(kept, "made", "once more");
    CHECK_INT(MPI_Info_get_nkeys(copy, &keys), MPI_SUCCESS);
    CHECK_INT(keys, 3);
    for (int i = 0; i < keys; i++) {
        CHECK_INT(MPI_Info_get_nthkey(copy, i, key), MPI_SUCCESS);
        CHECK(strcmp(key, "made") == 0 || strcmp(key, "second") == 0 || strcmp(key, "third") == 0);
    }
    check_value(copy, "second", "2");
    CHECK_INT(MPI_Info_free(&copy), MPI_SUCCESS);
    CHECK_INT(MPI_Info_free(&kept), MPI_SUCCESS);
    CHECK_SAME(kept, MPI_INFO_NULL);
    CHECK_INT(MPI_Info_get_nkeys(of_world, &keys), MPI_SUCCESS);
    CHECK_INT(MPI_Info_free(&of_world), MPI_SUCCESS);
}

// The number of the handle in Fortran leads to the same info.
static void check_number_of_info(void) {
    MPI_Info info = MPI_INFO_NULL, again;
    CASE("the number of an info");
    CHECK_INT(MPI_Info_create(&info), MPI_SUCCESS);
    again = MPI_Info_f2c(MPI_Info_c2f(info));
    CHECK_SAME(again, info);
    CHECK_INT(MPI_Info_set(again, "by", "number"), MPI_SUCCESS);
    check_value(info, "by", "number");
    CHECK_INT(MPI_Info_free(&again), MPI_SUCCESS);
}

static void check_wrong_infos(void) {
    MPI_Info info = MPI_INFO_NULL, none = MPI_INFO_NULL;
    int class = -1;
    CASE("infos with mistakes");
    CHECK_INT(MPI_Info_create(&info), MPI_SUCCESS);
    CHECK_INT(MPI_Error_class(MPI_Info_delete(info, "nothing"), &class), MPI_SUCCESS);
    CHECK_INT(class, MPI_ERR_INFO_NOKEY);
    CHECK_INT(MPI_Error_class(MPI_Info_set(info, "", "value"), &class), MPI_SUCCESS);
    CHECK_INT(class, MPI_ERR_INFO_KEY);
    CHECK_INT(MPI_Error_class(MPI_Info_dup(none, &none), &class), MPI_SUCCESS);
    CHECK_INT(class, MPI_ERR_INFO);
    CHECK_INT(MPI_Info_free(&info), MPI_SUCCESS);
}

static void check_text(int code, const char* expected) {
    char text[MPI_MAX_ERROR_STRING] = "?";
    int length = -1;
    CHECK_INT(MPI_Error_string(code, text, &length), MPI_SUCCESS);
    CHECK_STRING(text, expected);
    CHECK_INT(length, strlen(expected));
}

static void check_added_codes(void) {
    int class = -1, code = -1;
    CASE("classes and codes of the program");
    check_text(added_code, "of the program");
    CHECK_INT(MPI_Error_class(added_code, &class), MPI_SUCCESS);
    CHECK_INT(class, added_class);
    CHECK_INT(MPI_Add_error_class(&class), MPI_SUCCESS);
    CHECK_INT(MPI_Add_error_code(class, &code), MPI_SUCCESS);
    CHECK(class > MPI_ERR_LASTCODE && class != added_class && class != code);
    CHECK_INT(MPI_Add_error_string(code, "late"), MPI_SUCCESS);
    check_text(code, "late");
    CHECK_INT(MPI_Error_class(code, &code), MPI_SUCCESS);
    CHECK_INT(code, class);
}

// Libraries of MPI 4 end the program in some of these calls.
static void check_emulated(void) {
    check_text(MPI_ERR_TRUNCATE, text_between);
    check_wrong_infos();
    check_added_codes();
}

static void abi_version(void) {
    int major = 7, minor = 7;
    CASE("Abi_get_version");
    if (OFFERED(MPI_Abi_get_version, (&major, &minor))) {
        CHECK_INT(major, MPI_ABI_VERSION);
        CHECK_INT(minor, MPI_ABI_SUBVERSION);
    }
}

int main(int argc, char** argv) {
    check_start();
    CASE("before MPI_Init");
    check_state(0, 0);
    check_version();
    check_info();
    check_errors();
    carry_over(&argc, &argv);
    CASE("between");
    check_state(1, 0);
    check_version();
    abi_version();
    prepare();
    check_merge();
    MPI_Finalize();
    CASE("after MPI_Finalize");
    check_state_after();
    check_version();
    check_info();
    check_errors();
    check_kept_info();
    check_number_of_info();
    if (are_infos_emulated())
        check_emulated();
    return check_report();
}
