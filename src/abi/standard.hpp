#pragma once

#include "abi/abi.hpp"

#include <cstdint>

namespace anympi {

/// The standard ABI of MPI 5.0 (libmpi_abi.so.1), final values.
/// Names are those of mpi.h without "MPI_", so that a test can include the real header beside this one.
struct standard {
    static constexpr abi name = abi::standard;
    static constexpr handle_style handles = handle_style::small_constants;
    static constexpr int absent = -0x7fffffff; ///< no such value in this ABI

    template <object>
    using handle = std::uintptr_t;

    struct status {
        int source, tag, error;
        int internal[5];
    };

    // handle Op
    static constexpr std::uintptr_t OP_NULL = 0x20;
    static constexpr std::uintptr_t SUM = 0x21;
    static constexpr std::uintptr_t MIN = 0x22;
    static constexpr std::uintptr_t MAX = 0x23;
    static constexpr std::uintptr_t PROD = 0x24;
    static constexpr std::uintptr_t BAND = 0x28;
    static constexpr std::uintptr_t BOR = 0x29;
    static constexpr std::uintptr_t BXOR = 0x2a;
    static constexpr std::uintptr_t LAND = 0x30;
    static constexpr std::uintptr_t LOR = 0x31;
    static constexpr std::uintptr_t LXOR = 0x32;
    static constexpr std::uintptr_t MINLOC = 0x38;
    static constexpr std::uintptr_t MAXLOC = 0x39;
    static constexpr std::uintptr_t REPLACE = 0x3c;
    static constexpr std::uintptr_t NO_OP = 0x3d;

    // handle Comm
    static constexpr std::uintptr_t COMM_NULL = 0x100;
    static constexpr std::uintptr_t COMM_WORLD = 0x101;
    static constexpr std::uintptr_t COMM_SELF = 0x102;

    // handle Group
    static constexpr std::uintptr_t GROUP_NULL = 0x108;
    static constexpr std::uintptr_t GROUP_EMPTY = 0x109;

    // handle Win
    static constexpr std::uintptr_t WIN_NULL = 0x110;

    // handle File
    static constexpr std::uintptr_t FILE_NULL = 0x118;

    // handle Session
    static constexpr std::uintptr_t SESSION_NULL = 0x120;

    // handle Message
    static constexpr std::uintptr_t MESSAGE_NULL = 0x128;
    static constexpr std::uintptr_t MESSAGE_NO_PROC = 0x129;

    // handle Info
    static constexpr std::uintptr_t INFO_NULL = 0x130;
    static constexpr std::uintptr_t INFO_ENV = 0x131;

    // handle Errhandler
    static constexpr std::uintptr_t ERRHANDLER_NULL = 0x140;
    static constexpr std::uintptr_t ERRORS_ARE_FATAL = 0x141;
    static constexpr std::uintptr_t ERRORS_ABORT = 0x142;
    static constexpr std::uintptr_t ERRORS_RETURN = 0x143;

    // handle Request
    static constexpr std::uintptr_t REQUEST_NULL = 0x180;

    // handle Datatype
    static constexpr std::uintptr_t DATATYPE_NULL = 0x200;
    static constexpr std::uintptr_t AINT = 0x201;
    static constexpr std::uintptr_t COUNT = 0x202;
    static constexpr std::uintptr_t OFFSET = 0x203;
    static constexpr std::uintptr_t PACKED = 0x207;
    static constexpr std::uintptr_t SHORT = 0x208;
    static constexpr std::uintptr_t INT = 0x209;
    static constexpr std::uintptr_t LONG = 0x20a;
    static constexpr std::uintptr_t LONG_LONG = 0x20b;
    static constexpr std::uintptr_t LONG_LONG_INT = 0x20b;
    static constexpr std::uintptr_t UNSIGNED_SHORT = 0x20c;
    static constexpr std::uintptr_t UNSIGNED = 0x20d;
    static constexpr std::uintptr_t UNSIGNED_LONG = 0x20e;
    static constexpr std::uintptr_t UNSIGNED_LONG_LONG = 0x20f;
    static constexpr std::uintptr_t FLOAT = 0x210;
    static constexpr std::uintptr_t C_FLOAT_COMPLEX = 0x212;
    static constexpr std::uintptr_t C_COMPLEX = 0x212;
    static constexpr std::uintptr_t CXX_FLOAT_COMPLEX = 0x213;
    static constexpr std::uintptr_t DOUBLE = 0x214;
    static constexpr std::uintptr_t C_DOUBLE_COMPLEX = 0x216;
    static constexpr std::uintptr_t CXX_DOUBLE_COMPLEX = 0x217;
    static constexpr std::uintptr_t LOGICAL = 0x218;
    static constexpr std::uintptr_t INTEGER = 0x219;
    static constexpr std::uintptr_t REAL = 0x21a;
    static constexpr std::uintptr_t COMPLEX = 0x21b;
    static constexpr std::uintptr_t DOUBLE_PRECISION = 0x21c;
    static constexpr std::uintptr_t DOUBLE_COMPLEX = 0x21d;
    static constexpr std::uintptr_t CHARACTER = 0x21e;
    static constexpr std::uintptr_t LONG_DOUBLE = 0x220;
    static constexpr std::uintptr_t C_LONG_DOUBLE_COMPLEX = 0x224;
    static constexpr std::uintptr_t CXX_LONG_DOUBLE_COMPLEX = 0x225;
    static constexpr std::uintptr_t FLOAT_INT = 0x228;
    static constexpr std::uintptr_t DOUBLE_INT = 0x229;
    static constexpr std::uintptr_t LONG_INT = 0x22a;
    static constexpr std::uintptr_t 2INT = 0x22b;
    static constexpr std::uintptr_t SHORT_INT = 0x22c;
    static constexpr std::uintptr_t LONG_DOUBLE_INT = 0x22d;
    static constexpr std::uintptr_t 2REAL = 0x230;
    static constexpr std::uintptr_t 2DOUBLE_PRECISION = 0x231;
    static constexpr std::uintptr_t 2INTEGER = 0x232;
    static constexpr std::uintptr_t C_BOOL = 0x238;
    static constexpr std::uintptr_t CXX_BOOL = 0x239;
    static constexpr std::uintptr_t WCHAR = 0x23c;
    static constexpr std::uintptr_t INT8_T = 0x240;
    static constexpr std::uintptr_t UINT8_T = 0x241;
    static constexpr std::uintptr_t CHAR = 0x243;
    static constexpr std::uintptr_t SIGNED_CHAR = 0x244;
    static constexpr std::uintptr_t UNSIGNED_CHAR = 0x245;
    static constexpr std::uintptr_t BYTE = 0x247;
    static constexpr std::uintptr_t INT16_T = 0x248;
    static constexpr std::uintptr_t UINT16_T = 0x249;
    static constexpr std::uintptr_t INT32_T = 0x250;
    static constexpr std::uintptr_t UINT32_T = 0x251;
    static constexpr std::uintptr_t INT64_T = 0x258;
    static constexpr std::uintptr_t UINT64_T = 0x259;
    static constexpr std::uintptr_t LOGICAL1 = 0x2c0;
    static constexpr std::uintptr_t INTEGER1 = 0x2c1;
    static constexpr std::uintptr_t LOGICAL2 = 0x2c8;
    static constexpr std::uintptr_t INTEGER2 = 0x2c9;
    static constexpr std::uintptr_t REAL2 = 0x2ca;
    static constexpr std::uintptr_t LOGICAL4 = 0x2d0;
    static constexpr std::uintptr_t INTEGER4 = 0x2d1;
    static constexpr std::uintptr_t REAL4 = 0x2d2;
    static constexpr std::uintptr_t COMPLEX4 = 0x2d3;
    static constexpr std::uintptr_t LOGICAL8 = 0x2d8;
    static constexpr std::uintptr_t INTEGER8 = 0x2d9;
    static constexpr std::uintptr_t REAL8 = 0x2da;
    static constexpr std::uintptr_t COMPLEX8 = 0x2db;
    static constexpr std::uintptr_t LOGICAL16 = 0x2e0;
    static constexpr std::uintptr_t INTEGER16 = 0x2e1;
    static constexpr std::uintptr_t REAL16 = 0x2e2;
    static constexpr std::uintptr_t COMPLEX16 = 0x2e3;
    static constexpr std::uintptr_t COMPLEX32 = 0x2eb;

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
    static constexpr int ERR_PENDING = 18;
    static constexpr int ERR_IN_STATUS = 19;
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
    static constexpr int ERR_RMA_ATTACH = 46;
    static constexpr int ERR_RMA_CONFLICT = 47;
    static constexpr int ERR_RMA_RANGE = 48;
    static constexpr int ERR_RMA_SHARED = 49;
    static constexpr int ERR_RMA_SYNC = 50;
    static constexpr int ERR_SERVICE = 51;
    static constexpr int ERR_SIZE = 52;
    static constexpr int ERR_SPAWN = 53;
    static constexpr int ERR_UNSUPPORTED_DATAREP = 54;
    static constexpr int ERR_UNSUPPORTED_OPERATION = 55;
    static constexpr int ERR_WIN = 56;
    static constexpr int ERR_RMA_FLAVOR = 57;
    static constexpr int ERR_PROC_ABORTED = 58;
    static constexpr int ERR_VALUE_TOO_LARGE = 59;
    static constexpr int ERR_SESSION = 60;
    static constexpr int ERR_ERRHANDLER = 61;
    static constexpr int ERR_ABI = 62;
    static constexpr int T_ERR_CANNOT_INIT = 1001;
    static constexpr int T_ERR_NOT_ACCESSIBLE = 1002;
    static constexpr int T_ERR_NOT_INITIALIZED = 1003;
    static constexpr int T_ERR_NOT_SUPPORTED = 1004;
    static constexpr int T_ERR_MEMORY = 1005;
    static constexpr int T_ERR_INVALID = 1006;
    static constexpr int T_ERR_INVALID_INDEX = 1007;
    static constexpr int T_ERR_INVALID_ITEM = 1008;
    static constexpr int T_ERR_INVALID_SESSION = 1009;
    static constexpr int T_ERR_INVALID_HANDLE = 1010;
    static constexpr int T_ERR_INVALID_NAME = 1011;
    static constexpr int T_ERR_OUT_OF_HANDLES = 1012;
    static constexpr int T_ERR_OUT_OF_SESSIONS = 1013;
    static constexpr int T_ERR_CVAR_SET_NOT_NOW = 1014;
    static constexpr int T_ERR_CVAR_SET_NEVER = 1015;
    static constexpr int T_ERR_PVAR_NO_WRITE = 1016;
    static constexpr int T_ERR_PVAR_NO_STARTSTOP = 1017;
    static constexpr int T_ERR_PVAR_NO_ATOMIC = 1018;
    static constexpr int ERR_LASTCODE = 16383;

    // buffer_address
    static constexpr std::intptr_t BOTTOM = 0;
    static constexpr std::intptr_t IN_PLACE = 1;
    static constexpr std::intptr_t BUFFER_AUTOMATIC = 2;

    // empty_address
    static constexpr std::intptr_t ARGV_NULL = 0;
    static constexpr std::intptr_t ARGVS_NULL = 0;
    static constexpr std::intptr_t ERRCODES_IGNORE = 0;
    static constexpr std::intptr_t STATUS_IGNORE = 0;
    static constexpr std::intptr_t STATUSES_IGNORE = 0;
    static constexpr std::intptr_t UNWEIGHTED = 10;
    static constexpr std::intptr_t WEIGHTS_EMPTY = 11;

    // string_size
    static constexpr int MAX_DATAREP_STRING = 128;
    static constexpr int MAX_ERROR_STRING = 512;
    static constexpr int MAX_INFO_KEY = 256;
    static constexpr int MAX_INFO_VAL = 1024;
    static constexpr int MAX_LIBRARY_VERSION_STRING = 8192;
    static constexpr int MAX_OBJECT_NAME = 128;
    static constexpr int MAX_PORT_NAME = 1024;
    static constexpr int MAX_PROCESSOR_NAME = 256;
    static constexpr int MAX_STRINGTAG_LEN = 1024;
    static constexpr int MAX_PSET_NAME_LEN = 1024;

    // size
    static constexpr int BSEND_OVERHEAD = 512;

    // access_mode
    static constexpr int MODE_APPEND = 1;
    static constexpr int MODE_CREATE = 2;
    static constexpr int MODE_DELETE_ON_CLOSE = 4;
    static constexpr int MODE_EXCL = 8;
    static constexpr int MODE_RDONLY = 16;
    static constexpr int MODE_RDWR = 32;
    static constexpr int MODE_SEQUENTIAL = 64;
    static constexpr int MODE_UNIQUE_OPEN = 128;
    static constexpr int MODE_WRONLY = 256;

    // assert
    static constexpr int MODE_NOCHECK = 1024;
    static constexpr int MODE_NOPRECEDE = 2048;
    static constexpr int MODE_NOPUT = 4096;
    static constexpr int MODE_NOSTORE = 8192;
    static constexpr int MODE_NOSUCCEED = 16384;

    // rank
    static constexpr int ANY_SOURCE = -1;
    static constexpr int PROC_NULL = -3;
    static constexpr int ROOT = -4;

    // tag
    static constexpr int ANY_TAG = -2;

    // undefined
    static constexpr int UNDEFINED = -32766;

    // thread_level
    static constexpr int THREAD_SINGLE = 0;
    static constexpr int THREAD_FUNNELED = 1024;
    static constexpr int THREAD_SERIALIZED = 2048;
    static constexpr int THREAD_MULTIPLE = 4096;

    // order
    static constexpr int ORDER_C = 12;
    static constexpr int ORDER_FORTRAN = 15;

    // distribution
    static constexpr int DISTRIBUTE_NONE = 16;
    static constexpr int DISTRIBUTE_BLOCK = 17;
    static constexpr int DISTRIBUTE_CYCLIC = 18;

    // distribution_arg
    static constexpr int DISTRIBUTE_DFLT_DARG = 19;

    // combiner
    static constexpr int COMBINER_NAMED = 101;
    static constexpr int COMBINER_DUP = 102;
    static constexpr int COMBINER_CONTIGUOUS = 103;
    static constexpr int COMBINER_VECTOR = 104;
    static constexpr int COMBINER_HVECTOR = 105;
    static constexpr int COMBINER_INDEXED = 106;
    static constexpr int COMBINER_HINDEXED = 107;
    static constexpr int COMBINER_INDEXED_BLOCK = 108;
    static constexpr int COMBINER_HINDEXED_BLOCK = 109;
    static constexpr int COMBINER_STRUCT = 110;
    static constexpr int COMBINER_SUBARRAY = 111;
    static constexpr int COMBINER_DARRAY = 112;
    static constexpr int COMBINER_F90_REAL = 113;
    static constexpr int COMBINER_F90_COMPLEX = 114;
    static constexpr int COMBINER_F90_INTEGER = 115;
    static constexpr int COMBINER_RESIZED = 116;
    static constexpr int COMBINER_VALUE_INDEX = 117;

    // typeclass
    static constexpr int TYPECLASS_LOGICAL = 191;
    static constexpr int TYPECLASS_INTEGER = 192;
    static constexpr int TYPECLASS_REAL = 193;
    static constexpr int TYPECLASS_COMPLEX = 194;

    // comparison
    static constexpr int IDENT = 201;
    static constexpr int CONGRUENT = 202;
    static constexpr int SIMILAR = 203;
    static constexpr int UNEQUAL = 204;

    // topology
    static constexpr int CART = 211;
    static constexpr int GRAPH = 212;
    static constexpr int DIST_GRAPH = 213;

    // split_type
    static constexpr int COMM_TYPE_SHARED = 221;
    static constexpr int COMM_TYPE_HW_UNGUIDED = 222;
    static constexpr int COMM_TYPE_HW_GUIDED = 223;
    static constexpr int COMM_TYPE_RESOURCE_GUIDED = 224;

    // lock_type
    static constexpr int LOCK_EXCLUSIVE = 301;
    static constexpr int LOCK_SHARED = 302;

    // win_flavor
    static constexpr int WIN_FLAVOR_CREATE = 311;
    static constexpr int WIN_FLAVOR_ALLOCATE = 312;
    static constexpr int WIN_FLAVOR_DYNAMIC = 313;
    static constexpr int WIN_FLAVOR_SHARED = 314;

    // win_model
    static constexpr int WIN_UNIFIED = 321;
    static constexpr int WIN_SEPARATE = 322;

    // whence
    static constexpr int SEEK_CUR = 401;
    static constexpr int SEEK_END = 402;
    static constexpr int SEEK_SET = 403;

    // view_offset
    static constexpr std::int64_t DISPLACEMENT_CURRENT = -1;

    // keyval
    static constexpr int KEYVAL_INVALID = 0;
    static constexpr int TAG_UB = 501;
    static constexpr int IO = 502;
    static constexpr int HOST = 503;
    static constexpr int WTIME_IS_GLOBAL = 504;
    static constexpr int APPNUM = 505;
    static constexpr int LASTUSEDCODE = 506;
    static constexpr int UNIVERSE_SIZE = 507;
    static constexpr int WIN_BASE = 601;
    static constexpr int WIN_DISP_UNIT = 602;
    static constexpr int WIN_SIZE = 603;
    static constexpr int WIN_CREATE_FLAVOR = 604;
    static constexpr int WIN_MODEL = 605;

    // handle T_enum
    static constexpr std::uintptr_t T_ENUM_NULL = 0;

    // handle T_cvar_handle
    static constexpr std::uintptr_t T_CVAR_HANDLE_NULL = 0;

    // handle T_pvar_session
    static constexpr std::uintptr_t T_PVAR_SESSION_NULL = 0;

    // handle T_pvar_handle
    static constexpr std::uintptr_t T_PVAR_HANDLE_NULL = 0;
    static constexpr std::uintptr_t T_PVAR_ALL_HANDLES = 1;

    // t_cb_safety
    static constexpr int T_CB_REQUIRE_NONE = 0;
    static constexpr int T_CB_REQUIRE_MPI_RESTRICTED = 3;
    static constexpr int T_CB_REQUIRE_THREAD_SAFE = 15;
    static constexpr int T_CB_REQUIRE_ASYNC_SIGNAL_SAFE = 63;

    // t_source_order
    static constexpr int T_SOURCE_ORDERED = 1;
    static constexpr int T_SOURCE_UNORDERED = 2;

    // t_verbosity
    static constexpr int T_VERBOSITY_USER_BASIC = 9;
    static constexpr int T_VERBOSITY_USER_DETAIL = 10;
    static constexpr int T_VERBOSITY_USER_ALL = 12;
    static constexpr int T_VERBOSITY_TUNER_BASIC = 17;
    static constexpr int T_VERBOSITY_TUNER_DETAIL = 18;
    static constexpr int T_VERBOSITY_TUNER_ALL = 20;
    static constexpr int T_VERBOSITY_MPIDEV_BASIC = 33;
    static constexpr int T_VERBOSITY_MPIDEV_DETAIL = 34;
    static constexpr int T_VERBOSITY_MPIDEV_ALL = 36;

    // t_bind
    static constexpr int T_BIND_NO_OBJECT = 1;
    static constexpr int T_BIND_MPI_COMM = 2;
    static constexpr int T_BIND_MPI_DATATYPE = 3;
    static constexpr int T_BIND_MPI_ERRHANDLER = 4;
    static constexpr int T_BIND_MPI_FILE = 5;
    static constexpr int T_BIND_MPI_GROUP = 6;
    static constexpr int T_BIND_MPI_OP = 7;
    static constexpr int T_BIND_MPI_REQUEST = 8;
    static constexpr int T_BIND_MPI_WIN = 9;
    static constexpr int T_BIND_MPI_MESSAGE = 10;
    static constexpr int T_BIND_MPI_INFO = 11;
    static constexpr int T_BIND_MPI_SESSION = 12;

    // t_scope
    static constexpr int T_SCOPE_CONSTANT = 1;
    static constexpr int T_SCOPE_READONLY = 2;
    static constexpr int T_SCOPE_LOCAL = 3;
    static constexpr int T_SCOPE_GROUP = 4;
    static constexpr int T_SCOPE_GROUP_EQ = 5;
    static constexpr int T_SCOPE_ALL = 6;
    static constexpr int T_SCOPE_ALL_EQ = 7;

    // t_pvar_class
    static constexpr int T_PVAR_CLASS_STATE = 1;
    static constexpr int T_PVAR_CLASS_LEVEL = 2;
    static constexpr int T_PVAR_CLASS_SIZE = 3;
    static constexpr int T_PVAR_CLASS_PERCENTAGE = 4;
    static constexpr int T_PVAR_CLASS_HIGHWATERMARK = 5;
    static constexpr int T_PVAR_CLASS_LOWWATERMARK = 6;
    static constexpr int T_PVAR_CLASS_COUNTER = 7;
    static constexpr int T_PVAR_CLASS_AGGREGATE = 8;
    static constexpr int T_PVAR_CLASS_TIMER = 9;
    static constexpr int T_PVAR_CLASS_GENERIC = 10;
};

static_assert(sizeof(standard::status) == 32 && alignof(standard::status) == 4);

} // namespace anympi
