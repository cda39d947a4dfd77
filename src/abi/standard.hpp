#pragma once

#include "abi/abi.hpp"

#include <cstdint>

namespace anympi {

/// The standard ABI of MPI 5.0 (libmpi_abi.so.1), final values.
/// Names are those of mpi.h with a small "mpi_", so that no macro of any header stands in the way.
struct standard {
    static constexpr abi name = abi::standard;
    static constexpr handle_style handles = handle_style::small_constants;
    /// Of a library: those that have this ABI today are MPICH's, with composite codes (see mpich.hpp).
    static constexpr int class_of(int code) { return code > mpi_ERR_LASTCODE ? code & 0x7f : code; }
    static constexpr bool is_added_code(int code) { return (code & 0x40000000) != 0; }
    static constexpr bool codes_are_classes = false;
    static constexpr int first_code = 16384;         ///< the first number that is no class
    static constexpr int foreign_codes = first_code; ///< where a program finds the codes of other libraries
    static constexpr int program_codes = 0;
    static constexpr bool hides_errors = true;        ///< it may be MPICH
    static constexpr std::uintptr_t errors_throw = 0; ///< no handler for the C++ bindings alone
    static constexpr bool tolerates_faults = false;   ///< no part of the standard
    static constexpr bool small_keyvals = false;
    static constexpr int fortran_keyvals = 0;  ///< what Fortran adds to predefined ones
    static constexpr int absent = -0x7fffffff; ///< no such value in this ABI
    static constexpr std::uintptr_t absent_handle = 0;

    template <object>
    using handle = std::uintptr_t;

    struct status {
        int source, tag, error;
        int internal[5];
    };

    // handle Op
    static constexpr std::uintptr_t mpi_OP_NULL = 0x20;
    static constexpr std::uintptr_t mpi_SUM = 0x21;
    static constexpr std::uintptr_t mpi_MIN = 0x22;
    static constexpr std::uintptr_t mpi_MAX = 0x23;
    static constexpr std::uintptr_t mpi_PROD = 0x24;
    static constexpr std::uintptr_t mpi_BAND = 0x28;
    static constexpr std::uintptr_t mpi_BOR = 0x29;
    static constexpr std::uintptr_t mpi_BXOR = 0x2a;
    static constexpr std::uintptr_t mpi_LAND = 0x30;
    static constexpr std::uintptr_t mpi_LOR = 0x31;
    static constexpr std::uintptr_t mpi_LXOR = 0x32;
    static constexpr std::uintptr_t mpi_MINLOC = 0x38;
    static constexpr std::uintptr_t mpi_MAXLOC = 0x39;
    static constexpr std::uintptr_t mpi_REPLACE = 0x3c;
    static constexpr std::uintptr_t mpi_NO_OP = 0x3d;

    // handle Comm
    static constexpr std::uintptr_t mpi_COMM_NULL = 0x100;
    static constexpr std::uintptr_t mpi_COMM_WORLD = 0x101;
    static constexpr std::uintptr_t mpi_COMM_SELF = 0x102;

    // handle Group
    static constexpr std::uintptr_t mpi_GROUP_NULL = 0x108;
    static constexpr std::uintptr_t mpi_GROUP_EMPTY = 0x109;

    // handle Win
    static constexpr std::uintptr_t mpi_WIN_NULL = 0x110;

    // handle File
    static constexpr std::uintptr_t mpi_FILE_NULL = 0x118;

    // handle Session
    static constexpr std::uintptr_t mpi_SESSION_NULL = 0x120;

    // handle Message
    static constexpr std::uintptr_t mpi_MESSAGE_NULL = 0x128;
    static constexpr std::uintptr_t mpi_MESSAGE_NO_PROC = 0x129;

    // handle Info
    static constexpr std::uintptr_t mpi_INFO_NULL = 0x130;
    static constexpr std::uintptr_t mpi_INFO_ENV = 0x131;

    // handle Errhandler
    static constexpr std::uintptr_t mpi_ERRHANDLER_NULL = 0x140;
    static constexpr std::uintptr_t mpi_ERRORS_ARE_FATAL = 0x141;
    static constexpr std::uintptr_t mpi_ERRORS_ABORT = 0x142;
    static constexpr std::uintptr_t mpi_ERRORS_RETURN = 0x143;

    // handle Request
    static constexpr std::uintptr_t mpi_REQUEST_NULL = 0x180;

    // handle Datatype
    static constexpr std::uintptr_t mpi_DATATYPE_NULL = 0x200;
    static constexpr std::uintptr_t mpi_AINT = 0x201;
    static constexpr std::uintptr_t mpi_COUNT = 0x202;
    static constexpr std::uintptr_t mpi_OFFSET = 0x203;
    static constexpr std::uintptr_t mpi_PACKED = 0x207;
    static constexpr std::uintptr_t mpi_SHORT = 0x208;
    static constexpr std::uintptr_t mpi_INT = 0x209;
    static constexpr std::uintptr_t mpi_LONG = 0x20a;
    static constexpr std::uintptr_t mpi_LONG_LONG = 0x20b;
    static constexpr std::uintptr_t mpi_LONG_LONG_INT = 0x20b;
    static constexpr std::uintptr_t mpi_UNSIGNED_SHORT = 0x20c;
    static constexpr std::uintptr_t mpi_UNSIGNED = 0x20d;
    static constexpr std::uintptr_t mpi_UNSIGNED_LONG = 0x20e;
    static constexpr std::uintptr_t mpi_UNSIGNED_LONG_LONG = 0x20f;
    static constexpr std::uintptr_t mpi_FLOAT = 0x210;
    static constexpr std::uintptr_t mpi_C_FLOAT_COMPLEX = 0x212;
    static constexpr std::uintptr_t mpi_C_COMPLEX = 0x212;
    static constexpr std::uintptr_t mpi_CXX_FLOAT_COMPLEX = 0x213;
    static constexpr std::uintptr_t mpi_DOUBLE = 0x214;
    static constexpr std::uintptr_t mpi_C_DOUBLE_COMPLEX = 0x216;
    static constexpr std::uintptr_t mpi_CXX_DOUBLE_COMPLEX = 0x217;
    static constexpr std::uintptr_t mpi_LOGICAL = 0x218;
    static constexpr std::uintptr_t mpi_INTEGER = 0x219;
    static constexpr std::uintptr_t mpi_REAL = 0x21a;
    static constexpr std::uintptr_t mpi_COMPLEX = 0x21b;
    static constexpr std::uintptr_t mpi_DOUBLE_PRECISION = 0x21c;
    static constexpr std::uintptr_t mpi_DOUBLE_COMPLEX = 0x21d;
    static constexpr std::uintptr_t mpi_CHARACTER = 0x21e;
    static constexpr std::uintptr_t mpi_LONG_DOUBLE = 0x220;
    static constexpr std::uintptr_t mpi_C_LONG_DOUBLE_COMPLEX = 0x224;
    static constexpr std::uintptr_t mpi_CXX_LONG_DOUBLE_COMPLEX = 0x225;
    static constexpr std::uintptr_t mpi_FLOAT_INT = 0x228;
    static constexpr std::uintptr_t mpi_DOUBLE_INT = 0x229;
    static constexpr std::uintptr_t mpi_LONG_INT = 0x22a;
    static constexpr std::uintptr_t mpi_2INT = 0x22b;
    static constexpr std::uintptr_t mpi_SHORT_INT = 0x22c;
    static constexpr std::uintptr_t mpi_LONG_DOUBLE_INT = 0x22d;
    static constexpr std::uintptr_t mpi_2REAL = 0x230;
    static constexpr std::uintptr_t mpi_2DOUBLE_PRECISION = 0x231;
    static constexpr std::uintptr_t mpi_2INTEGER = 0x232;
    static constexpr std::uintptr_t mpi_C_BOOL = 0x238;
    static constexpr std::uintptr_t mpi_CXX_BOOL = 0x239;
    static constexpr std::uintptr_t mpi_WCHAR = 0x23c;
    static constexpr std::uintptr_t mpi_INT8_T = 0x240;
    static constexpr std::uintptr_t mpi_UINT8_T = 0x241;
    static constexpr std::uintptr_t mpi_CHAR = 0x243;
    static constexpr std::uintptr_t mpi_SIGNED_CHAR = 0x244;
    static constexpr std::uintptr_t mpi_UNSIGNED_CHAR = 0x245;
    static constexpr std::uintptr_t mpi_BYTE = 0x247;
    static constexpr std::uintptr_t mpi_INT16_T = 0x248;
    static constexpr std::uintptr_t mpi_UINT16_T = 0x249;
    static constexpr std::uintptr_t mpi_INT32_T = 0x250;
    static constexpr std::uintptr_t mpi_UINT32_T = 0x251;
    static constexpr std::uintptr_t mpi_INT64_T = 0x258;
    static constexpr std::uintptr_t mpi_UINT64_T = 0x259;
    static constexpr std::uintptr_t mpi_LOGICAL1 = 0x2c0;
    static constexpr std::uintptr_t mpi_INTEGER1 = 0x2c1;
    static constexpr std::uintptr_t mpi_LOGICAL2 = 0x2c8;
    static constexpr std::uintptr_t mpi_INTEGER2 = 0x2c9;
    static constexpr std::uintptr_t mpi_REAL2 = 0x2ca;
    static constexpr std::uintptr_t mpi_LOGICAL4 = 0x2d0;
    static constexpr std::uintptr_t mpi_INTEGER4 = 0x2d1;
    static constexpr std::uintptr_t mpi_REAL4 = 0x2d2;
    static constexpr std::uintptr_t mpi_COMPLEX4 = 0x2d3;
    static constexpr std::uintptr_t mpi_LOGICAL8 = 0x2d8;
    static constexpr std::uintptr_t mpi_INTEGER8 = 0x2d9;
    static constexpr std::uintptr_t mpi_REAL8 = 0x2da;
    static constexpr std::uintptr_t mpi_COMPLEX8 = 0x2db;
    static constexpr std::uintptr_t mpi_LOGICAL16 = 0x2e0;
    static constexpr std::uintptr_t mpi_INTEGER16 = 0x2e1;
    static constexpr std::uintptr_t mpi_REAL16 = 0x2e2;
    static constexpr std::uintptr_t mpi_COMPLEX16 = 0x2e3;
    static constexpr std::uintptr_t mpi_COMPLEX32 = 0x2eb;

    // error_class
    static constexpr int mpi_SUCCESS = 0;
    static constexpr int mpi_ERR_BUFFER = 1;
    static constexpr int mpi_ERR_COUNT = 2;
    static constexpr int mpi_ERR_TYPE = 3;
    static constexpr int mpi_ERR_TAG = 4;
    static constexpr int mpi_ERR_COMM = 5;
    static constexpr int mpi_ERR_RANK = 6;
    static constexpr int mpi_ERR_REQUEST = 7;
    static constexpr int mpi_ERR_ROOT = 8;
    static constexpr int mpi_ERR_GROUP = 9;
    static constexpr int mpi_ERR_OP = 10;
    static constexpr int mpi_ERR_TOPOLOGY = 11;
    static constexpr int mpi_ERR_DIMS = 12;
    static constexpr int mpi_ERR_ARG = 13;
    static constexpr int mpi_ERR_UNKNOWN = 14;
    static constexpr int mpi_ERR_TRUNCATE = 15;
    static constexpr int mpi_ERR_OTHER = 16;
    static constexpr int mpi_ERR_INTERN = 17;
    static constexpr int mpi_ERR_PENDING = 18;
    static constexpr int mpi_ERR_IN_STATUS = 19;
    static constexpr int mpi_ERR_ACCESS = 20;
    static constexpr int mpi_ERR_AMODE = 21;
    static constexpr int mpi_ERR_ASSERT = 22;
    static constexpr int mpi_ERR_BAD_FILE = 23;
    static constexpr int mpi_ERR_BASE = 24;
    static constexpr int mpi_ERR_CONVERSION = 25;
    static constexpr int mpi_ERR_DISP = 26;
    static constexpr int mpi_ERR_DUP_DATAREP = 27;
    static constexpr int mpi_ERR_FILE_EXISTS = 28;
    static constexpr int mpi_ERR_FILE_IN_USE = 29;
    static constexpr int mpi_ERR_FILE = 30;
    static constexpr int mpi_ERR_INFO_KEY = 31;
    static constexpr int mpi_ERR_INFO_NOKEY = 32;
    static constexpr int mpi_ERR_INFO_VALUE = 33;
    static constexpr int mpi_ERR_INFO = 34;
    static constexpr int mpi_ERR_IO = 35;
    static constexpr int mpi_ERR_KEYVAL = 36;
    static constexpr int mpi_ERR_LOCKTYPE = 37;
    static constexpr int mpi_ERR_NAME = 38;
    static constexpr int mpi_ERR_NO_MEM = 39;
    static constexpr int mpi_ERR_NOT_SAME = 40;
    static constexpr int mpi_ERR_NO_SPACE = 41;
    static constexpr int mpi_ERR_NO_SUCH_FILE = 42;
    static constexpr int mpi_ERR_PORT = 43;
    static constexpr int mpi_ERR_QUOTA = 44;
    static constexpr int mpi_ERR_READ_ONLY = 45;
    static constexpr int mpi_ERR_RMA_ATTACH = 46;
    static constexpr int mpi_ERR_RMA_CONFLICT = 47;
    static constexpr int mpi_ERR_RMA_RANGE = 48;
    static constexpr int mpi_ERR_RMA_SHARED = 49;
    static constexpr int mpi_ERR_RMA_SYNC = 50;
    static constexpr int mpi_ERR_SERVICE = 51;
    static constexpr int mpi_ERR_SIZE = 52;
    static constexpr int mpi_ERR_SPAWN = 53;
    static constexpr int mpi_ERR_UNSUPPORTED_DATAREP = 54;
    static constexpr int mpi_ERR_UNSUPPORTED_OPERATION = 55;
    static constexpr int mpi_ERR_WIN = 56;
    static constexpr int mpi_ERR_RMA_FLAVOR = 57;
    static constexpr int mpi_ERR_PROC_ABORTED = 58;
    static constexpr int mpi_ERR_VALUE_TOO_LARGE = 59;
    static constexpr int mpi_ERR_SESSION = 60;
    static constexpr int mpi_ERR_ERRHANDLER = 61;
    static constexpr int mpi_ERR_ABI = 62;
    static constexpr int mpi_T_ERR_CANNOT_INIT = 1001;
    static constexpr int mpi_T_ERR_NOT_ACCESSIBLE = 1002;
    static constexpr int mpi_T_ERR_NOT_INITIALIZED = 1003;
    static constexpr int mpi_T_ERR_NOT_SUPPORTED = 1004;
    static constexpr int mpi_T_ERR_MEMORY = 1005;
    static constexpr int mpi_T_ERR_INVALID = 1006;
    static constexpr int mpi_T_ERR_INVALID_INDEX = 1007;
    static constexpr int mpi_T_ERR_INVALID_ITEM = 1008;
    static constexpr int mpi_T_ERR_INVALID_SESSION = 1009;
    static constexpr int mpi_T_ERR_INVALID_HANDLE = 1010;
    static constexpr int mpi_T_ERR_INVALID_NAME = 1011;
    static constexpr int mpi_T_ERR_OUT_OF_HANDLES = 1012;
    static constexpr int mpi_T_ERR_OUT_OF_SESSIONS = 1013;
    static constexpr int mpi_T_ERR_CVAR_SET_NOT_NOW = 1014;
    static constexpr int mpi_T_ERR_CVAR_SET_NEVER = 1015;
    static constexpr int mpi_T_ERR_PVAR_NO_WRITE = 1016;
    static constexpr int mpi_T_ERR_PVAR_NO_STARTSTOP = 1017;
    static constexpr int mpi_T_ERR_PVAR_NO_ATOMIC = 1018;
    static constexpr int mpi_ERR_LASTCODE = 16383;

    // buffer_address
    static constexpr std::intptr_t mpi_BOTTOM = 0;
    static constexpr std::intptr_t mpi_IN_PLACE = 1;
    static constexpr std::intptr_t mpi_BUFFER_AUTOMATIC = 2;

    // empty_address
    static constexpr std::intptr_t mpi_ARGV_NULL = 0;
    static constexpr std::intptr_t mpi_ARGVS_NULL = 0;
    static constexpr std::intptr_t mpi_ERRCODES_IGNORE = 0;
    static constexpr std::intptr_t mpi_STATUS_IGNORE = 0;
    static constexpr std::intptr_t mpi_STATUSES_IGNORE = 0;
    static constexpr std::intptr_t mpi_UNWEIGHTED = 10;
    static constexpr std::intptr_t mpi_WEIGHTS_EMPTY = 11;

    // string_size
    static constexpr int mpi_MAX_DATAREP_STRING = 128;
    static constexpr int mpi_MAX_ERROR_STRING = 512;
    static constexpr int mpi_MAX_INFO_KEY = 256;
    static constexpr int mpi_MAX_INFO_VAL = 1024;
    static constexpr int mpi_MAX_LIBRARY_VERSION_STRING = 8192;
    static constexpr int mpi_MAX_OBJECT_NAME = 128;
    static constexpr int mpi_MAX_PORT_NAME = 1024;
    static constexpr int mpi_MAX_PROCESSOR_NAME = 256;
    static constexpr int mpi_MAX_STRINGTAG_LEN = 1024;
    static constexpr int mpi_MAX_PSET_NAME_LEN = 1024;

    // size
    static constexpr int mpi_BSEND_OVERHEAD = 512;

    // access_mode
    static constexpr int mpi_MODE_APPEND = 1;
    static constexpr int mpi_MODE_CREATE = 2;
    static constexpr int mpi_MODE_DELETE_ON_CLOSE = 4;
    static constexpr int mpi_MODE_EXCL = 8;
    static constexpr int mpi_MODE_RDONLY = 16;
    static constexpr int mpi_MODE_RDWR = 32;
    static constexpr int mpi_MODE_SEQUENTIAL = 64;
    static constexpr int mpi_MODE_UNIQUE_OPEN = 128;
    static constexpr int mpi_MODE_WRONLY = 256;

    // assert
    static constexpr int mpi_MODE_NOCHECK = 1024;
    static constexpr int mpi_MODE_NOPRECEDE = 2048;
    static constexpr int mpi_MODE_NOPUT = 4096;
    static constexpr int mpi_MODE_NOSTORE = 8192;
    static constexpr int mpi_MODE_NOSUCCEED = 16384;

    // rank
    static constexpr int mpi_ANY_SOURCE = -1;
    static constexpr int mpi_PROC_NULL = -3;
    static constexpr int mpi_ROOT = -4;

    // tag
    static constexpr int mpi_ANY_TAG = -2;

    // undefined
    static constexpr int mpi_UNDEFINED = -32766;

    // thread_level
    static constexpr int mpi_THREAD_SINGLE = 0;
    static constexpr int mpi_THREAD_FUNNELED = 1024;
    static constexpr int mpi_THREAD_SERIALIZED = 2048;
    static constexpr int mpi_THREAD_MULTIPLE = 4096;

    // order
    static constexpr int mpi_ORDER_C = 12;
    static constexpr int mpi_ORDER_FORTRAN = 15;

    // distribution
    static constexpr int mpi_DISTRIBUTE_NONE = 16;
    static constexpr int mpi_DISTRIBUTE_BLOCK = 17;
    static constexpr int mpi_DISTRIBUTE_CYCLIC = 18;

    // distribution_arg
    static constexpr int mpi_DISTRIBUTE_DFLT_DARG = 19;

    // combiner
    static constexpr int mpi_COMBINER_NAMED = 101;
    static constexpr int mpi_COMBINER_DUP = 102;
    static constexpr int mpi_COMBINER_CONTIGUOUS = 103;
    static constexpr int mpi_COMBINER_VECTOR = 104;
    static constexpr int mpi_COMBINER_HVECTOR = 105;
    static constexpr int mpi_COMBINER_INDEXED = 106;
    static constexpr int mpi_COMBINER_HINDEXED = 107;
    static constexpr int mpi_COMBINER_INDEXED_BLOCK = 108;
    static constexpr int mpi_COMBINER_HINDEXED_BLOCK = 109;
    static constexpr int mpi_COMBINER_STRUCT = 110;
    static constexpr int mpi_COMBINER_SUBARRAY = 111;
    static constexpr int mpi_COMBINER_DARRAY = 112;
    static constexpr int mpi_COMBINER_F90_REAL = 113;
    static constexpr int mpi_COMBINER_F90_COMPLEX = 114;
    static constexpr int mpi_COMBINER_F90_INTEGER = 115;
    static constexpr int mpi_COMBINER_RESIZED = 116;
    static constexpr int mpi_COMBINER_VALUE_INDEX = 117;

    // typeclass
    static constexpr int mpi_TYPECLASS_LOGICAL = 191;
    static constexpr int mpi_TYPECLASS_INTEGER = 192;
    static constexpr int mpi_TYPECLASS_REAL = 193;
    static constexpr int mpi_TYPECLASS_COMPLEX = 194;

    // comparison
    static constexpr int mpi_IDENT = 201;
    static constexpr int mpi_CONGRUENT = 202;
    static constexpr int mpi_SIMILAR = 203;
    static constexpr int mpi_UNEQUAL = 204;

    // topology
    static constexpr int mpi_CART = 211;
    static constexpr int mpi_GRAPH = 212;
    static constexpr int mpi_DIST_GRAPH = 213;

    // split_type
    static constexpr int mpi_COMM_TYPE_SHARED = 221;
    static constexpr int mpi_COMM_TYPE_HW_UNGUIDED = 222;
    static constexpr int mpi_COMM_TYPE_HW_GUIDED = 223;
    static constexpr int mpi_COMM_TYPE_RESOURCE_GUIDED = 224;

    // lock_type
    static constexpr int mpi_LOCK_EXCLUSIVE = 301;
    static constexpr int mpi_LOCK_SHARED = 302;

    // win_flavor
    static constexpr int mpi_WIN_FLAVOR_CREATE = 311;
    static constexpr int mpi_WIN_FLAVOR_ALLOCATE = 312;
    static constexpr int mpi_WIN_FLAVOR_DYNAMIC = 313;
    static constexpr int mpi_WIN_FLAVOR_SHARED = 314;

    // win_model
    static constexpr int mpi_WIN_UNIFIED = 321;
    static constexpr int mpi_WIN_SEPARATE = 322;

    // whence
    static constexpr int mpi_SEEK_CUR = 401;
    static constexpr int mpi_SEEK_END = 402;
    static constexpr int mpi_SEEK_SET = 403;

    // view_offset
    static constexpr std::int64_t mpi_DISPLACEMENT_CURRENT = -1;

    // keyval
    static constexpr int mpi_KEYVAL_INVALID = 0;
    static constexpr int mpi_TAG_UB = 501;
    static constexpr int mpi_IO = 502;
    static constexpr int mpi_HOST = 503;
    static constexpr int mpi_WTIME_IS_GLOBAL = 504;
    static constexpr int mpi_APPNUM = 505;
    static constexpr int mpi_LASTUSEDCODE = 506;
    static constexpr int mpi_UNIVERSE_SIZE = 507;
    static constexpr int mpi_WIN_BASE = 601;
    static constexpr int mpi_WIN_DISP_UNIT = 602;
    static constexpr int mpi_WIN_SIZE = 603;
    static constexpr int mpi_WIN_CREATE_FLAVOR = 604;
    static constexpr int mpi_WIN_MODEL = 605;

    // handle T_enum
    static constexpr std::uintptr_t mpi_T_ENUM_NULL = 0;

    // handle T_cvar_handle
    static constexpr std::uintptr_t mpi_T_CVAR_HANDLE_NULL = 0;

    // handle T_pvar_session
    static constexpr std::uintptr_t mpi_T_PVAR_SESSION_NULL = 0;

    // handle T_pvar_handle
    static constexpr std::uintptr_t mpi_T_PVAR_HANDLE_NULL = 0;
    static constexpr std::uintptr_t mpi_T_PVAR_ALL_HANDLES = 1;

    // t_cb_safety
    static constexpr int mpi_T_CB_REQUIRE_NONE = 0;
    static constexpr int mpi_T_CB_REQUIRE_MPI_RESTRICTED = 3;
    static constexpr int mpi_T_CB_REQUIRE_THREAD_SAFE = 15;
    static constexpr int mpi_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE = 63;

    // t_source_order
    static constexpr int mpi_T_SOURCE_ORDERED = 1;
    static constexpr int mpi_T_SOURCE_UNORDERED = 2;

    // t_verbosity
    static constexpr int mpi_T_VERBOSITY_USER_BASIC = 9;
    static constexpr int mpi_T_VERBOSITY_USER_DETAIL = 10;
    static constexpr int mpi_T_VERBOSITY_USER_ALL = 12;
    static constexpr int mpi_T_VERBOSITY_TUNER_BASIC = 17;
    static constexpr int mpi_T_VERBOSITY_TUNER_DETAIL = 18;
    static constexpr int mpi_T_VERBOSITY_TUNER_ALL = 20;
    static constexpr int mpi_T_VERBOSITY_MPIDEV_BASIC = 33;
    static constexpr int mpi_T_VERBOSITY_MPIDEV_DETAIL = 34;
    static constexpr int mpi_T_VERBOSITY_MPIDEV_ALL = 36;

    // t_bind
    static constexpr int mpi_T_BIND_NO_OBJECT = 1;
    static constexpr int mpi_T_BIND_MPI_COMM = 2;
    static constexpr int mpi_T_BIND_MPI_DATATYPE = 3;
    static constexpr int mpi_T_BIND_MPI_ERRHANDLER = 4;
    static constexpr int mpi_T_BIND_MPI_FILE = 5;
    static constexpr int mpi_T_BIND_MPI_GROUP = 6;
    static constexpr int mpi_T_BIND_MPI_OP = 7;
    static constexpr int mpi_T_BIND_MPI_REQUEST = 8;
    static constexpr int mpi_T_BIND_MPI_WIN = 9;
    static constexpr int mpi_T_BIND_MPI_MESSAGE = 10;
    static constexpr int mpi_T_BIND_MPI_INFO = 11;
    static constexpr int mpi_T_BIND_MPI_SESSION = 12;

    // t_scope
    static constexpr int mpi_T_SCOPE_CONSTANT = 1;
    static constexpr int mpi_T_SCOPE_READONLY = 2;
    static constexpr int mpi_T_SCOPE_LOCAL = 3;
    static constexpr int mpi_T_SCOPE_GROUP = 4;
    static constexpr int mpi_T_SCOPE_GROUP_EQ = 5;
    static constexpr int mpi_T_SCOPE_ALL = 6;
    static constexpr int mpi_T_SCOPE_ALL_EQ = 7;

    // t_pvar_class
    static constexpr int mpi_T_PVAR_CLASS_STATE = 1;
    static constexpr int mpi_T_PVAR_CLASS_LEVEL = 2;
    static constexpr int mpi_T_PVAR_CLASS_SIZE = 3;
    static constexpr int mpi_T_PVAR_CLASS_PERCENTAGE = 4;
    static constexpr int mpi_T_PVAR_CLASS_HIGHWATERMARK = 5;
    static constexpr int mpi_T_PVAR_CLASS_LOWWATERMARK = 6;
    static constexpr int mpi_T_PVAR_CLASS_COUNTER = 7;
    static constexpr int mpi_T_PVAR_CLASS_AGGREGATE = 8;
    static constexpr int mpi_T_PVAR_CLASS_TIMER = 9;
    static constexpr int mpi_T_PVAR_CLASS_GENERIC = 10;

    // not in this ABI
    static constexpr int mpi_COMBINER_HVECTOR_INTEGER = absent;
    static constexpr int mpi_COMBINER_HINDEXED_INTEGER = absent;
    static constexpr int mpi_COMBINER_STRUCT_INTEGER = absent;

    /// Predefined attribute functions of communicators, datatypes, windows: addresses that are never called.
    static constexpr std::uintptr_t null_copy[] = {0, 0, 0};
    static constexpr std::uintptr_t dup[] = {1, 1, 1};
    static constexpr std::uintptr_t null_delete[] = {0, 0, 0};
};

static_assert(sizeof(standard::status) == 32 && alignof(standard::status) == 4);

} // namespace anympi
