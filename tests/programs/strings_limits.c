// Strings that MPI writes: never longer than the limits of this ABI, terminated, and with the right length.
// ranks: 1 2
#include "check.h"

// A buffer with a guard after it, filled so that a missing terminator is noticed.
typedef struct guarded {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    char guard[64];
} guarded;

static guarded box;

static void fill(void) {
    memset(&box, 'x', sizeof box);
}

static void check_text(size_t limit, int length) {
    const char* end = memchr(box.text, 0, limit);
    if (CHECK(end != NULL)) {
        // Open MPI includes the terminator in the length of its version.
        CHECK(length == end - box.text || (length == end - box.text + 1 && check_runtime_is("Open MPI")));
        for (size_t i = limit; i < sizeof box.text; i++)
            if (box.text[i] != 'x') {
                CHECK(!"written after the limit");
                break;
            }
    }
}

static void of_the_library(void) {
    int length = -1, version = -1, subversion = -1;
    CASE("processor name"), fill();
    CHECK_OK(MPI_Get_processor_name(box.text, &length));
    check_text(MPI_MAX_PROCESSOR_NAME, length);
    CHECK(length > 0);
    CASE("library version"), fill();
    CHECK_OK(MPI_Get_library_version(box.text, &length));
    check_text(MPI_MAX_LIBRARY_VERSION_STRING, length);
    CHECK(length > 5);
    CASE("version");
    CHECK_OK(MPI_Get_version(&version, &subversion));
    CHECK(version >= 3 && version <= 5 && subversion >= 0);
#ifdef OPEN_MPI // its header and all its libraries have the same version
    CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
#endif
    CASE("error strings");
    static const int classes[] = {MPI_SUCCESS,          MPI_ERR_BUFFER,       MPI_ERR_REQUEST,  MPI_ERR_ARG,
                                  MPI_ERR_TRUNCATE,     MPI_ERR_IN_STATUS,    MPI_ERR_PENDING,  MPI_ERR_ACCESS,
                                  MPI_ERR_INFO_KEY,     MPI_ERR_NO_SUCH_FILE, MPI_ERR_LOCKTYPE, MPI_ERR_RMA_RANGE,
                                  MPI_ERR_RMA_SHARED,   MPI_ERR_SPAWN,        MPI_ERR_WIN,      MPI_ERR_KEYVAL,
                                  MPI_ERR_RMA_CONFLICT, MPI_ERR_ASSERT,       MPI_ERR_OTHER,    MPI_ERR_RMA_FLAVOR};
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++) {
        fill();
        CHECK_OK(MPI_Error_string(classes[i], box.text, &length));
        check_text(MPI_MAX_ERROR_STRING, length);
    }
    fill();
    CHECK_OK(MPI_Error_string(MPI_Send(NULL, 1, MPI_INT, 77, 0, MPI_COMM_WORLD), box.text, &length));
    check_text(MPI_MAX_ERROR_STRING, length);
    CASE("port name"), fill();
    const int code = MPI_Open_port(MPI_INFO_NULL, box.text);
    if (code != MPI_SUCCESS && check_lacks_dynamic_processes())
        check_skip("port name", "this MPI gives no ports here");
    else if (check_is_port_too_long(code))
        check_skip("port name", "it is longer than MPI_MAX_PORT_NAME of this program");
    else if (CHECK_OK(code)) {
        CHECK(memchr(box.text, 0, MPI_MAX_PORT_NAME) != NULL);
        CHECK_OK(MPI_Close_port(box.text));
    }
}

// MPICH's names of ports may be longer than MPICH's own limit. Since 4.2 a program with more room passes a hint, as
// mpi4py does.
static void long_port_name(void) {
    static char port[1024];
    MPI_Info info;
    CASE("port name with room");
    if (check_lacks_dynamic_processes())
        return;
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "port_name_size", "1024"));
    memset(port, 'x', sizeof port);
    if (CHECK_OK(MPI_Open_port(info, port)) && CHECK(memchr(port, 0, sizeof port) != NULL))
        CHECK_OK(MPI_Close_port(port));
    CHECK_OK(MPI_Info_free(&info));
}

// The longest name that fits the standard's limit; a runtime with a smaller limit may cut it, but must not overflow.
static void object_names(void) {
    char longest[MPI_MAX_OBJECT_NAME];
    MPI_Comm comm;
    MPI_Datatype type;
    int length = -1;
    memset(longest, 'n', sizeof longest);
    longest[MPI_MAX_OBJECT_NAME - 1] = 0;
    CASE("long object names");
    CHECK_OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    CHECK_OK(MPI_Comm_set_name(comm, longest));
    fill();
    CHECK_OK(MPI_Comm_get_name(comm, box.text, &length));
    check_text(MPI_MAX_OBJECT_NAME, length);
    CHECK(length >= 63 && strncmp(box.text, longest, (size_t)length) == 0);
    CHECK_OK(MPI_Comm_free(&comm));
    CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &type));
    CHECK_OK(MPI_Type_set_name(type, longest));
    fill();
    CHECK_OK(MPI_Type_get_name(type, box.text, &length));
    check_text(MPI_MAX_OBJECT_NAME, length);
    CHECK(length >= 63 && strncmp(box.text, longest, (size_t)length) == 0);
    CHECK_OK(MPI_Type_free(&type));
}

static void check_name(int code, const int* length, const char* expected) {
    CHECK_OK(code);
    check_text(MPI_MAX_OBJECT_NAME, *length);
    CHECK(strcmp(box.text, expected) == 0);
}

// Null handles have names since MPI 4.1, if the returned version is at least that.
static void names_of_null_handles(void) {
    int version = 0, subversion = 0, length = -1;
    CHECK_OK(MPI_Get_version(&version, &subversion));
    if (version < 4 || (version == 4 && subversion < 1))
        return;
    CASE("names of null handles"), fill();
    check_name(MPI_Comm_get_name(MPI_COMM_NULL, box.text, &length), &length, "MPI_COMM_NULL"), fill();
    check_name(MPI_Type_get_name(MPI_DATATYPE_NULL, box.text, &length), &length, "MPI_DATATYPE_NULL"), fill();
    check_name(MPI_Win_get_name(MPI_WIN_NULL, box.text, &length), &length, "MPI_WIN_NULL");
}

static void added_error_string(void) {
    char longest[MPI_MAX_ERROR_STRING];
    int code = 0, length = -1;
    CASE("long error string");
    CHECK_OK(MPI_Add_error_class(&code));
    memset(longest, 'e', sizeof longest);
    longest[200] = 0;
    CHECK_OK(MPI_Add_error_string(code, longest));
    fill();
    CHECK_OK(MPI_Error_string(code, box.text, &length));
    check_text(MPI_MAX_ERROR_STRING, length);
    CHECK_INT(length, 200);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    of_the_library();
    long_port_name();
    object_names();
    names_of_null_handles();
    added_error_string();
    double start = MPI_Wtime();
    CASE("clock");
    CHECK(start >= 0 && MPI_Wtime() >= start && MPI_Wtick() > 0 && MPI_Wtick() < 1);
    CASE("pcontrol");
    CHECK_OK(MPI_Pcontrol(0));
    CHECK_OK(MPI_Pcontrol(2, "anything", 3.5, &start));
    return check_end();
}
