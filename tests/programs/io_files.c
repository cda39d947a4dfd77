// Files as objects: every access mode, sizes, infos, groups, error classes, error handlers, data representations.
// ranks: 1 2 4
#include "io.h"

static MPI_File opened(int mode) {
    MPI_File file = MPI_FILE_NULL;
    CHECK_OK(MPI_File_open(MPI_COMM_WORLD, io_path, mode, MPI_INFO_NULL, &file));
    CHECK(file != MPI_FILE_NULL);
    return file;
}

// Modes are sets of bits that are converted in both directions; the runtime's own bits must not come back.
static void check_mode(int mode) {
    int found = -1;
    MPI_File file = opened(mode);
    CHECK_OK(MPI_File_get_amode(file, &found));
    CHECK_INT(found, mode);
    CHECK_OK(MPI_File_close(&file));
    CHECK_SAME(file, MPI_FILE_NULL);
}

static void modes(void) {
    CASE("access modes");
    check_mode(MPI_MODE_CREATE | MPI_MODE_WRONLY);
    CHECK(io_exists());
    check_mode(MPI_MODE_RDONLY);
    check_mode(MPI_MODE_WRONLY);
    check_mode(MPI_MODE_RDWR);
    check_mode(MPI_MODE_CREATE | MPI_MODE_RDWR);
    check_mode(MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN);
    check_mode(MPI_MODE_RDWR | MPI_MODE_APPEND);
    check_mode(MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL);
    CASE("MPI_MODE_DELETE_ON_CLOSE");
    check_mode(MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(!io_exists());
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CASE("MPI_MODE_EXCL");
    check_mode(MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
}

// The effects of the open modes, not only their bits.
static void effects(void) {
    MPI_File file;
    MPI_Offset position = -1, size = -1;
    int value = 5;
    CASE("append and sizes");
    file = io_new();
    CHECK_OK(MPI_File_set_size(file, 40));
    CHECK_OK(MPI_File_get_size(file, &size));
    CHECK_INT(size, 40);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD)); // all ranks have queried the size before one of them changes it again
    CHECK_OK(MPI_File_preallocate(file, 100));
    CHECK_OK(MPI_File_get_size(file, &size));
    CHECK_INT(size, 100);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_File_set_size(file, 12));
    CHECK_OK(MPI_File_close(&file));
    file = opened(MPI_MODE_RDWR | MPI_MODE_APPEND);
    CHECK_OK(MPI_File_get_position(file, &position));
    CHECK_INT(position, 12);
    CHECK_OK(MPI_File_close(&file));

    CASE("not opened for this");
    file = opened(MPI_MODE_RDONLY);
    CHECK_CLASS(MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ACCESS, MPI_ERR_READ_ONLY);
    CHECK_OK(MPI_File_close(&file));
    file = opened(MPI_MODE_WRONLY);
    CHECK_CLASS(MPI_File_read_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ACCESS);
    io_done(&file);
}

static void groups_and_infos(void) {
    MPI_File file = io_new();
    MPI_Group group, world;
    MPI_Info hints, used = MPI_INFO_NULL;
    char value[MPI_MAX_INFO_VAL + 1], key[MPI_MAX_INFO_KEY];
    int same = -1, keys = -1, flag;
    CASE("group of a file");
    CHECK_OK(MPI_File_get_group(file, &group));
    CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    CHECK_OK(MPI_Group_compare(group, world, &same));
    CHECK_INT(same, MPI_IDENT);
    CHECK_OK(MPI_Group_free(&group));
    CHECK_OK(MPI_Group_free(&world));

    CASE("hints of a file");
    CHECK_OK(MPI_Info_create(&hints));
    CHECK_OK(MPI_Info_set(hints, "cb_buffer_size", "65536"));
    CHECK_OK(MPI_File_set_info(file, hints));
    CHECK_OK(MPI_File_get_info(file, &used));
    CHECK(used != MPI_INFO_NULL && used != hints);
    CHECK_OK(MPI_Info_get_nkeys(used, &keys));
    for (int n = 0; n < keys; n++) {
        CHECK_OK(MPI_Info_get_nthkey(used, n, key));
        CHECK_OK(MPI_Info_get(used, key, MPI_MAX_INFO_VAL, value, &flag));
        CHECK_INT(flag, 1);
    }
    CHECK_OK(MPI_Info_free(&used));
    io_done(&file);
    CHECK_OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_CREATE | MPI_MODE_RDWR, hints, &file));
    CHECK_OK(MPI_Info_free(&hints));
    io_done(&file);
}

static void errors(void) {
    MPI_File file = MPI_FILE_NULL;
    MPI_Offset size;
    int code;
    CASE("errors of open and delete");
    CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file), MPI_ERR_NO_SUCH_FILE);
    CHECK_CLASS(MPI_File_delete(io_path, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &file),
                MPI_ERR_AMODE);
    CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_CREATE | MPI_MODE_RDONLY, MPI_INFO_NULL, &file),
                MPI_ERR_AMODE);
    CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, io_path, 0, MPI_INFO_NULL, &file), MPI_ERR_AMODE);
    file = io_new();
    CHECK_OK(MPI_File_close(&file));
    code =
        MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (check_rank > 0 && !check_runtime_is("Open MPI"))
        CHECK_CLASS(code, MPI_ERR_FILE_EXISTS,
                    MPI_ERR_OTHER); // MPICH's ROMIO may lose the class on the way from rank 0
    else
        CHECK_CLASS(code, MPI_ERR_FILE_EXISTS);
    if (file == MPI_FILE_NULL && check_runtime_is("MPICH Version:      5"))
        check_skip("MPI_File_close(MPI_FILE_NULL)", "the standard-ABI library of MPICH 5.0.2 crashes");
    else
        CHECK_CLASS(MPI_File_close(&file), MPI_ERR_FILE, MPI_ERR_ARG);

    CASE("errors of an open file");
    file = opened(MPI_MODE_RDWR);
    CHECK_CLASS(MPI_File_seek(file, 0, 12345), MPI_ERR_ARG, MPI_ERR_UNSUPPORTED_OPERATION);
    CHECK_CLASS(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "no such representation", MPI_INFO_NULL),
                MPI_ERR_UNSUPPORTED_DATAREP, MPI_ERR_ARG, MPI_ERR_OTHER);
    CHECK_CLASS(MPI_File_write_at(file, 0, &file, -1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_COUNT, MPI_ERR_ARG);
    CHECK_CLASS(MPI_File_write_at(file, 0, &file, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE), MPI_ERR_TYPE, MPI_ERR_ARG);
    if (check_runtime_is("MPICH Version:      5"))
        check_skip("MPI_File_get_size(MPI_FILE_NULL)", "the standard-ABI library of MPICH 5.0.2 crashes");
    else
        CHECK_CLASS(MPI_File_get_size(MPI_FILE_NULL, &size), MPI_ERR_FILE, MPI_ERR_ARG);
    io_done(&file);
}

static struct {
    MPI_File file;
    int class, calls;
} reported;

static void on_error(MPI_File* file, int* code, ...) {
    reported.file = *file;
    reported.class = check_class_of(*code);
    reported.calls++;
}

// Errors of a file go to the file's handler. Errors without a file (open, delete) go to the handler of MPI_FILE_NULL,
// which is the default of every file opened later.
static void error_handlers(void) {
    MPI_Errhandler handler, found = MPI_ERRHANDLER_NULL;
    MPI_File file = MPI_FILE_NULL, missing = MPI_FILE_NULL;
    int value = 1;
    CASE("predefined error handlers");
    CHECK_OK(MPI_File_get_errhandler(MPI_FILE_NULL, &found));
    CHECK_SAME(found, MPI_ERRORS_RETURN);
    file = io_new();
    CHECK_OK(MPI_File_get_errhandler(file, &found));
    CHECK_SAME(found, MPI_ERRORS_RETURN);
    CHECK_OK(MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL));
    CHECK_OK(MPI_File_get_errhandler(file, &found));
    CHECK_SAME(found, MPI_ERRORS_ARE_FATAL);

    CASE("an error handler of the program");
    CHECK_OK(MPI_File_create_errhandler(on_error, &handler));
    CHECK_OK(MPI_File_set_errhandler(file, handler));
    CHECK_OK(MPI_File_get_errhandler(file, &found));
    CHECK_SAME(found, handler);
    CHECK_OK(MPI_Errhandler_free(&found));
    MPI_File_write_at(file, 0, &value, -1, MPI_INT, MPI_STATUS_IGNORE);
    CHECK_INT(reported.calls, 1);
    CHECK_SAME(reported.file, file);
    CHECK(reported.class == MPI_ERR_COUNT || reported.class == MPI_ERR_ARG);
    CHECK_OK(MPI_File_call_errhandler(file, MPI_ERR_QUOTA));
    CHECK_INT(reported.calls, 2);
    CHECK_INT(reported.class, MPI_ERR_QUOTA);
    CHECK_SAME(reported.file, file);
    io_done(&file);

    CASE("the error handler of MPI_FILE_NULL");
    CHECK_OK(MPI_File_set_errhandler(MPI_FILE_NULL, handler));
    CHECK_OK(MPI_Errhandler_free(&handler));
    reported.calls = 0;
    MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDONLY, MPI_INFO_NULL, &missing);
    CHECK_INT(reported.calls, 1);
    CHECK_INT(reported.class, MPI_ERR_NO_SUCH_FILE);
    CHECK_SAME(reported.file, MPI_FILE_NULL);
    CHECK_OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
}

// external32 is big-endian.
static void external32(void) {
    MPI_File file = io_new();
    MPI_Datatype etype, filetype;
    MPI_Offset displacement;
    MPI_Aint extent = -1;
    char name[MPI_MAX_DATAREP_STRING];
    unsigned char bytes[4] = {0};
    int value = 0x01020304;
    CASE("external32");
    if (CHECK_OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL))) {
        CHECK_OK(MPI_File_get_view(file, &displacement, &etype, &filetype, name));
        CHECK_STRING(name, "external32");
        CHECK_OK(MPI_File_get_type_extent(file, MPI_INT, &extent));
        CHECK_INT(extent, 4);
        if (check_rank == 0)
            CHECK_OK(MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
        value = 0;
        CHECK_OK(MPI_File_sync(file));
        CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_OK(MPI_File_read_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
        CHECK_INT(value, 0x01020304);
        CHECK_OK(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
        CHECK_OK(MPI_File_read_at(file, 0, bytes, 4, MPI_BYTE, MPI_STATUS_IGNORE));
        if (!check_runtime_is("MPICH Version:\t3")) // MPICH 3 writes the machine's own byte order
            CHECK_BYTES(bytes, "\1\2\3\4", 4);
    }
    io_done(&file);
}

static int extent_calls;

static int file_extent(MPI_Datatype type, MPI_Aint* extent, void* state) {
    CHECK_SAME(state, &extent_calls);
    CHECK_SAME(type, MPI_INT);
    extent_calls++;
    *extent = 4;
    return MPI_SUCCESS;
}

// No runtime calls conversion functions of a program. Open MPI also rejects a representation without them.
static void user_representation(void) {
    int code;
    MPI_Aint extent = -1;
    CASE("Register_datarep");
    code =
        MPI_Register_datarep("anympi-test", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, file_extent, &extent_calls);
    if (code != MPI_SUCCESS && check_runtime_is("Open MPI")) {
        CHECK_CLASS(code, MPI_ERR_UNSUPPORTED_DATAREP, MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_CONVERSION,
                    MPI_ERR_OTHER);
        check_skip("user data representations", "this MPI does not offer them");
        return;
    }
    CHECK_OK(code);
    CHECK_CLASS(MPI_Register_datarep("anympi-test", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, file_extent, NULL),
                MPI_ERR_DUP_DATAREP);
    MPI_File file = io_new();
    code = MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "anympi-test", MPI_INFO_NULL);
    if (code == MPI_SUCCESS) {
        CHECK_OK(MPI_File_get_type_extent(file, MPI_INT, &extent));
        CHECK_INT(extent, 4);
    }
    io_done(&file);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    modes();
    effects();
    groups_and_infos();
    errors();
    error_handlers();
    external32();
    user_representation();
    return check_end();
}
