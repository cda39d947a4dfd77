// The predefined objects, which are data of the library.

#include "cxx/openmpi_bindings.hpp"

namespace MPI {

#define HANDLE(CLASS, NAME, OBJECT)                                                                                    \
    extern "C" char OBJECT[];                                                                                          \
    extern const CLASS NAME;                                                                                           \
    const CLASS NAME(handle_at<MPI_##CLASS>(OBJECT));

extern "C" char ompi_mpi_comm_world[], ompi_mpi_comm_self[];
Intracomm COMM_WORLD{Comm_Null(handle_at<MPI_Comm>(ompi_mpi_comm_world))};
Intracomm COMM_SELF{Comm_Null(handle_at<MPI_Comm>(ompi_mpi_comm_self))};
Comm_Null COMM_NULL;
Request REQUEST_NULL;

HANDLE(Datatype, BOOL, ompi_mpi_cxx_bool)
HANDLE(Datatype, BYTE, ompi_mpi_byte)
HANDLE(Datatype, CHAR, ompi_mpi_char)
HANDLE(Datatype, CHARACTER, ompi_mpi_character)
HANDLE(Datatype, COMPLEX, ompi_mpi_cxx_cplex)
HANDLE(Datatype, DATATYPE_NULL, ompi_mpi_datatype_null)
HANDLE(Datatype, DOUBLE, ompi_mpi_double)
HANDLE(Datatype, DOUBLE_COMPLEX, ompi_mpi_cxx_dblcplex)
HANDLE(Datatype, DOUBLE_INT, ompi_mpi_double_int)
HANDLE(Datatype, DOUBLE_PRECISION, ompi_mpi_dblprec)
HANDLE(Datatype, FLOAT, ompi_mpi_float)
HANDLE(Datatype, FLOAT_INT, ompi_mpi_float_int)
HANDLE(Datatype, F_COMPLEX, ompi_mpi_cplex)
HANDLE(Datatype, F_DOUBLE_COMPLEX, ompi_mpi_dblcplex)
HANDLE(Datatype, INT, ompi_mpi_int)
HANDLE(Datatype, INTEGER, ompi_mpi_integer)
HANDLE(Datatype, INTEGER1, ompi_mpi_integer1)
HANDLE(Datatype, INTEGER2, ompi_mpi_integer2)
HANDLE(Datatype, INTEGER4, ompi_mpi_integer4)
HANDLE(Datatype, LOGICAL, ompi_mpi_logical)
HANDLE(Datatype, LONG, ompi_mpi_long)
HANDLE(Datatype, LONG_DOUBLE, ompi_mpi_long_double)
HANDLE(Datatype, LONG_DOUBLE_COMPLEX, ompi_mpi_cxx_ldblcplex)
HANDLE(Datatype, LONG_DOUBLE_INT, ompi_mpi_longdbl_int)
HANDLE(Datatype, LONG_INT, ompi_mpi_long_int)
HANDLE(Datatype, LONG_LONG, ompi_mpi_long_long_int)
HANDLE(Datatype, LONG_LONG_INT, ompi_mpi_long_long_int)
HANDLE(Datatype, PACKED, ompi_mpi_packed)
HANDLE(Datatype, REAL, ompi_mpi_real)
HANDLE(Datatype, REAL2, ompi_mpi_real2)
HANDLE(Datatype, REAL4, ompi_mpi_real4)
HANDLE(Datatype, REAL8, ompi_mpi_real8)
HANDLE(Datatype, SHORT, ompi_mpi_short)
HANDLE(Datatype, SHORT_INT, ompi_mpi_short_int)
HANDLE(Datatype, SIGNED_CHAR, ompi_mpi_signed_char)
HANDLE(Datatype, TWODOUBLE_PRECISION, ompi_mpi_2dblprec)
HANDLE(Datatype, TWOINT, ompi_mpi_2int)
HANDLE(Datatype, TWOINTEGER, ompi_mpi_2integer)
HANDLE(Datatype, TWOREAL, ompi_mpi_2real)
HANDLE(Datatype, UNSIGNED, ompi_mpi_unsigned)
HANDLE(Datatype, UNSIGNED_CHAR, ompi_mpi_unsigned_char)
HANDLE(Datatype, UNSIGNED_LONG, ompi_mpi_unsigned_long)
HANDLE(Datatype, UNSIGNED_LONG_LONG, ompi_mpi_unsigned_long_long)
HANDLE(Datatype, UNSIGNED_SHORT, ompi_mpi_unsigned_short)
HANDLE(Datatype, WCHAR, ompi_mpi_wchar)

HANDLE(Op, BAND, ompi_mpi_op_band)
HANDLE(Op, BOR, ompi_mpi_op_bor)
HANDLE(Op, BXOR, ompi_mpi_op_bxor)
HANDLE(Op, LAND, ompi_mpi_op_land)
HANDLE(Op, LOR, ompi_mpi_op_lor)
HANDLE(Op, LXOR, ompi_mpi_op_lxor)
HANDLE(Op, MAX, ompi_mpi_op_max)
HANDLE(Op, MAXLOC, ompi_mpi_op_maxloc)
HANDLE(Op, MIN, ompi_mpi_op_min)
HANDLE(Op, MINLOC, ompi_mpi_op_minloc)
HANDLE(Op, OP_NULL, ompi_mpi_op_null)
HANDLE(Op, PROD, ompi_mpi_op_prod)
HANDLE(Op, REPLACE, ompi_mpi_op_replace)
HANDLE(Op, SUM, ompi_mpi_op_sum)

HANDLE(Group, GROUP_EMPTY, ompi_mpi_group_empty)
HANDLE(Group, GROUP_NULL, ompi_mpi_group_null)
HANDLE(Info, INFO_NULL, ompi_mpi_info_null)
HANDLE(Win, WIN_NULL, ompi_mpi_win_null)
HANDLE(File, FILE_NULL, ompi_mpi_file_null)

HANDLE(Errhandler, ERRHANDLER_NULL, ompi_mpi_errhandler_null)
HANDLE(Errhandler, ERRORS_ARE_FATAL, ompi_mpi_errors_are_fatal)
HANDLE(Errhandler, ERRORS_RETURN, ompi_mpi_errors_return)
// Open MPI throws exceptions only if it was built with that option, which nobody uses. Other builds print a line and
// continue.
HANDLE(Errhandler, ERRORS_THROW_EXCEPTIONS, ompi_mpi_errors_return)
#undef HANDLE

extern void* const BOTTOM = reinterpret_cast<void*>(values::mpi_BOTTOM);
extern void* const IN_PLACE = reinterpret_cast<void*>(values::mpi_IN_PLACE);
const char** ARGV_NULL = nullptr;
const char*** ARGVS_NULL = nullptr;
int mpi_errno = 0; // receives the error code in libraries that do not throw
extern const char ompi_libcxx_version_string[] = "anympi";

} // namespace MPI
