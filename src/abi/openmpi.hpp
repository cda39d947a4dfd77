#pragma once

#include "abi/abi.hpp"

#include <cstddef>
#include <cstdint>

namespace anympi {

/// The ABI of Open MPI 4 and 5 (libmpi.so.40). A predefined handle is the address of a data symbol: its name stands here.
struct openmpi {
    static constexpr abi name = abi::openmpi;
    static constexpr handle_style handles = handle_style::addresses;
    static constexpr int absent = -0x7fffffff; ///< no such value in this ABI

    template <object>
    using handle = std::uintptr_t;

    struct status {
        int source, tag, error;
        int cancelled;
        std::size_t count; ///< bytes
    };

    // handle Op
    static constexpr const char* OP_NULL = "ompi_mpi_op_null";
    static constexpr const char* SUM = "ompi_mpi_op_sum";
    static constexpr const char* MIN = "ompi_mpi_op_min";
    static constexpr const char* MAX = "ompi_mpi_op_max";
    static constexpr const char* PROD = "ompi_mpi_op_prod";
    static constexpr const char* BAND = "ompi_mpi_op_band";
    static constexpr const char* BOR = "ompi_mpi_op_bor";
    static constexpr const char* BXOR = "ompi_mpi_op_bxor";
    static constexpr const char* LAND = "ompi_mpi_op_land";
    static constexpr const char* LOR = "ompi_mpi_op_lor";
    static constexpr const char* LXOR = "ompi_mpi_op_lxor";
    static constexpr const char* MINLOC = "ompi_mpi_op_minloc";
    static constexpr const char* MAXLOC = "ompi_mpi_op_maxloc";
    static constexpr const char* REPLACE = "ompi_mpi_op_replace";
    static constexpr const char* NO_OP = "ompi_mpi_op_no_op";

    // handle Comm
    static constexpr const char* COMM_NULL = "ompi_mpi_comm_null";
    static constexpr const char* COMM_WORLD = "ompi_mpi_comm_world";
    static constexpr const char* COMM_SELF = "ompi_mpi_comm_self";

    // handle Group
    static constexpr const char* GROUP_NULL = "ompi_mpi_group_null";
    static constexpr const char* GROUP_EMPTY = "ompi_mpi_group_empty";

    // handle Win
    static constexpr const char* WIN_NULL = "ompi_mpi_win_null";

    // handle File
    static constexpr const char* FILE_NULL = "ompi_mpi_file_null";

    // handle Session
    static constexpr const char* SESSION_NULL = "ompi_mpi_instance_null";

    // handle Message
    static constexpr const char* MESSAGE_NULL = "ompi_message_null";
    static constexpr const char* MESSAGE_NO_PROC = "ompi_message_no_proc";

    // handle Info
    static constexpr const char* INFO_NULL = "ompi_mpi_info_null";
    static constexpr const char* INFO_ENV = "ompi_mpi_info_env";

    // handle Errhandler
    static constexpr const char* ERRHANDLER_NULL = "ompi_mpi_errhandler_null";
    static constexpr const char* ERRORS_ARE_FATAL = "ompi_mpi_errors_are_fatal";
    static constexpr const char* ERRORS_ABORT = "ompi_mpi_errors_abort";
    static constexpr const char* ERRORS_RETURN = "ompi_mpi_errors_return";

    // handle Request
    static constexpr const char* REQUEST_NULL = "ompi_request_null";

    // handle Datatype
    static constexpr const char* DATATYPE_NULL = "ompi_mpi_datatype_null";
    static constexpr const char* AINT = "ompi_mpi_aint";
    static constexpr const char* COUNT = "ompi_mpi_count";
    static constexpr const char* OFFSET = "ompi_mpi_offset";
    static constexpr const char* PACKED = "ompi_mpi_packed";
    static constexpr const char* SHORT = "ompi_mpi_short";
    static constexpr const char* INT = "ompi_mpi_int";
    static constexpr const char* LONG = "ompi_mpi_long";
    static constexpr const char* LONG_LONG = "ompi_mpi_long_long_int";
    static constexpr const char* LONG_LONG_INT = "ompi_mpi_long_long_int";
    static constexpr const char* UNSIGNED_SHORT = "ompi_mpi_unsigned_short";
    static constexpr const char* UNSIGNED = "ompi_mpi_unsigned";
    static constexpr const char* UNSIGNED_LONG = "ompi_mpi_unsigned_long";
    static constexpr const char* UNSIGNED_LONG_LONG = "ompi_mpi_unsigned_long_long";
    static constexpr const char* FLOAT = "ompi_mpi_float";
    static constexpr const char* C_FLOAT_COMPLEX = "ompi_mpi_c_float_complex";
    static constexpr const char* C_COMPLEX = "ompi_mpi_c_float_complex";
    static constexpr const char* CXX_FLOAT_COMPLEX = "ompi_mpi_cxx_cplex";
    static constexpr const char* DOUBLE = "ompi_mpi_double";
    static constexpr const char* C_DOUBLE_COMPLEX = "ompi_mpi_c_double_complex";
    static constexpr const char* CXX_DOUBLE_COMPLEX = "ompi_mpi_cxx_dblcplex";
    static constexpr const char* LOGICAL = "ompi_mpi_logical";
    static constexpr const char* INTEGER = "ompi_mpi_integer";
    static constexpr const char* REAL = "ompi_mpi_real";
    static constexpr const char* COMPLEX = "ompi_mpi_cplex";
    static constexpr const char* DOUBLE_PRECISION = "ompi_mpi_dblprec";
    static constexpr const char* DOUBLE_COMPLEX = "ompi_mpi_dblcplex";
    static constexpr const char* CHARACTER = "ompi_mpi_character";
    static constexpr const char* LONG_DOUBLE = "ompi_mpi_long_double";
    static constexpr const char* C_LONG_DOUBLE_COMPLEX = "ompi_mpi_c_long_double_complex";
    static constexpr const char* CXX_LONG_DOUBLE_COMPLEX = "ompi_mpi_cxx_ldblcplex";
    static constexpr const char* FLOAT_INT = "ompi_mpi_float_int";
    static constexpr const char* DOUBLE_INT = "ompi_mpi_double_int";
    static constexpr const char* LONG_INT = "ompi_mpi_long_int";
    static constexpr const char* 2INT = "ompi_mpi_2int";
    static constexpr const char* SHORT_INT = "ompi_mpi_short_int";
    static constexpr const char* LONG_DOUBLE_INT = "ompi_mpi_longdbl_int";
    static constexpr const char* 2REAL = "ompi_mpi_2real";
    static constexpr const char* 2DOUBLE_PRECISION = "ompi_mpi_2dblprec";
    static constexpr const char* 2INTEGER = "ompi_mpi_2integer";
    static constexpr const char* C_BOOL = "ompi_mpi_c_bool";
    static constexpr const char* CXX_BOOL = "ompi_mpi_cxx_bool";
    static constexpr const char* WCHAR = "ompi_mpi_wchar";
    static constexpr const char* INT8_T = "ompi_mpi_int8_t";
    static constexpr const char* UINT8_T = "ompi_mpi_uint8_t";
    static constexpr const char* CHAR = "ompi_mpi_char";
    static constexpr const char* SIGNED_CHAR = "ompi_mpi_signed_char";
    static constexpr const char* UNSIGNED_CHAR = "ompi_mpi_unsigned_char";
    static constexpr const char* BYTE = "ompi_mpi_byte";
    static constexpr const char* INT16_T = "ompi_mpi_int16_t";
    static constexpr const char* UINT16_T = "ompi_mpi_uint16_t";
    static constexpr const char* INT32_T = "ompi_mpi_int32_t";
    static constexpr const char* UINT32_T = "ompi_mpi_uint32_t";
    static constexpr const char* INT64_T = "ompi_mpi_int64_t";
    static constexpr const char* UINT64_T = "ompi_mpi_uint64_t";
    static constexpr const char* LOGICAL1 = "ompi_mpi_logical1";
    static constexpr const char* INTEGER1 = "ompi_mpi_integer1";
    static constexpr const char* LOGICAL2 = "ompi_mpi_logical2";
    static constexpr const char* INTEGER2 = "ompi_mpi_integer2";
    static constexpr const char* REAL2 = "ompi_mpi_real2";
    static constexpr const char* LOGICAL4 = "ompi_mpi_logical4";
    static constexpr const char* INTEGER4 = "ompi_mpi_integer4";
    static constexpr const char* REAL4 = "ompi_mpi_real4";
    static constexpr const char* COMPLEX4 = "ompi_mpi_complex4";
    static constexpr const char* LOGICAL8 = "ompi_mpi_logical8";
    static constexpr const char* INTEGER8 = "ompi_mpi_integer8";
    static constexpr const char* REAL8 = "ompi_mpi_real8";
    static constexpr const char* COMPLEX8 = "ompi_mpi_complex8";
    static constexpr const char* LOGICAL16 = "ompi_mpi_logical16";
    static constexpr const char* INTEGER16 = "ompi_mpi_integer16";
    static constexpr const char* REAL16 = "ompi_mpi_real16";
    static constexpr const char* COMPLEX16 = "ompi_mpi_complex16";
    static constexpr const char* COMPLEX32 = "ompi_mpi_complex32";

    // error_class
    static constexpr int SUCCESS = 0;
    static constexpr int ERR_BUFFER = 1;
    static constexpr int ERR_COUNT = 2;
    static constexpr int ERR_TYPE = 3;
    static constexpr int ERR_TAG = 4;
    static constexpr int ERR_COMM = 5;
    static constexpr int ERR_RANK = 6;
    static constexpr int ERR_REQUEST = 7;
    static constexpr int ERR_ROOT = 8;
    static constexpr int ERR_GROUP = 9;
    static constexpr int ERR_OP = 10;
    static constexpr int ERR_TOPOLOGY = 11;
    static constexpr int ERR_DIMS = 12;
    static constexpr int ERR_ARG = 13;
    static constexpr int ERR_UNKNOWN = 14;
    static constexpr int ERR_TRUNCATE = 15;
    static constexpr int ERR_OTHER = 16;
    static constexpr int ERR_INTERN = 17;
    static constexpr int ERR_PENDING = 19;
    static constexpr int ERR_IN_STATUS = 18;
    static constexpr int ERR_ACCESS = 20;
    static constexpr int ERR_AMODE = 21;
    static constexpr int ERR_ASSERT = 22;
    static constexpr int ERR_BAD_FILE = 23;
    static constexpr int ERR_BASE = 24;
    static constexpr int ERR_CONVERSION = 25;
    static constexpr int ERR_DISP = 26;
    static constexpr int ERR_DUP_DATAREP = 27;
    static constexpr int ERR_FILE_EXISTS = 28;
    static constexpr int ERR_FILE_IN_USE = 29;
    static constexpr int ERR_FILE = 30;
    static constexpr int ERR_INFO_KEY = 31;
    static constexpr int ERR_INFO_NOKEY = 32;
    static constexpr int ERR_INFO_VALUE = 33;
    static constexpr int ERR_INFO = 34;
    static constexpr int ERR_IO = 35;
    static constexpr int ERR_KEYVAL = 36;
    static constexpr int ERR_LOCKTYPE = 37;
    static constexpr int ERR_NAME = 38;
    static constexpr int ERR_NO_MEM = 39;
    static constexpr int ERR_NOT_SAME = 40;
    static constexpr int ERR_NO_SPACE = 41;
    static constexpr int ERR_NO_SUCH_FILE = 42;
    static constexpr int ERR_PORT = 43;
    static constexpr int ERR_QUOTA = 44;
    static constexpr int ERR_READ_ONLY = 45;
    static constexpr int ERR_RMA_ATTACH = 69;
    static constexpr int ERR_RMA_CONFLICT = 46;
    static constexpr int ERR_RMA_RANGE = 68;
    static constexpr int ERR_RMA_SHARED = 71;
    static constexpr int ERR_RMA_SYNC = 47;
    static constexpr int ERR_SERVICE = 48;
    static constexpr int ERR_SIZE = 49;
    static constexpr int ERR_SPAWN = 50;
    static constexpr int ERR_UNSUPPORTED_DATAREP = 51;
    static constexpr int ERR_UNSUPPORTED_OPERATION = 52;
    static constexpr int ERR_WIN = 53;
    static constexpr int ERR_RMA_FLAVOR = 70;
    static constexpr int ERR_PROC_ABORTED = 74;
    static constexpr int ERR_VALUE_TOO_LARGE = 79;
    static constexpr int ERR_SESSION = 78;
    static constexpr int ERR_ERRHANDLER = 80;
    static constexpr int ERR_ABI = 83;
    static constexpr int T_ERR_CANNOT_INIT = 56;
    static constexpr int T_ERR_NOT_ACCESSIBLE = 81;
    static constexpr int T_ERR_NOT_INITIALIZED = 55;
    static constexpr int T_ERR_NOT_SUPPORTED = 82;
    static constexpr int T_ERR_MEMORY = 54;
    static constexpr int T_ERR_INVALID = 72;
    static constexpr int T_ERR_INVALID_INDEX = 57;
    static constexpr int T_ERR_INVALID_ITEM = 58;
    static constexpr int T_ERR_INVALID_SESSION = 62;
    static constexpr int T_ERR_INVALID_HANDLE = 59;
    static constexpr int T_ERR_INVALID_NAME = 73;
    static constexpr int T_ERR_OUT_OF_HANDLES = 60;
    static constexpr int T_ERR_OUT_OF_SESSIONS = 61;
    static constexpr int T_ERR_CVAR_SET_NOT_NOW = 63;
    static constexpr int T_ERR_CVAR_SET_NEVER = 64;
    static constexpr int T_ERR_PVAR_NO_WRITE = 66;
    static constexpr int T_ERR_PVAR_NO_STARTSTOP = 65;
    static constexpr int T_ERR_PVAR_NO_ATOMIC = 67;
    static constexpr int ERR_LASTCODE = 92;

    // buffer_address
    static constexpr std::intptr_t BOTTOM = 0;
    static constexpr std::intptr_t IN_PLACE = 1;
    static constexpr std::intptr_t BUFFER_AUTOMATIC = 4;

    // empty_address
    static constexpr std::intptr_t ARGV_NULL = 0;
    static constexpr std::intptr_t ARGVS_NULL = 0;
    static constexpr std::intptr_t ERRCODES_IGNORE = 0;
    static constexpr std::intptr_t STATUS_IGNORE = 0;
    static constexpr std::intptr_t STATUSES_IGNORE = 0;
    static constexpr std::intptr_t UNWEIGHTED = 2;
    static constexpr std::intptr_t WEIGHTS_EMPTY = 3;

    // string_size
    static constexpr int MAX_DATAREP_STRING = 128;
    static constexpr int MAX_ERROR_STRING = 256;
    static constexpr int MAX_INFO_KEY = 36;
    static constexpr int MAX_INFO_VAL = 256;
    static constexpr int MAX_LIBRARY_VERSION_STRING = 256;
    static constexpr int MAX_OBJECT_NAME = 64;
    static constexpr int MAX_PORT_NAME = 1024;
    static constexpr int MAX_PROCESSOR_NAME = 256;
    static constexpr int MAX_STRINGTAG_LEN = 1024;
    static constexpr int MAX_PSET_NAME_LEN = 512;

    // size
    static constexpr int BSEND_OVERHEAD = 128;

    // access_mode
    static constexpr int MODE_APPEND = 128;
    static constexpr int MODE_CREATE = 1;
    static constexpr int MODE_DELETE_ON_CLOSE = 16;
    static constexpr int MODE_EXCL = 64;
    static constexpr int MODE_RDONLY = 2;
    static constexpr int MODE_RDWR = 8;
    static constexpr int MODE_SEQUENTIAL = 256;
    static constexpr int MODE_UNIQUE_OPEN = 32;
    static constexpr int MODE_WRONLY = 4;

    // assert
    static constexpr int MODE_NOCHECK = 1;
    static constexpr int MODE_NOPRECEDE = 2;
    static constexpr int MODE_NOPUT = 4;
    static constexpr int MODE_NOSTORE = 8;
    static constexpr int MODE_NOSUCCEED = 16;

    // rank
    static constexpr int ANY_SOURCE = -1;
    static constexpr int PROC_NULL = -2;
    static constexpr int ROOT = -4;

    // tag
    static constexpr int ANY_TAG = -1;

    // undefined
    static constexpr int UNDEFINED = -32766;

    // thread_level
    static constexpr int THREAD_SINGLE = 0;
    static constexpr int THREAD_FUNNELED = 1;
    static constexpr int THREAD_SERIALIZED = 2;
    static constexpr int THREAD_MULTIPLE = 3;

    // order
    static constexpr int ORDER_C = 0;
    static constexpr int ORDER_FORTRAN = 1;

    // distribution
    static constexpr int DISTRIBUTE_NONE = 2;
    static constexpr int DISTRIBUTE_BLOCK = 0;
    static constexpr int DISTRIBUTE_CYCLIC = 1;

    // distribution_arg
    static constexpr int DISTRIBUTE_DFLT_DARG = -1;

    // combiner
    static constexpr int COMBINER_NAMED = 0;
    static constexpr int COMBINER_DUP = 1;
    static constexpr int COMBINER_CONTIGUOUS = 2;
    static constexpr int COMBINER_VECTOR = 3;
    static constexpr int COMBINER_HVECTOR = 5;
    static constexpr int COMBINER_INDEXED = 6;
    static constexpr int COMBINER_HINDEXED = 8;
    static constexpr int COMBINER_INDEXED_BLOCK = 9;
    static constexpr int COMBINER_HINDEXED_BLOCK = 18;
    static constexpr int COMBINER_STRUCT = 11;
    static constexpr int COMBINER_SUBARRAY = 12;
    static constexpr int COMBINER_DARRAY = 13;
    static constexpr int COMBINER_F90_REAL = 14;
    static constexpr int COMBINER_F90_COMPLEX = 15;
    static constexpr int COMBINER_F90_INTEGER = 16;
    static constexpr int COMBINER_RESIZED = 17;
    static constexpr int COMBINER_VALUE_INDEX = 19;

    // typeclass
    static constexpr int TYPECLASS_LOGICAL = absent;
    static constexpr int TYPECLASS_INTEGER = 1;
    static constexpr int TYPECLASS_REAL = 2;
    static constexpr int TYPECLASS_COMPLEX = 3;

    // comparison
    static constexpr int IDENT = 0;
    static constexpr int CONGRUENT = 1;
    static constexpr int SIMILAR = 2;
    static constexpr int UNEQUAL = 3;

    // topology
    static constexpr int CART = 1;
    static constexpr int GRAPH = 2;
    static constexpr int DIST_GRAPH = 3;

    // split_type
    static constexpr int COMM_TYPE_SHARED = 0;
    static constexpr int COMM_TYPE_HW_UNGUIDED = 12;
    static constexpr int COMM_TYPE_HW_GUIDED = 13;
    static constexpr int COMM_TYPE_RESOURCE_GUIDED = 14;

    // lock_type
    static constexpr int LOCK_EXCLUSIVE = 1;
    static constexpr int LOCK_SHARED = 2;

    // win_flavor
    static constexpr int WIN_FLAVOR_CREATE = 1;
    static constexpr int WIN_FLAVOR_ALLOCATE = 2;
    static constexpr int WIN_FLAVOR_DYNAMIC = 3;
    static constexpr int WIN_FLAVOR_SHARED = 4;

    // win_model
    static constexpr int WIN_UNIFIED = 0;
    static constexpr int WIN_SEPARATE = 1;

    // whence
    static constexpr int SEEK_CUR = 602;
    static constexpr int SEEK_END = 604;
    static constexpr int SEEK_SET = 600;

    // view_offset
    static constexpr std::int64_t DISPLACEMENT_CURRENT = -54278278;

    // keyval
    static constexpr int KEYVAL_INVALID = -1;
    static constexpr int TAG_UB = 0;
    static constexpr int IO = 2;
    static constexpr int HOST = 1;
    static constexpr int WTIME_IS_GLOBAL = 3;
    static constexpr int APPNUM = 4;
    static constexpr int LASTUSEDCODE = 5;
    static constexpr int UNIVERSE_SIZE = 6;
    static constexpr int WIN_BASE = 7;
    static constexpr int WIN_DISP_UNIT = 9;
    static constexpr int WIN_SIZE = 8;
    static constexpr int WIN_CREATE_FLAVOR = 10;
    static constexpr int WIN_MODEL = 11;

    // handle T_enum
    static constexpr std::uintptr_t T_ENUM_NULL = 0;

    // handle T_cvar_handle
    static constexpr std::uintptr_t T_CVAR_HANDLE_NULL = 0;

    // handle T_pvar_session
    static constexpr std::uintptr_t T_PVAR_SESSION_NULL = 0;

    // handle T_pvar_handle
    static constexpr std::uintptr_t T_PVAR_HANDLE_NULL = 0;
    static constexpr std::uintptr_t T_PVAR_ALL_HANDLES = ~std::uintptr_t{0};

    // t_cb_safety
    static constexpr int T_CB_REQUIRE_NONE = 0;
    static constexpr int T_CB_REQUIRE_MPI_RESTRICTED = 1;
    static constexpr int T_CB_REQUIRE_THREAD_SAFE = 2;
    static constexpr int T_CB_REQUIRE_ASYNC_SIGNAL_SAFE = 3;

    // t_source_order
    static constexpr int T_SOURCE_ORDERED = 0;
    static constexpr int T_SOURCE_UNORDERED = 1;

    // t_verbosity
    static constexpr int T_VERBOSITY_USER_BASIC = 0;
    static constexpr int T_VERBOSITY_USER_DETAIL = 1;
    static constexpr int T_VERBOSITY_USER_ALL = 2;
    static constexpr int T_VERBOSITY_TUNER_BASIC = 3;
    static constexpr int T_VERBOSITY_TUNER_DETAIL = 4;
    static constexpr int T_VERBOSITY_TUNER_ALL = 5;
    static constexpr int T_VERBOSITY_MPIDEV_BASIC = 6;
    static constexpr int T_VERBOSITY_MPIDEV_DETAIL = 7;
    static constexpr int T_VERBOSITY_MPIDEV_ALL = 8;

    // t_bind
    static constexpr int T_BIND_NO_OBJECT = 0;
    static constexpr int T_BIND_MPI_COMM = 1;
    static constexpr int T_BIND_MPI_DATATYPE = 2;
    static constexpr int T_BIND_MPI_ERRHANDLER = 3;
    static constexpr int T_BIND_MPI_FILE = 4;
    static constexpr int T_BIND_MPI_GROUP = 5;
    static constexpr int T_BIND_MPI_OP = 6;
    static constexpr int T_BIND_MPI_REQUEST = 7;
    static constexpr int T_BIND_MPI_WIN = 8;
    static constexpr int T_BIND_MPI_MESSAGE = 9;
    static constexpr int T_BIND_MPI_INFO = 10;
    static constexpr int T_BIND_MPI_SESSION = 11;

    // t_scope
    static constexpr int T_SCOPE_CONSTANT = 0;
    static constexpr int T_SCOPE_READONLY = 1;
    static constexpr int T_SCOPE_LOCAL = 2;
    static constexpr int T_SCOPE_GROUP = 3;
    static constexpr int T_SCOPE_GROUP_EQ = 4;
    static constexpr int T_SCOPE_ALL = 5;
    static constexpr int T_SCOPE_ALL_EQ = 6;

    // t_pvar_class
    static constexpr int T_PVAR_CLASS_STATE = 0;
    static constexpr int T_PVAR_CLASS_LEVEL = 1;
    static constexpr int T_PVAR_CLASS_SIZE = 2;
    static constexpr int T_PVAR_CLASS_PERCENTAGE = 3;
    static constexpr int T_PVAR_CLASS_HIGHWATERMARK = 4;
    static constexpr int T_PVAR_CLASS_LOWWATERMARK = 5;
    static constexpr int T_PVAR_CLASS_COUNTER = 6;
    static constexpr int T_PVAR_CLASS_AGGREGATE = 7;
    static constexpr int T_PVAR_CLASS_TIMER = 8;
    static constexpr int T_PVAR_CLASS_GENERIC = 9;

    /// Combiners of MPI-1 that the standard ABI no longer has.
    static constexpr int COMBINER_HVECTOR_INTEGER = 4;
    static constexpr int COMBINER_HINDEXED_INTEGER = 7;
    static constexpr int COMBINER_STRUCT_INTEGER = 10;

    static constexpr const char* automatic_buffers = "MPI_Buffer_flush";     ///< came with MPI_BUFFER_AUTOMATIC
    static constexpr const char* guided_split = "ompi_mpi_instance_null";    ///< came with the hardware split types

    /// Predefined attribute functions of communicators, datatypes and windows.
    static constexpr const char* null_copy[] = {"OMPI_C_MPI_COMM_NULL_COPY_FN", "OMPI_C_MPI_TYPE_NULL_COPY_FN",
                                                "OMPI_C_MPI_WIN_NULL_COPY_FN"};
    static constexpr const char* dup[] = {"OMPI_C_MPI_COMM_DUP_FN", "OMPI_C_MPI_TYPE_DUP_FN", "OMPI_C_MPI_WIN_DUP_FN"};
    static constexpr const char* null_delete[] = {"OMPI_C_MPI_COMM_NULL_DELETE_FN", "OMPI_C_MPI_TYPE_NULL_DELETE_FN",
                                                  "OMPI_C_MPI_WIN_NULL_DELETE_FN"};

    /// Numbers that MPI_*_c2f gives to user objects start low: keyvals and integers are kept clear of the program's constants.
    static constexpr int first_dynamic_keyval = 12;
};

static_assert(sizeof(openmpi::status) == 24);

} // namespace anympi
