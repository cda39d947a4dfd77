#include "convert/attribute.hpp"

/// The predefined attribute functions of Open MPI's programs. The runtime's own are used in their place, so that they
/// run only if the program calls them itself. The handles are not looked at.

#define PREDEFINED extern "C" __attribute__((visibility("default")))
#define PREDEFINED_FUNCTIONS(CLASS)                                                                                    \
    PREDEFINED int OMPI_C_MPI_##CLASS##NULL_COPY_FN(void*, int, void*, void*, void*, int* flag) {                      \
        *flag = 0;                                                                                                     \
        return 0;                                                                                                      \
    }                                                                                                                  \
    PREDEFINED int OMPI_C_MPI_##CLASS##DUP_FN(void*, int, void*, void* value, void* copied, int* flag) {               \
        *static_cast<void**>(copied) = value;                                                                          \
        *flag = 1;                                                                                                     \
        return 0;                                                                                                      \
    }                                                                                                                  \
    PREDEFINED int OMPI_C_MPI_##CLASS##NULL_DELETE_FN(void*, int, void*, void*) {                                      \
        return 0;                                                                                                      \
    }

PREDEFINED_FUNCTIONS()
PREDEFINED_FUNCTIONS(COMM_)
PREDEFINED_FUNCTIONS(TYPE_)
PREDEFINED_FUNCTIONS(WIN_)

namespace anympi {

namespace {

template <class Function>
bool is_one_of(const void* function, std::initializer_list<Function*> known) {
    for (Function* each : known)
        if (function == reinterpret_cast<const void*>(each))
            return true;
    return false;
}

} // namespace

bool program_functions<openmpi>::is_null(const void* function) {
    return is_one_of(function, {OMPI_C_MPI_NULL_COPY_FN, OMPI_C_MPI_COMM_NULL_COPY_FN, OMPI_C_MPI_TYPE_NULL_COPY_FN,
                                OMPI_C_MPI_WIN_NULL_COPY_FN}) ||
           is_one_of(function, {OMPI_C_MPI_NULL_DELETE_FN, OMPI_C_MPI_COMM_NULL_DELETE_FN,
                                OMPI_C_MPI_TYPE_NULL_DELETE_FN, OMPI_C_MPI_WIN_NULL_DELETE_FN});
}

bool program_functions<openmpi>::is_dup(const void* function) {
    return is_one_of(function,
                     {OMPI_C_MPI_DUP_FN, OMPI_C_MPI_COMM_DUP_FN, OMPI_C_MPI_TYPE_DUP_FN, OMPI_C_MPI_WIN_DUP_FN});
}

} // namespace anympi
