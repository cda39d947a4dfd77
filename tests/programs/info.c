// Info objects: keys and values, order, lengths, duplication, limits, the environment's info, errors.
// ranks: 1 2
#include "check.h"

static void check_value(MPI_Info info, const char* key, const char* expected) {
    char value[MPI_MAX_INFO_VAL + 1];
    int flag = -1;
    memset(value, '?', sizeof value);
    CHECK_OK(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag));
    if (CHECK_INT(flag, 1))
        CHECK_STRING(value, expected);
}

static void set_get_delete(void) {
    MPI_Info info = MPI_INFO_NULL;
    char key[MPI_MAX_INFO_KEY], value[16] = "untouched";
    int flag = -1, length = -1, keys = -1;

    CASE("set, get, replace, delete");
    CHECK_OK(MPI_Info_create(&info));
    CHECK(info != MPI_INFO_NULL && info != MPI_INFO_ENV);
    CHECK_OK(MPI_Info_get_nkeys(info, &keys));
    CHECK_INT(keys, 0);
    CHECK_OK(MPI_Info_set(info, "first", "1"));
    CHECK_OK(MPI_Info_set(info, "second", "a value with  blanks"));
    CHECK_OK(MPI_Info_set(info, "third", "3"));
    CHECK_OK(MPI_Info_set(info, "first", "one"));
    CHECK_OK(MPI_Info_get_nkeys(info, &keys));
    CHECK_INT(keys, 3);
    check_value(info, "first", "one");
    check_value(info, "second", "a value with  blanks");

    CASE("a key that is not there");
    CHECK_OK(MPI_Info_get(info, "fourth", 15, value, &flag));
    CHECK_INT(flag, 0);
    CHECK_STRING(value, "untouched");
    flag = -1;
    CHECK_OK(MPI_Info_get_valuelen(info, "fourth", &length, &flag));
    CHECK_INT(flag, 0);

    CASE("lengths");
    flag = -1;
    CHECK_OK(MPI_Info_get_valuelen(info, "second", &length, &flag));
    CHECK_INT(flag, 1);
    CHECK_INT(length, 20);
    memset(value, '?', sizeof value);
    // Both families cut the value to fit; MPICH also returns an error.
    CHECK_CLASS(MPI_Info_get(info, "second", 7, value, &flag), MPI_SUCCESS, MPI_ERR_INFO_VALUE);
    CHECK_INT(flag, 1);
    CHECK_BYTES(value, "a value\0?", 9);

    CASE("keys by number");
    int seen = 0;
    for (int n = 0; n < keys; n++) {
        memset(key, '?', sizeof key);
        CHECK_OK(MPI_Info_get_nthkey(info, n, key));
        seen |= strcmp(key, "first") == 0 ? 1 : strcmp(key, "second") == 0 ? 2 : strcmp(key, "third") == 0 ? 4 : 8;
    }
    CHECK_INT(seen, 7);

    CASE("delete and free");
    CHECK_OK(MPI_Info_delete(info, "second"));
    CHECK_OK(MPI_Info_get_nkeys(info, &keys));
    CHECK_INT(keys, 2);
    CHECK_CLASS(MPI_Info_delete(info, "second"), MPI_ERR_INFO_NOKEY);
    CHECK_OK(MPI_Info_free(&info));
    CHECK_SAME(info, MPI_INFO_NULL);
}

// buflen includes the terminating NUL: on input the room, on output the size of the whole value.
static void get_string(void) {
    MPI_Info info;
    char value[32];
    int length = 0, flag = -1;

    CASE("Info_get_string");
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "key", "12345678"));
    if (OFFERED(MPI_Info_get_string, (info, "key", &length, value, &flag))) {
        CHECK_INT(flag, 1);
        CHECK_INT(length, 9);
        length = (int)sizeof value;
        memset(value, '?', sizeof value);
        CHECK_OK(MPI_Info_get_string(info, "key", &length, value, &flag));
        CHECK_INT(length, 9);
        CHECK_STRING(value, "12345678");
        CHECK_INT(value[9], '?');
        length = 5;
        memset(value, '?', sizeof value);
        CHECK_OK(MPI_Info_get_string(info, "key", &length, value, &flag));
        CHECK_INT(length, 9);
        CHECK_BYTES(value, "1234\0?", 6);
        length = 5;
        CHECK_OK(MPI_Info_get_string(info, "absent", &length, value, &flag));
        CHECK_INT(flag, 0);
    }
    CHECK_OK(MPI_Info_free(&info));
}

static void duplicate(void) {
    MPI_Info info, copy = MPI_INFO_NULL;
    int keys;
    CASE("dup");
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "colour", "red"));
    CHECK_OK(MPI_Info_dup(info, &copy));
    CHECK(copy != info && copy != MPI_INFO_NULL);
    CHECK_OK(MPI_Info_set(info, "colour", "blue"));
    CHECK_OK(MPI_Info_set(info, "size", "2"));
    check_value(copy, "colour", "red");
    CHECK_OK(MPI_Info_get_nkeys(copy, &keys));
    CHECK_INT(keys, 1);
    CHECK_OK(MPI_Info_free(&info));
    check_value(copy, "colour", "red");
    CHECK_OK(MPI_Info_free(&copy));
}

// A key for which the program has no room is an error, because a cut key cannot be looked up.
static void refused_key(MPI_Info info) {
    int keys, length, flag, refused = 0;
    CHECK_OK(MPI_Info_get_nkeys(info, &keys));
    for (int n = 0; n < keys; n++) {
        char key[MPI_MAX_INFO_KEY];
        const int code = MPI_Info_get_nthkey(info, n, key);
        CHECK_CLASS(code, MPI_SUCCESS, MPI_ERR_INFO_KEY);
        refused += code != MPI_SUCCESS;
        if (code == MPI_SUCCESS && CHECK_OK(MPI_Info_get_valuelen(info, key, &length, &flag)))
            CHECK_INT(flag, 1);
    }
    CHECK_INT(refused, 1);
}

// Some keys of the standard are longer than some libraries allow.
static void key_of_mpi(void) {
#ifndef OPEN_MPI
    static const char key[] = "mpi_assert_strict_persistent_collective_ordering";
    char name[MPI_MAX_INFO_KEY] = "";
    MPI_Info info, copy;
    MPI_Comm comm;
    int flag = -1, length = -1, keys = -1, seen = 0;
    CASE("a long key of MPI's");
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_get_valuelen(info, key, &length, &flag));
    CHECK_INT(flag, 0);
    CHECK_CLASS(MPI_Info_delete(info, key), MPI_ERR_INFO_NOKEY);
    CHECK_OK(MPI_Info_set(info, key, "false"));
    CHECK_OK(MPI_Info_set(info, "another", "one"));
    CHECK_OK(MPI_Info_set(info, key, "true"));
    CHECK_OK(MPI_Info_dup(info, &copy));
    CHECK_OK(MPI_Info_delete(info, key));
    CHECK_OK(MPI_Info_get_nkeys(info, &keys));
    CHECK_INT(keys, 1);
    CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Info_get_nkeys(copy, &keys));
    CHECK_INT(keys, 2);
    for (int n = 0; n < keys; n++) {
        CHECK_OK(MPI_Info_get_nthkey(copy, n, name));
        seen |= strcmp(name, key) == 0 ? 1 : strcmp(name, "another") == 0 ? 2 : 4;
    }
    CHECK_INT(seen, 3);
    CHECK_CLASS(MPI_Info_get_nthkey(copy, 2, name), MPI_ERR_INFO_KEY, MPI_ERR_ARG, MPI_ERR_OTHER);
    check_value(copy, key, "true");
    CHECK_OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, copy, &comm));
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK_OK(MPI_Info_free(&copy));
    CHECK_OK(MPI_Info_create(&info)); // perhaps with the same handle
    CHECK_OK(MPI_Info_get_nkeys(info, &keys));
    CHECK_INT(keys, 0);
    CHECK_OK(MPI_Info_free(&info));
#endif
}

// The program may use keys and values up to its own limits. A runtime with smaller limits must return an error, never
// cut.
static void limits(void) {
    static char key[MPI_MAX_INFO_KEY + 8], value[MPI_MAX_INFO_VAL + 8];
    MPI_Info info;
    CASE("long keys and values");
    CHECK_OK(MPI_Info_create(&info));
    memset(key, 'k', sizeof key);
    memset(value, 'v', sizeof value);
    key[MPI_MAX_INFO_KEY - 1] = value[MPI_MAX_INFO_VAL - 1] = '\0';
    int code = MPI_Info_set(info, key, "short");
    CHECK_CLASS(code, MPI_SUCCESS, MPI_ERR_INFO_KEY);
    if (code == MPI_SUCCESS)
        check_value(info, key, "short");
    code = MPI_Info_set(info, "short", value);
    CHECK_CLASS(code, MPI_SUCCESS, MPI_ERR_INFO_VALUE);
    if (code == MPI_SUCCESS)
        check_value(info, "short", value);

    CASE("too long, empty");
    key[MPI_MAX_INFO_KEY - 1] = 'k';
    key[MPI_MAX_INFO_KEY + 4] = '\0';
    if (MPI_MAX_INFO_KEY >= 255)
        CHECK_CLASS(MPI_Info_set(info, key, "short"), MPI_ERR_INFO_KEY);
    else if (MPI_Info_set(info, key, "short") == MPI_SUCCESS) // on a library with longer keys
        refused_key(info);
    CHECK_CLASS(MPI_Info_set(info, "", "short"), MPI_ERR_INFO_KEY, MPI_ERR_ARG);
    CHECK_CLASS(MPI_Info_set(MPI_INFO_NULL, "key", "value"), MPI_ERR_INFO, MPI_ERR_ARG);
    CHECK_CLASS(MPI_Info_get_nthkey(info, 99, key), MPI_ERR_INFO_KEY, MPI_ERR_ARG, MPI_ERR_OTHER);
    CHECK_OK(MPI_Info_free(&info));
}

// The launcher decides which keys exist; each existing key must be readable like any info.
static void environment(int argc, char** argv) {
    static char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL + 1];
    MPI_Info info = MPI_INFO_NULL;
    int keys = -1, flag, length;

    CASE("MPI_INFO_ENV");
    CHECK_OK(MPI_Info_get_nkeys(MPI_INFO_ENV, &keys));
    CHECK(keys >= 0);
    for (int n = 0; n < keys; n++) {
        CHECK_OK(MPI_Info_get_nthkey(MPI_INFO_ENV, n, key));
        CHECK_OK(MPI_Info_get_valuelen(MPI_INFO_ENV, key, &length, &flag));
        CHECK_INT(flag, 1);
        CHECK_OK(MPI_Info_get(MPI_INFO_ENV, key, MPI_MAX_INFO_VAL, value, &flag));
        CHECK_INT(flag, 1);
        CHECK_INT(strlen(value), length);
    }
    CHECK_OK(MPI_Info_dup(MPI_INFO_ENV, &info));
    CHECK(info != MPI_INFO_ENV && info != MPI_INFO_NULL);
    CHECK_OK(MPI_Info_free(&info));

    CASE("Info_create_env");
    if (OFFERED(MPI_Info_create_env, (argc, argv, &info))) {
        CHECK(info != MPI_INFO_ENV && info != MPI_INFO_NULL);
        CHECK_OK(MPI_Info_set(info, "mine", "yes"));
        check_value(info, "mine", "yes");
        CHECK_OK(MPI_Info_free(&info));
        CHECK_SAME(info, MPI_INFO_NULL);
    }
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    set_get_delete();
    get_string();
    duplicate();
    key_of_mpi();
    limits();
    environment(argc, argv);
    return check_end();
}
