#pragma once

#include "abi/abi.hpp"

#include <cstdint>

namespace anympi {

/// The ABI of MPICH 3.1 and later, Intel MPI, MVAPICH and Cray MPICH (libmpi.so.12).
struct mpich {
    static constexpr abi name = abi::mpich;
    static constexpr handle_style handles = handle_style::integers;
    static constexpr mpi_version newest_version{5, 0};
    static constexpr int absent = -0x7fffffff;                 ///< no such value in this ABI
    static constexpr std::uint32_t absent_handle = 0x0c000000; ///< MPI_DATATYPE_NULL: every function rejects it

    /// Handles are ints; MPI_File is a pointer to an object of ROMIO.
    template <object O>
    using handle = handle_bits<O != object::file>;

    /// The class in bits 29..26 of a handle.
    template <object O>
    static constexpr std::uint32_t class_number = [] {
        constexpr std::uint32_t numbers[object_classes] = {1, 3, 5, 4, 2, 7, 11, 6, 11, 14, 8};
        return numbers[static_cast<int>(O)];
    }();

    /// Codes are composite: the class is in the low bits, the rest says where to find the text.
    static constexpr int class_of(int code) { return code > 0x7f ? code & 0x7f : code; }
    static constexpr bool is_added_code(int code) { return (code & 0x40000000) != 0; }
    static constexpr bool codes_are_classes = false;
    static constexpr int first_code = 0x80;
    static constexpr int foreign_codes = 0x40000000; ///< as added codes, which lie above MPI_ERR_LASTCODE
    static constexpr int program_codes = 0;          ///< none: what a callback returns becomes part of a composite code

    /// 4.3 and later report success once an error handler of the program has returned: any result of a call that
    /// "succeeded" may be a null pointer then.
    static constexpr bool hides_errors = true;

    /// MPIR_ERRORS_THROW_EXCEPTIONS of mpi.h, for the C++ bindings: calls return their code, and inline code throws.
    static constexpr std::uint32_t errors_throw = 0x54000002;

    /// The functions for that are exported, but abort the process (ch4 of MPICH 4.0) or crash (Intel MPI 2021.19).
    static constexpr bool tolerates_faults = false;
    static constexpr bool small_keyvals = false; ///< keyvals have kind bits as handles have, which makes them negative
    static constexpr int fortran_keyvals = 1;    ///< what Fortran adds to predefined ones

    struct status {
        int count_low;
        int count_high_and_cancelled; ///< bit 0: cancelled, bits 31..1: upper part of the count
        int source, tag, error;
    };

    // handle Op
    static constexpr std::uint32_t mpi_OP_NULL = 0x18000000;
    static constexpr std::uint32_t mpi_SUM = 0x58000003;
    static constexpr std::uint32_t mpi_MIN = 0x58000002;
    static constexpr std::uint32_t mpi_MAX = 0x58000001;
    static constexpr std::uint32_t mpi_PROD = 0x58000004;
    static constexpr std::uint32_t mpi_BAND = 0x58000006;
    static constexpr std::uint32_t mpi_BOR = 0x58000008;
    static constexpr std::uint32_t mpi_BXOR = 0x5800000a;
    static constexpr std::uint32_t mpi_LAND = 0x58000005;
    static constexpr std::uint32_t mpi_LOR = 0x58000007;
    static constexpr std::uint32_t mpi_LXOR = 0x58000009;
    static constexpr std::uint32_t mpi_MINLOC = 0x5800000b;
    static constexpr std::uint32_t mpi_MAXLOC = 0x5800000c;
    static constexpr std::uint32_t mpi_REPLACE = 0x5800000d;
    static constexpr std::uint32_t mpi_NO_OP = 0x5800000e;

    // handle Comm
    static constexpr std::uint32_t mpi_COMM_NULL = 0x04000000;
    static constexpr std::uint32_t mpi_COMM_WORLD = 0x44000000;
    static constexpr std::uint32_t mpi_COMM_SELF = 0x44000001;

    // handle Group
    static constexpr std::uint32_t mpi_GROUP_NULL = 0x08000000;
    static constexpr std::uint32_t mpi_GROUP_EMPTY = 0x48000000;

    // handle Win
    static constexpr std::uint32_t mpi_WIN_NULL = 0x20000000;

    // handle File
    static constexpr std::uintptr_t mpi_FILE_NULL = 0;

    // handle Session
    static constexpr std::uint32_t mpi_SESSION_NULL = 0x38000000;

    // handle Message
    static constexpr std::uint32_t mpi_MESSAGE_NULL = 0x2c000000;
    static constexpr std::uint32_t mpi_MESSAGE_NO_PROC = 0x6c000000;

    // handle Info
    static constexpr std::uint32_t mpi_INFO_NULL = 0x1c000000;
    static constexpr std::uint32_t mpi_INFO_ENV = 0x5c000001;

    // handle Errhandler
    static constexpr std::uint32_t mpi_ERRHANDLER_NULL = 0x14000000;
    static constexpr std::uint32_t mpi_ERRORS_ARE_FATAL = 0x54000000;
    static constexpr std::uint32_t mpi_ERRORS_ABORT = 0x54000003;
    static constexpr std::uint32_t mpi_ERRORS_RETURN = 0x54000001;

    // handle Request
    static constexpr std::uint32_t mpi_REQUEST_NULL = 0x2c000000;

    // handle Datatype
    static constexpr std::uint32_t mpi_DATATYPE_NULL = 0x0c000000;
    static constexpr std::uint32_t mpi_AINT = 0x4c000843;
    static constexpr std::uint32_t mpi_COUNT = 0x4c000845;
    static constexpr std::uint32_t mpi_OFFSET = 0x4c000844;
    static constexpr std::uint32_t mpi_PACKED = 0x4c00010f;
    static constexpr std::uint32_t mpi_SHORT = 0x4c000203;
    static constexpr std::uint32_t mpi_INT = 0x4c000405;
    static constexpr std::uint32_t mpi_LONG = 0x4c000807;
    static constexpr std::uint32_t mpi_LONG_LONG = 0x4c000809;
    static constexpr std::uint32_t mpi_LONG_LONG_INT = 0x4c000809;
    static constexpr std::uint32_t mpi_UNSIGNED_SHORT = 0x4c000204;
    static constexpr std::uint32_t mpi_UNSIGNED = 0x4c000406;
    static constexpr std::uint32_t mpi_UNSIGNED_LONG = 0x4c000808;
    static constexpr std::uint32_t mpi_UNSIGNED_LONG_LONG = 0x4c000819;
    static constexpr std::uint32_t mpi_FLOAT = 0x4c00040a;
    static constexpr std::uint32_t mpi_C_FLOAT_COMPLEX = 0x4c000840;
    static constexpr std::uint32_t mpi_C_COMPLEX = 0x4c000840;
    static constexpr std::uint32_t mpi_CXX_FLOAT_COMPLEX = 0x4c000834;
    static constexpr std::uint32_t mpi_DOUBLE = 0x4c00080b;
    static constexpr std::uint32_t mpi_C_DOUBLE_COMPLEX = 0x4c001041;
    static constexpr std::uint32_t mpi_CXX_DOUBLE_COMPLEX = 0x4c001035;
    static constexpr std::uint32_t mpi_LOGICAL = 0x4c00041d;
    static constexpr std::uint32_t mpi_INTEGER = 0x4c00041b;
    static constexpr std::uint32_t mpi_REAL = 0x4c00041c;
    static constexpr std::uint32_t mpi_COMPLEX = 0x4c00081e;
    static constexpr std::uint32_t mpi_DOUBLE_PRECISION = 0x4c00081f;
    static constexpr std::uint32_t mpi_DOUBLE_COMPLEX = 0x4c001022;
    static constexpr std::uint32_t mpi_CHARACTER = 0x4c00011a;
    static constexpr std::uint32_t mpi_LONG_DOUBLE = 0x4c00100c;
    static constexpr std::uint32_t mpi_C_LONG_DOUBLE_COMPLEX = 0x4c002042;
    static constexpr std::uint32_t mpi_CXX_LONG_DOUBLE_COMPLEX = 0x4c002036;
    static constexpr std::uint32_t mpi_FLOAT_INT = 0x8c000000;
    static constexpr std::uint32_t mpi_DOUBLE_INT = 0x8c000001;
    static constexpr std::uint32_t mpi_LONG_INT = 0x8c000002;
    static constexpr std::uint32_t mpi_2INT = 0x4c000816;
    static constexpr std::uint32_t mpi_SHORT_INT = 0x8c000003;
    static constexpr std::uint32_t mpi_LONG_DOUBLE_INT = 0x8c000004;
    static constexpr std::uint32_t mpi_2REAL = 0x4c000821;
    static constexpr std::uint32_t mpi_2DOUBLE_PRECISION = 0x4c001023;
    static constexpr std::uint32_t mpi_2INTEGER = 0x4c000820;
    static constexpr std::uint32_t mpi_C_BOOL = 0x4c00013f;
    static constexpr std::uint32_t mpi_CXX_BOOL = 0x4c000133;
    static constexpr std::uint32_t mpi_WCHAR = 0x4c00040e;
    static constexpr std::uint32_t mpi_INT8_T = 0x4c000137;
    static constexpr std::uint32_t mpi_UINT8_T = 0x4c00013b;
    static constexpr std::uint32_t mpi_CHAR = 0x4c000101;
    static constexpr std::uint32_t mpi_SIGNED_CHAR = 0x4c000118;
    static constexpr std::uint32_t mpi_UNSIGNED_CHAR = 0x4c000102;
    static constexpr std::uint32_t mpi_BYTE = 0x4c00010d;
    static constexpr std::uint32_t mpi_INT16_T = 0x4c000238;
    static constexpr std::uint32_t mpi_UINT16_T = 0x4c00023c;
    static constexpr std::uint32_t mpi_INT32_T = 0x4c000439;
    static constexpr std::uint32_t mpi_UINT32_T = 0x4c00043d;
    static constexpr std::uint32_t mpi_INT64_T = 0x4c00083a;
    static constexpr std::uint32_t mpi_UINT64_T = 0x4c00083e;
    static constexpr std::uint32_t mpi_LOGICAL1 = 0x4c000147;
    static constexpr std::uint32_t mpi_INTEGER1 = 0x4c00012d;
    static constexpr std::uint32_t mpi_LOGICAL2 = 0x4c000248;
    static constexpr std::uint32_t mpi_INTEGER2 = 0x4c00022f;
    static constexpr std::uint32_t mpi_REAL2 = 0x4c000226;
    static constexpr std::uint32_t mpi_LOGICAL4 = 0x4c000449;
    static constexpr std::uint32_t mpi_INTEGER4 = 0x4c000430;
    static constexpr std::uint32_t mpi_REAL4 = 0x4c000427;
    static constexpr std::uint32_t mpi_COMPLEX4 = 0x4c00042e;
    static constexpr std::uint32_t mpi_LOGICAL8 = 0x4c00084a;
    static constexpr std::uint32_t mpi_INTEGER8 = 0x4c000831;
    static constexpr std::uint32_t mpi_REAL8 = 0x4c000829;
    static constexpr std::uint32_t mpi_COMPLEX8 = 0x4c000828;
    static constexpr std::uint32_t mpi_LOGICAL16 = 0x4c00104b;
    static constexpr std::uint32_t mpi_INTEGER16 = 0x4c001032;
    static constexpr std::uint32_t mpi_REAL16 = 0x4c00102b;
    static constexpr std::uint32_t mpi_COMPLEX16 = 0x4c00102a;
    static constexpr std::uint32_t mpi_COMPLEX32 = 0x4c00202c;

    // error_class
    static constexpr int mpi_SUCCESS = 0;
    static constexpr int mpi_ERR_BUFFER = 1;
    static constexpr int mpi_ERR_COUNT = 2;
    static constexpr int mpi_ERR_TYPE = 3;
    static constexpr int mpi_ERR_TAG = 4;
    static constexpr int mpi_ERR_COMM = 5;
    static constexpr int mpi_ERR_RANK = 6;
    static constexpr int mpi_ERR_REQUEST = 19;
    static constexpr int mpi_ERR_ROOT = 7;
    static constexpr int mpi_ERR_GROUP = 8;
    static constexpr int mpi_ERR_OP = 9;
    static constexpr int mpi_ERR_TOPOLOGY = 10;
    static constexpr int mpi_ERR_DIMS = 11;
    static constexpr int mpi_ERR_ARG = 12;
    static constexpr int mpi_ERR_UNKNOWN = 13;
    static constexpr int mpi_ERR_TRUNCATE = 14;
    static constexpr int mpi_ERR_OTHER = 15;
    static constexpr int mpi_ERR_INTERN = 16;
    static constexpr int mpi_ERR_PENDING = 18;
    static constexpr int mpi_ERR_IN_STATUS = 17;
    static constexpr int mpi_ERR_ACCESS = 20;
    static constexpr int mpi_ERR_AMODE = 21;
    static constexpr int mpi_ERR_ASSERT = 53;
    static constexpr int mpi_ERR_BAD_FILE = 22;
    static constexpr int mpi_ERR_BASE = 46;
    static constexpr int mpi_ERR_CONVERSION = 23;
    static constexpr int mpi_ERR_DISP = 52;
    static constexpr int mpi_ERR_DUP_DATAREP = 24;
    static constexpr int mpi_ERR_FILE_EXISTS = 25;
    static constexpr int mpi_ERR_FILE_IN_USE = 26;
    static constexpr int mpi_ERR_FILE = 27;
    static constexpr int mpi_ERR_INFO_KEY = 29;
    static constexpr int mpi_ERR_INFO_NOKEY = 31;
    static constexpr int mpi_ERR_INFO_VALUE = 30;
    static constexpr int mpi_ERR_INFO = 28;
    static constexpr int mpi_ERR_IO = 32;
    static constexpr int mpi_ERR_KEYVAL = 48;
    static constexpr int mpi_ERR_LOCKTYPE = 47;
    static constexpr int mpi_ERR_NAME = 33;
    static constexpr int mpi_ERR_NO_MEM = 34;
    static constexpr int mpi_ERR_NOT_SAME = 35;
    static constexpr int mpi_ERR_NO_SPACE = 36;
    static constexpr int mpi_ERR_NO_SUCH_FILE = 37;
    static constexpr int mpi_ERR_PORT = 38;
    static constexpr int mpi_ERR_QUOTA = 39;
    static constexpr int mpi_ERR_READ_ONLY = 40;
    static constexpr int mpi_ERR_RMA_ATTACH = 56;
    static constexpr int mpi_ERR_RMA_CONFLICT = 49;
    static constexpr int mpi_ERR_RMA_RANGE = 55;
    static constexpr int mpi_ERR_RMA_SHARED = 57;
    static constexpr int mpi_ERR_RMA_SYNC = 50;
    static constexpr int mpi_ERR_SERVICE = 41;
    static constexpr int mpi_ERR_SIZE = 51;
    static constexpr int mpi_ERR_SPAWN = 42;
    static constexpr int mpi_ERR_UNSUPPORTED_DATAREP = 43;
    static constexpr int mpi_ERR_UNSUPPORTED_OPERATION = 44;
    static constexpr int mpi_ERR_WIN = 45;
    static constexpr int mpi_ERR_RMA_FLAVOR = 58;
    static constexpr int mpi_ERR_PROC_ABORTED = 76;
    static constexpr int mpi_ERR_VALUE_TOO_LARGE = 77;
    static constexpr int mpi_ERR_SESSION = 75;
    static constexpr int mpi_ERR_ERRHANDLER = 80;
    static constexpr int mpi_ERR_ABI = 81;
    static constexpr int mpi_T_ERR_CANNOT_INIT = 61;
    static constexpr int mpi_T_ERR_NOT_ACCESSIBLE = 79;
    static constexpr int mpi_T_ERR_NOT_INITIALIZED = 60;
    static constexpr int mpi_T_ERR_NOT_SUPPORTED = 78;
    static constexpr int mpi_T_ERR_MEMORY = 59;
    static constexpr int mpi_T_ERR_INVALID = 74;
    static constexpr int mpi_T_ERR_INVALID_INDEX = 62;
    static constexpr int mpi_T_ERR_INVALID_ITEM = 63;
    static constexpr int mpi_T_ERR_INVALID_SESSION = 67;
    static constexpr int mpi_T_ERR_INVALID_HANDLE = 64;
    static constexpr int mpi_T_ERR_INVALID_NAME = 73;
    static constexpr int mpi_T_ERR_OUT_OF_HANDLES = 65;
    static constexpr int mpi_T_ERR_OUT_OF_SESSIONS = 66;
    static constexpr int mpi_T_ERR_CVAR_SET_NOT_NOW = 68;
    static constexpr int mpi_T_ERR_CVAR_SET_NEVER = 69;
    static constexpr int mpi_T_ERR_PVAR_NO_WRITE = 71;
    static constexpr int mpi_T_ERR_PVAR_NO_STARTSTOP = 70;
    static constexpr int mpi_T_ERR_PVAR_NO_ATOMIC = 72;
    static constexpr int mpi_ERR_LASTCODE = 0x3fffffff;
    // of fault tolerance: MPIX_ERR_PROC_FAILED …
    static constexpr int mpi_ERR_PROC_FAILED = 101;
    static constexpr int mpi_ERR_PROC_FAILED_PENDING = 102;
    static constexpr int mpi_ERR_REVOKED = 103;

    // buffer_address
    static constexpr std::intptr_t mpi_BOTTOM = 0;
    static constexpr std::intptr_t mpi_IN_PLACE = -1;
    static constexpr std::intptr_t mpi_BUFFER_AUTOMATIC = -2;

    // empty_address
    static constexpr std::intptr_t mpi_ARGV_NULL = 0;
    static constexpr std::intptr_t mpi_ARGVS_NULL = 0;
    static constexpr std::intptr_t mpi_ERRCODES_IGNORE = 0;
    static constexpr std::intptr_t mpi_STATUS_IGNORE = 1;
    static constexpr std::intptr_t mpi_STATUSES_IGNORE = 1;

    // string_size
    static constexpr int mpi_MAX_DATAREP_STRING = 128;
    static constexpr int mpi_MAX_ERROR_STRING = 512;
    static constexpr int mpi_MAX_INFO_KEY = 255;
    static constexpr int mpi_MAX_INFO_VAL = 1024;
    static constexpr int mpi_MAX_LIBRARY_VERSION_STRING = 8192;
    static constexpr int mpi_MAX_OBJECT_NAME = 128;
    static constexpr int mpi_MAX_PORT_NAME = 256;
    static constexpr int mpi_MAX_PROCESSOR_NAME = 128;
    static constexpr int mpi_MAX_STRINGTAG_LEN = 256;
    static constexpr int mpi_MAX_PSET_NAME_LEN = 256;

    // size
    static constexpr int mpi_BSEND_OVERHEAD = 96;

    // access_mode
    static constexpr int mpi_MODE_APPEND = 128;
    static constexpr int mpi_MODE_CREATE = 1;
    static constexpr int mpi_MODE_DELETE_ON_CLOSE = 16;
    static constexpr int mpi_MODE_EXCL = 64;
    static constexpr int mpi_MODE_RDONLY = 2;
    static constexpr int mpi_MODE_RDWR = 8;
    static constexpr int mpi_MODE_SEQUENTIAL = 256;
    static constexpr int mpi_MODE_UNIQUE_OPEN = 32;
    static constexpr int mpi_MODE_WRONLY = 4;

    // assert
    static constexpr int mpi_MODE_NOCHECK = 1024;
    static constexpr int mpi_MODE_NOPRECEDE = 8192;
    static constexpr int mpi_MODE_NOPUT = 4096;
    static constexpr int mpi_MODE_NOSTORE = 2048;
    static constexpr int mpi_MODE_NOSUCCEED = 16384;

    // rank
    static constexpr int mpi_ANY_SOURCE = -2;
    static constexpr int mpi_PROC_NULL = -1;
    static constexpr int mpi_ROOT = -3;

    // tag
    static constexpr int mpi_ANY_TAG = -1;

    // undefined
    static constexpr int mpi_UNDEFINED = -32766;

    // thread_level
    static constexpr int mpi_THREAD_SINGLE = 0;
    static constexpr int mpi_THREAD_FUNNELED = 1;
    static constexpr int mpi_THREAD_SERIALIZED = 2;
    static constexpr int mpi_THREAD_MULTIPLE = 3;

    // order
    static constexpr int mpi_ORDER_C = 56;
    static constexpr int mpi_ORDER_FORTRAN = 57;

    // distribution
    static constexpr int mpi_DISTRIBUTE_NONE = 123;
    static constexpr int mpi_DISTRIBUTE_BLOCK = 121;
    static constexpr int mpi_DISTRIBUTE_CYCLIC = 122;

    // distribution_arg
    static constexpr int mpi_DISTRIBUTE_DFLT_DARG = -49767;

    // combiner
    static constexpr int mpi_COMBINER_NAMED = 1;
    static constexpr int mpi_COMBINER_DUP = 2;
    static constexpr int mpi_COMBINER_CONTIGUOUS = 3;
    static constexpr int mpi_COMBINER_VECTOR = 4;
    static constexpr int mpi_COMBINER_HVECTOR = 6;
    static constexpr int mpi_COMBINER_INDEXED = 7;
    static constexpr int mpi_COMBINER_HINDEXED = 9;
    static constexpr int mpi_COMBINER_INDEXED_BLOCK = 10;
    static constexpr int mpi_COMBINER_HINDEXED_BLOCK = 19;
    static constexpr int mpi_COMBINER_STRUCT = 12;
    static constexpr int mpi_COMBINER_SUBARRAY = 13;
    static constexpr int mpi_COMBINER_DARRAY = 14;
    static constexpr int mpi_COMBINER_F90_REAL = 15;
    static constexpr int mpi_COMBINER_F90_COMPLEX = 16;
    static constexpr int mpi_COMBINER_F90_INTEGER = 17;
    static constexpr int mpi_COMBINER_RESIZED = 18;
    static constexpr int mpi_COMBINER_VALUE_INDEX = 20;

    // typeclass
    static constexpr int mpi_TYPECLASS_LOGICAL = absent;
    static constexpr int mpi_TYPECLASS_INTEGER = 2;
    static constexpr int mpi_TYPECLASS_REAL = 1;
    static constexpr int mpi_TYPECLASS_COMPLEX = 3;

    // comparison
    static constexpr int mpi_IDENT = 0;
    static constexpr int mpi_CONGRUENT = 1;
    static constexpr int mpi_SIMILAR = 2;
    static constexpr int mpi_UNEQUAL = 3;

    // topology
    static constexpr int mpi_CART = 2;
    static constexpr int mpi_GRAPH = 1;
    static constexpr int mpi_DIST_GRAPH = 3;

    // split_type
    static constexpr int mpi_COMM_TYPE_SHARED = 1;
    static constexpr int mpi_COMM_TYPE_HW_UNGUIDED = 3;
    static constexpr int mpi_COMM_TYPE_HW_GUIDED = 2;
    static constexpr int mpi_COMM_TYPE_RESOURCE_GUIDED = 4;

    // lock_type
    static constexpr int mpi_LOCK_EXCLUSIVE = 234;
    static constexpr int mpi_LOCK_SHARED = 235;

    // win_flavor
    static constexpr int mpi_WIN_FLAVOR_CREATE = 1;
    static constexpr int mpi_WIN_FLAVOR_ALLOCATE = 2;
    static constexpr int mpi_WIN_FLAVOR_DYNAMIC = 3;
    static constexpr int mpi_WIN_FLAVOR_SHARED = 4;

    // win_model
    static constexpr int mpi_WIN_UNIFIED = 2;
    static constexpr int mpi_WIN_SEPARATE = 1;

    // whence
    static constexpr int mpi_SEEK_CUR = 602;
    static constexpr int mpi_SEEK_END = 604;
    static constexpr int mpi_SEEK_SET = 600;

    // view_offset
    static constexpr std::int64_t mpi_DISPLACEMENT_CURRENT = -54278278;

    // keyval
    static constexpr int mpi_KEYVAL_INVALID = 0x24000000;
    static constexpr int mpi_TAG_UB = 0x64400001;
    static constexpr int mpi_IO = 0x64400005;
    static constexpr int mpi_HOST = 0x64400003;
    static constexpr int mpi_WTIME_IS_GLOBAL = 0x64400007;
    static constexpr int mpi_APPNUM = 0x6440000d;
    static constexpr int mpi_LASTUSEDCODE = 0x6440000b;
    static constexpr int mpi_UNIVERSE_SIZE = 0x64400009;
    static constexpr int mpi_WIN_BASE = 0x66000001;
    static constexpr int mpi_WIN_DISP_UNIT = 0x66000005;
    static constexpr int mpi_WIN_SIZE = 0x66000003;
    static constexpr int mpi_WIN_CREATE_FLAVOR = 0x66000007;
    static constexpr int mpi_WIN_MODEL = 0x66000009;

    // handle T_enum
    static constexpr std::uintptr_t mpi_T_ENUM_NULL = 0;

    // handle T_cvar_handle
    static constexpr std::uintptr_t mpi_T_CVAR_HANDLE_NULL = 0;

    // handle T_pvar_session
    static constexpr std::uintptr_t mpi_T_PVAR_SESSION_NULL = 0;

    // handle T_pvar_handle
    static constexpr std::uintptr_t mpi_T_PVAR_HANDLE_NULL = 0;

    // t_cb_safety
    static constexpr int mpi_T_CB_REQUIRE_NONE = 0;
    static constexpr int mpi_T_CB_REQUIRE_MPI_RESTRICTED = 1;
    static constexpr int mpi_T_CB_REQUIRE_THREAD_SAFE = 2;
    static constexpr int mpi_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE = 3;

    // t_source_order
    static constexpr int mpi_T_SOURCE_ORDERED = 0;
    static constexpr int mpi_T_SOURCE_UNORDERED = 1;

    // t_verbosity
    static constexpr int mpi_T_VERBOSITY_USER_BASIC = 221;
    static constexpr int mpi_T_VERBOSITY_USER_DETAIL = 222;
    static constexpr int mpi_T_VERBOSITY_USER_ALL = 223;
    static constexpr int mpi_T_VERBOSITY_TUNER_BASIC = 224;
    static constexpr int mpi_T_VERBOSITY_TUNER_DETAIL = 225;
    static constexpr int mpi_T_VERBOSITY_TUNER_ALL = 226;
    static constexpr int mpi_T_VERBOSITY_MPIDEV_BASIC = 227;
    static constexpr int mpi_T_VERBOSITY_MPIDEV_DETAIL = 228;
    static constexpr int mpi_T_VERBOSITY_MPIDEV_ALL = 229;

    // t_bind
    static constexpr int mpi_T_BIND_NO_OBJECT = 9700;
    static constexpr int mpi_T_BIND_MPI_COMM = 9701;
    static constexpr int mpi_T_BIND_MPI_DATATYPE = 9702;
    static constexpr int mpi_T_BIND_MPI_ERRHANDLER = 9703;
    static constexpr int mpi_T_BIND_MPI_FILE = 9704;
    static constexpr int mpi_T_BIND_MPI_GROUP = 9705;
    static constexpr int mpi_T_BIND_MPI_OP = 9706;
    static constexpr int mpi_T_BIND_MPI_REQUEST = 9707;
    static constexpr int mpi_T_BIND_MPI_WIN = 9708;
    static constexpr int mpi_T_BIND_MPI_MESSAGE = 9709;
    static constexpr int mpi_T_BIND_MPI_INFO = 9710;
    static constexpr int mpi_T_BIND_MPI_SESSION = 9711;

    // t_scope
    static constexpr int mpi_T_SCOPE_CONSTANT = 60438;
    static constexpr int mpi_T_SCOPE_READONLY = 60439;
    static constexpr int mpi_T_SCOPE_LOCAL = 60440;
    static constexpr int mpi_T_SCOPE_GROUP = 60441;
    static constexpr int mpi_T_SCOPE_GROUP_EQ = 60442;
    static constexpr int mpi_T_SCOPE_ALL = 60443;
    static constexpr int mpi_T_SCOPE_ALL_EQ = 60444;

    // t_pvar_class
    static constexpr int mpi_T_PVAR_CLASS_STATE = 240;
    static constexpr int mpi_T_PVAR_CLASS_LEVEL = 241;
    static constexpr int mpi_T_PVAR_CLASS_SIZE = 242;
    static constexpr int mpi_T_PVAR_CLASS_PERCENTAGE = 243;
    static constexpr int mpi_T_PVAR_CLASS_HIGHWATERMARK = 244;
    static constexpr int mpi_T_PVAR_CLASS_LOWWATERMARK = 245;
    static constexpr int mpi_T_PVAR_CLASS_COUNTER = 246;
    static constexpr int mpi_T_PVAR_CLASS_AGGREGATE = 247;
    static constexpr int mpi_T_PVAR_CLASS_TIMER = 248;
    static constexpr int mpi_T_PVAR_CLASS_GENERIC = 249;

    /// Combiners of MPI-1 that the standard ABI no longer has.
    static constexpr int mpi_COMBINER_HVECTOR_INTEGER = 5;
    static constexpr int mpi_COMBINER_HINDEXED_INTEGER = 8;
    static constexpr int mpi_COMBINER_STRUCT_INTEGER = 11;

    /// By these in a structure MPI-1 moved the bounds of a datatype: their numbers in mpif.h.
    static constexpr int fortran_LB = 0x4c000010;
    static constexpr int fortran_UB = 0x4c000011;

    /// Handles that only newer libraries have. Intel's has MPI_Abi_get_version, but not the types of 2 and 16 bytes,
    /// and MPIX_C_BF16 under the number of MPI_LOGICAL1 (2021.19).
    static constexpr newer_handle newer_handles[] = {
        {mpi_ERRORS_ABORT, "MPI_Session_init"},
        {mpi_LOGICAL1, "MPI_Abi_get_version", "MPIX_Op_create_x"},
        {mpi_LOGICAL2, "MPI_Abi_get_version"},
        {mpi_LOGICAL4, "MPI_Abi_get_version"},
        {mpi_LOGICAL8, "MPI_Abi_get_version"},
        {mpi_LOGICAL16, "MPI_Abi_get_version", "MPIX_Op_create_x"},
        {mpi_INTEGER16, "MPI_Abi_get_version", "MPIX_Op_create_x"},
        {mpi_REAL2, "MPI_Abi_get_version", "MPIX_Op_create_x"},
        {mpi_COMPLEX4, "MPI_Abi_get_version", "MPIX_Op_create_x"},
    };

    /// Sentinels that are the contents of variables of the library.
    static constexpr const char* mpi_UNWEIGHTED = "MPI_UNWEIGHTED";
    static constexpr const char* mpi_WEIGHTS_EMPTY = "MPI_WEIGHTS_EMPTY";
    static constexpr const char* mpi_T_PVAR_ALL_HANDLES = "MPI_T_PVAR_ALL_HANDLES";

    /// Predefined attribute functions: the null functions are 0, the four DUP functions are one.
    static constexpr const char* null_copy[] = {nullptr, nullptr, nullptr};
    static constexpr const char* dup[] = {"MPIR_Dup_fn", "MPIR_Dup_fn", "MPIR_Dup_fn"};
    static constexpr const char* null_delete[] = {nullptr, nullptr, nullptr};
};

static_assert(sizeof(mpich::status) == 20);

} // namespace anympi
