// The queries of a program about the ABI, and its settings about Fortran.
// ranks: 1
// abi: standard
#include "check.h"

static void check_size(MPI_Info info, const char* key, size_t size) {
    char text[MPI_MAX_INFO_VAL] = "";
    int flag = 0;
    CHECK_OK(MPI_Info_get(info, key, MPI_MAX_INFO_VAL - 1, text, &flag));
    CHECK_INT(!!flag, 1);
    CHECK_INT(atoi(text), size);
}

int main(int argc, char** argv) {
    check_begin(&argc, &argv);
    int major = -1, minor = -1, is_set = -1, yes = 0, no = -1;
    MPI_Info info = MPI_INFO_NULL;
    CASE("version");
    if (OFFERED(MPI_Abi_get_version, (&major, &minor))) {
        CHECK_INT(major, MPI_ABI_VERSION);
        CHECK_INT(minor, MPI_ABI_SUBVERSION);
    }
    CASE("sizes");
    if (OFFERED(MPI_Abi_get_info, (&info))) {
        check_size(info, "mpi_aint_size", sizeof(MPI_Aint));
        check_size(info, "mpi_count_size", sizeof(MPI_Count));
        check_size(info, "mpi_offset_size", sizeof(MPI_Offset));
        CHECK_OK(MPI_Info_free(&info));
    }
    CASE("Fortran");
    info = MPI_INFO_ENV;
    if (OFFERED(MPI_Abi_get_fortran_info, (&info))) {
        CHECK(info != MPI_INFO_ENV);
        if (info != MPI_INFO_NULL)
            CHECK_OK(MPI_Info_free(&info));
    }
    if (OFFERED(MPI_Abi_get_fortran_booleans, ((int)sizeof yes, &yes, &no, &is_set)) && is_set)
        CHECK(yes != no);
    // The first call that sets a value takes effect. A library that already knows the value rejects it.
    yes = 1;
    no = 0;
    int code = MPI_Abi_set_fortran_booleans((int)sizeof yes, &yes, &no);
    CHECK_CLASS(code, MPI_SUCCESS, MPI_ERR_ABI, MPI_ERR_OTHER, MPI_ERR_UNSUPPORTED_OPERATION);
    if (code == MPI_SUCCESS) {
        CHECK_CLASS(MPI_Abi_set_fortran_booleans((int)sizeof yes, &yes, &no), MPI_ERR_ABI);
        yes = no = 7;
        CHECK_OK(MPI_Abi_get_fortran_booleans((int)sizeof yes, &yes, &no, &is_set));
        CHECK(is_set && yes == 1 && no == 0);
    }
    code = MPI_Abi_set_fortran_info(MPI_INFO_NULL);
    CHECK_CLASS(code, MPI_SUCCESS, MPI_ERR_ABI, MPI_ERR_OTHER, MPI_ERR_INFO, MPI_ERR_ARG,
                MPI_ERR_UNSUPPORTED_OPERATION);
    return check_end();
}
