// Error classes, codes and texts: the standard's, those that a program adds, and the codes of missing functions.
// ranks: 1
#include "check.h"

static int text_length(int code) {
    char text[MPI_MAX_ERROR_STRING];
    int length = -1;
    memset(text, 'x', sizeof text);
    CHECK_OK(MPI_Error_string(code, text, &length));
    if (CHECK(memchr(text, 0, sizeof text) != NULL))
        CHECK_INT(length, strlen(text));
    return length;
}

static void predefined_classes(void) {
    // The classes of MPI 3.1, which every runtime has. Newer classes may become another class of the runtime.
    static const int classes[] = {MPI_SUCCESS,
                                  MPI_ERR_BUFFER,
                                  MPI_ERR_COUNT,
                                  MPI_ERR_TYPE,
                                  MPI_ERR_TAG,
                                  MPI_ERR_COMM,
                                  MPI_ERR_RANK,
                                  MPI_ERR_REQUEST,
                                  MPI_ERR_ROOT,
                                  MPI_ERR_GROUP,
                                  MPI_ERR_OP,
                                  MPI_ERR_TOPOLOGY,
                                  MPI_ERR_DIMS,
                                  MPI_ERR_ARG,
                                  MPI_ERR_UNKNOWN,
                                  MPI_ERR_TRUNCATE,
                                  MPI_ERR_OTHER,
                                  MPI_ERR_INTERN,
                                  MPI_ERR_PENDING,
                                  MPI_ERR_IN_STATUS,
                                  MPI_ERR_ACCESS,
                                  MPI_ERR_AMODE,
                                  MPI_ERR_ASSERT,
                                  MPI_ERR_BAD_FILE,
                                  MPI_ERR_BASE,
                                  MPI_ERR_CONVERSION,
                                  MPI_ERR_DISP,
                                  MPI_ERR_DUP_DATAREP,
                                  MPI_ERR_FILE_EXISTS,
                                  MPI_ERR_FILE_IN_USE,
                                  MPI_ERR_FILE,
                                  MPI_ERR_INFO_KEY,
                                  MPI_ERR_INFO_NOKEY,
                                  MPI_ERR_INFO_VALUE,
                                  MPI_ERR_INFO,
                                  MPI_ERR_IO,
                                  MPI_ERR_KEYVAL,
                                  MPI_ERR_LOCKTYPE,
                                  MPI_ERR_NAME,
                                  MPI_ERR_NO_MEM,
                                  MPI_ERR_NOT_SAME,
                                  MPI_ERR_NO_SPACE,
                                  MPI_ERR_NO_SUCH_FILE,
                                  MPI_ERR_PORT,
                                  MPI_ERR_QUOTA,
                                  MPI_ERR_READ_ONLY,
                                  MPI_ERR_RMA_ATTACH,
                                  MPI_ERR_RMA_CONFLICT,
                                  MPI_ERR_RMA_RANGE,
                                  MPI_ERR_RMA_SHARED,
                                  MPI_ERR_RMA_SYNC,
                                  MPI_ERR_SERVICE,
                                  MPI_ERR_SIZE,
                                  MPI_ERR_SPAWN,
                                  MPI_ERR_UNSUPPORTED_DATAREP,
                                  MPI_ERR_UNSUPPORTED_OPERATION,
                                  MPI_ERR_WIN,
                                  MPI_ERR_RMA_FLAVOR};
    CASE("predefined classes");
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        int class = -1;
        CHECK_OK(MPI_Error_class(classes[i], &class));
        CHECK_INT(class, classes[i]); // the class of a class is the class itself
        CHECK(text_length(classes[i]) > 0);
    }
    // Different classes have different texts. Only well-known ones are compared, because some of MPICH's newer classes
    // share a text.
    char rank[MPI_MAX_ERROR_STRING], tag[MPI_MAX_ERROR_STRING];
    int length;
    CHECK_OK(MPI_Error_string(MPI_ERR_RANK, rank, &length));
    CHECK_OK(MPI_Error_string(MPI_ERR_TAG, tag, &length));
    CHECK(strstr(rank, "rank") && strstr(tag, "tag"));
}

static void newer_classes(void) {
    static const int classes[] = {MPI_ERR_PROC_ABORTED, MPI_ERR_VALUE_TOO_LARGE, MPI_ERR_SESSION, MPI_ERR_ERRHANDLER};
    CASE("newer classes");
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        int class = -1;
        if (MPI_Error_class(classes[i], &class) == MPI_SUCCESS)
            CHECK(class == classes[i] || class == MPI_ERR_UNKNOWN || class == MPI_ERR_OTHER);
        CHECK(text_length(classes[i]) >= 0);
    }
}

// A real error: its code may be any number, its class is fixed, and its text is the runtime's own.
static void real_errors(void) {
    int data = 0, code, again;
    CASE("real errors");
    code = MPI_Send(&data, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    CHECK_CLASS(code, MPI_ERR_RANK);
    CHECK(text_length(code) > 0);
    again = MPI_Send(&data, 1, MPI_INT, 98, 0, MPI_COMM_WORLD);
    CHECK_CLASS(again, MPI_ERR_RANK);
    CHECK_CLASS(code, MPI_ERR_RANK); // unchanged
    code = MPI_Type_commit(&(MPI_Datatype){MPI_DATATYPE_NULL});
    CHECK_CLASS(code, MPI_ERR_TYPE);
    CHECK(text_length(code) > 0);
    code = MPI_Comm_size(MPI_COMM_NULL, &data);
    CHECK_CLASS(code, MPI_ERR_COMM);
    MPI_File file;
    code = MPI_File_open(MPI_COMM_SELF, "no such folder/no such file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    CHECK_CLASS(code, MPI_ERR_NO_SUCH_FILE);
    CHECK(text_length(code) > 0);
}

static int last_used_code(void) {
    int *last = NULL, flag = 0;
    CHECK_OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    return CHECK(flag) ? *last : 0;
}

// The class of an added class is the class itself. Open MPI 4.1.4 to 5.0.11 reports it as unknown to its own programs.
static void check_own_class(int added_class) {
    int class = -1;
    CHECK_OK(MPI_Error_class(added_class, &class));
#ifdef OPEN_MPI
    CHECK(class == added_class || (class == MPI_ERR_UNKNOWN && check_runtime_is("Open MPI")));
#else
    CHECK_INT(class, added_class);
#endif
}

static void added(void) {
    int first = 0, second = 0, code = 0, bare = 0, class = -1, length = -1;
    char text[MPI_MAX_ERROR_STRING];
    CASE("added classes and codes");
    CHECK_OK(MPI_Add_error_class(&first));
    CHECK_OK(MPI_Add_error_class(&second));
    CHECK_OK(MPI_Add_error_code(first, &code));
    CHECK_OK(MPI_Add_error_code(MPI_ERR_IO, &bare)); // added to a class of the standard
    CHECK(first > MPI_ERR_LASTCODE && second > MPI_ERR_LASTCODE && code > MPI_ERR_LASTCODE && bare > MPI_ERR_LASTCODE);
    CHECK(first != second && code != first && code != second && bare != code);
    check_own_class(first);
    CHECK_OK(MPI_Error_class(code, &class));
    CHECK_INT(class, first);
    CHECK_OK(MPI_Error_class(bare, &class));
    CHECK_INT(class, MPI_ERR_IO);
    CHECK(last_used_code() >= MPI_ERR_LASTCODE);

    CASE("texts of added codes");
    CHECK_INT(text_length(second), 0);
    CHECK_OK(MPI_Add_error_string(first, "the boiler is cold"));
    CHECK_OK(MPI_Add_error_string(code, "no coal"));
    CHECK_OK(MPI_Error_string(first, text, &length));
    CHECK_STRING(text, "the boiler is cold");
    CHECK_INT(length, 18);
    CHECK_OK(MPI_Error_string(code, text, &length));
    CHECK_STRING(text, "no coal");

    CASE("removed again");
    if (OFFERED(MPI_Remove_error_string, (code))) {
        CHECK_INT(text_length(code), 0);
        if (!check_mpich_4_before(2)) {                                // these releases remove both
            CHECK_CLASS(MPI_Remove_error_class(first), MPI_ERR_OTHER); // it still has a code
            CHECK_OK(MPI_Add_error_string(code, "no coal"));
            CHECK_CLASS(MPI_Remove_error_code(code), MPI_ERR_OTHER); // it still has a text
            CHECK_OK(MPI_Remove_error_string(code));
        }
        CHECK_OK(MPI_Remove_error_code(code));
        CHECK_CLASS(MPI_Remove_error_code(code), MPI_ERR_OTHER);
        CHECK_OK(MPI_Remove_error_string(first));
        CHECK_OK(MPI_Remove_error_class(first));
        CHECK_CLASS(MPI_Remove_error_class(MPI_ERR_IO), MPI_ERR_OTHER);
    }
}

#ifdef MPI_ABI_VERSION
// MPI_LASTUSEDCODE is the largest code in use. (MPICH 5.0 and Intel MPI leave it unchanged in their own ABI.)
static void last_after_removal(void) {
    CASE("the last used code");
    const int before = last_used_code(), is_own = check_mpich_major() == 5 || check_runtime_is("Intel");
    int class = 0;
    CHECK_OK(MPI_Add_error_class(&class));
    if (!is_own)
        CHECK_INT(last_used_code(), class > before ? class : before);
    CHECK_OK(MPI_Remove_error_class(class));
    if (!is_own)
        CHECK_INT(last_used_code(), before);
}

// A text as long as the program's limit: a library with a smaller limit has its beginning.
static void long_text(void) {
    CASE("a long text");
    static char text[MPI_MAX_ERROR_STRING], seen[MPI_MAX_ERROR_STRING];
    int class = 0, length = 0;
    memset(text, 't', sizeof text - 1);
    CHECK_OK(MPI_Add_error_class(&class));
    CHECK_OK(MPI_Add_error_string(class, text));
    CHECK_OK(MPI_Error_string(class, seen, &length));
    CHECK(length > 200 && strncmp(seen, text, (size_t)length) == 0 && !seen[length]);
    CHECK_OK(MPI_Remove_error_string(class));
    CHECK_OK(MPI_Remove_error_class(class));
}
#endif

// Adds and removes more classes than a library has numbers (MPICH 3.4: about a hundred classes).
static void added_and_removed(void) {
    CASE("added and removed many times");
    for (int i = 0; i < 1000; i++) {
        int class, code, of_code = 0, added = MPI_Add_error_class(&class) == MPI_SUCCESS;
        char text[MPI_MAX_ERROR_STRING] = "";
        int length, removed = 0;
        if (!CHECK(added && MPI_Add_error_code(class, &code) == MPI_SUCCESS))
            return;
        MPI_Error_class(code, &of_code);
        CHECK_INT(of_code, class);
        CHECK_INT(text_length(code), 0);
        CHECK_OK(MPI_Add_error_string(code, "again"));
        CHECK_OK(MPI_Error_string(code, text, &length));
        CHECK_STRING(text, "again");
        if (!OFFERED(MPI_Remove_error_string, (code)))
            return;
        removed = MPI_Remove_error_code(code) == MPI_SUCCESS && MPI_Remove_error_class(class) == MPI_SUCCESS;
        if (!CHECK(removed))
            return;
    }
}

// Classes at even indexes, each followed by one of its codes.
static void many_added(void) {
    enum { many = 100 };
    int codes[many], wrong = 0;
    CASE("many added codes");
    for (int i = 0; i < many; i++) {
        char text[40];
        snprintf(text, sizeof text, "text %d", i);
        wrong += (i % 2 ? MPI_Add_error_code(codes[i - 1], &codes[i]) : MPI_Add_error_class(&codes[i])) != MPI_SUCCESS;
        wrong += MPI_Add_error_string(codes[i], text) != MPI_SUCCESS;
    }
    CHECK_INT(wrong, 0);
    for (int i = 0; i < many; i++) {
        char text[MPI_MAX_ERROR_STRING], expected[40];
        int length = -1, class = -1;
        snprintf(expected, sizeof expected, "text %d", i);
        CHECK_OK(MPI_Error_string(codes[i], text, &length));
        CHECK_STRING(text, expected);
        if (i % 2 == 0)
            check_own_class(codes[i]);
        else if (CHECK_OK(MPI_Error_class(codes[i], &class)))
            CHECK_INT(class, codes[i - 1]);
    }
}

// The text of the code that a missing function returns contains the function's name.
static void missing_functions(void) {
    MPI_Status status = check_dirty_status();
    int source = 0, code = MPI_Status_get_source(&status, &source), length = 0;
    char text[MPI_MAX_ERROR_STRING] = "";
    CASE("missing function");
    if (code == MPI_SUCCESS) {
        CHECK_INT(source, -12345);
        return;
    }
    CHECK_CLASS(code, MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_OK(MPI_Error_string(code, text, &length));
    if (!CHECK(strstr(text, "MPI_Status_get_source") != NULL))
        printf("# %s\n", text);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    predefined_classes();
    newer_classes();
    real_errors();
    added();
#ifdef MPI_ABI_VERSION
    last_after_removal();
    long_text();
#endif
    added_and_removed();
    many_added();
    missing_functions();
    return check_end();
}
