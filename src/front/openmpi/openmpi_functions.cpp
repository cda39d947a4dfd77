#include "front/vendors/predefined_functions.hpp"

#include "convert/attribute.hpp"

// The predefined attribute functions of Open MPI's programs. anympi passes the runtime's own functions to the runtime
// instead, so these run only if the program calls them. They ignore the handles.

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

void name_predefined_functions() {
    using known = program_functions<openmpi>;
    std::size_t nulls = 0;
    for (auto* const copy : {OMPI_C_MPI_NULL_COPY_FN, OMPI_C_MPI_COMM_NULL_COPY_FN, OMPI_C_MPI_TYPE_NULL_COPY_FN,
                             OMPI_C_MPI_WIN_NULL_COPY_FN})
        known::null_functions[nulls++] = reinterpret_cast<const void*>(copy);
    for (auto* const remove : {OMPI_C_MPI_NULL_DELETE_FN, OMPI_C_MPI_COMM_NULL_DELETE_FN,
                               OMPI_C_MPI_TYPE_NULL_DELETE_FN, OMPI_C_MPI_WIN_NULL_DELETE_FN})
        known::null_functions[nulls++] = reinterpret_cast<const void*>(remove);
    std::size_t dups = 0;
    for (auto* const dup : {OMPI_C_MPI_DUP_FN, OMPI_C_MPI_COMM_DUP_FN, OMPI_C_MPI_TYPE_DUP_FN, OMPI_C_MPI_WIN_DUP_FN})
        known::dup_functions[dups++] = reinterpret_cast<const void*>(dup);
}

} // namespace anympi
