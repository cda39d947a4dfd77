// The calls of the tools interface that change something or fail: writing and resetting variables, events.
// ranks: 1
#include "check.h"

static long long value[512]; // room for any variable's values

// Writes every integer variable back as it was read; each write must succeed or fail with a code of the interface.
static void control_variables(void) {
    int count = 0, tried = 0;
    CASE("cvar_write");
    CHECK_INT(MPI_T_cvar_get_num(&count), MPI_SUCCESS);
    for (int index = 0; index < count && tried < 20; index++) {
        MPI_Datatype type;
        MPI_T_cvar_handle handle;
        int bind, elements;
        if (MPI_T_cvar_get_info(index, NULL, NULL, NULL, &type, NULL, NULL, NULL, &bind, NULL) != MPI_SUCCESS ||
            bind != MPI_T_BIND_NO_OBJECT || type != MPI_INT ||
            MPI_T_cvar_handle_alloc(index, NULL, &handle, &elements) != MPI_SUCCESS)
            continue;
        tried++;
        CHECK_INT(MPI_T_cvar_read(handle, value), MPI_SUCCESS);
        int code = MPI_T_cvar_write(handle, value);
        CHECK(code == MPI_SUCCESS || code == MPI_T_ERR_CVAR_SET_NEVER || code == MPI_T_ERR_CVAR_SET_NOT_NOW);
        CHECK_INT(MPI_T_cvar_handle_free(&handle), MPI_SUCCESS);
    }
}

// Open MPI reports operations that a read-only variable does not support as an invalid variable or handle.
static int done_or_refused(int code) {
    return code == MPI_SUCCESS || code == MPI_T_ERR_PVAR_NO_WRITE || code == MPI_T_ERR_PVAR_NO_ATOMIC ||
           code == MPI_T_ERR_INVALID || code == MPI_T_ERR_INVALID_HANDLE;
}

static void performance_variables(void) {
    int count = 0;
    MPI_T_pvar_session session;
    CASE("pvar_reset, pvar_readreset, pvar_write");
    CHECK_INT(MPI_T_pvar_get_num(&count), MPI_SUCCESS);
    CHECK_INT(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
    if (count == 0 && check_mpich_major() != 0)
        check_skip("pvar_reset", "this MPI has no performance variables");
    else
        CHECK(count > 0);
    for (int index = 0; index < count && index < 20; index++) {
        MPI_T_pvar_handle handle;
        int bind, elements;
        if (MPI_T_pvar_get_info(index, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &bind, NULL, NULL, NULL) !=
                MPI_SUCCESS ||
            bind != MPI_T_BIND_NO_OBJECT ||
            MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &elements) != MPI_SUCCESS || elements > 500)
            continue;
        CHECK(done_or_refused(MPI_T_pvar_reset(session, handle)));
        CHECK(done_or_refused(MPI_T_pvar_write(session, handle, value)));
        CHECK(done_or_refused(MPI_T_pvar_readreset(session, handle, value)));
        CHECK_INT(MPI_T_pvar_handle_free(session, &handle), MPI_SUCCESS);
    }
    CHECK_INT(MPI_T_pvar_session_free(&session), MPI_SUCCESS);
}

static void no_such_events(void) {
    const int none = 1000000;
    int count = -1, verbosity, bind, index, code;
    MPI_T_event_registration registration;
    MPI_Count stamp;
    CASE("events that are not there");
    if (!OFFERED(MPI_T_event_get_num, (&count)))
        return;
    // MPICH checks the null pointers before the index.
    code = MPI_T_event_get_info(none, NULL, NULL, &verbosity, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &bind);
    CHECK(code == MPI_T_ERR_INVALID_INDEX || code == MPI_T_ERR_INVALID);
    CHECK_INT(MPI_T_event_handle_alloc(none, NULL, MPI_INFO_NULL, &registration), MPI_T_ERR_INVALID_INDEX);
    CHECK_INT(MPI_T_source_get_timestamp(none, &stamp), MPI_T_ERR_INVALID_INDEX);
    if (MPI_T_category_get_num(&count) == MPI_SUCCESS && count > 0) {
        int events = -1;
        CHECK_INT(MPI_T_category_get_num_events(0, &events), MPI_SUCCESS);
        CHECK(events >= 0);
        CHECK_INT(MPI_T_category_get_events(0, events > 0, &index), MPI_SUCCESS);
    }
}

int main(int argc, char** argv) {
    int provided;
    check_begin(&argc, &argv);
    CASE("start");
    CHECK_INT(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), MPI_SUCCESS);
    control_variables();
    performance_variables();
    no_such_events();
    CHECK_INT(MPI_T_finalize(), MPI_SUCCESS);
    return check_end();
}
