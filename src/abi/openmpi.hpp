#pragma once

#include "abi/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace anympi {

/// The ABI of Open MPI 4 and 5 (libmpi.so.40). A predefined handle is the address of a data symbol: its name stands
/// here.
struct openmpi {
    static constexpr abi name = abi::openmpi;
    static constexpr handle_style handles = handle_style::addresses;
    static constexpr mpi_version newest_version{3, 1}; ///< up to Open MPI 5.0
    static constexpr int absent = -0x7fffffff;         ///< no such value in this ABI
    static constexpr std::uintptr_t absent_handle = 0;

    template <object>
    using handle = std::uintptr_t;

    /// Codes are classes or added ones, all small. Any other number that a callback returns comes back from the outer
    /// call as it is, so a program's numbers travel above this one.
    static constexpr int class_of(int code) { return code; }
    static constexpr bool is_added_code(int code) { return code > mpi_ERR_LASTCODE; }
    static constexpr bool codes_are_classes = true; ///< programs compare what calls return with classes
    static constexpr int first_code = 93;           ///< behind MPI_ERR_LASTCODE
    static constexpr int foreign_codes = 0;
    static constexpr int program_codes = 0x40000000;

    static constexpr bool hides_errors = false;       ///< success means success
    static constexpr std::uintptr_t errors_throw = 0; ///< no handler for the C++ bindings alone
    static constexpr bool tolerates_faults = true;    ///< where it has the functions for that (5.0), they work
    static constexpr bool small_keyvals = true;       ///< keyvals are counted from the predefined ones on
    static constexpr int fortran_keyvals = 0;         ///< what Fortran adds to predefined ones

    /// It lies inside a standard program's status, which is made of ints.
    struct [[gnu::packed, gnu::aligned(4)]] status {
        int source, tag, error;
        int cancelled;
        std::size_t count; ///< bytes
    };

    // handle Op
    static constexpr const char* mpi_OP_NULL = "ompi_mpi_op_null";
    static constexpr const char* mpi_SUM = "ompi_mpi_op_sum";
    static constexpr const char* mpi_MIN = "ompi_mpi_op_min";
    static constexpr const char* mpi_MAX = "ompi_mpi_op_max";
    static constexpr const char* mpi_PROD = "ompi_mpi_op_prod";
    static constexpr const char* mpi_BAND = "ompi_mpi_op_band";
    static constexpr const char* mpi_BOR = "ompi_mpi_op_bor";
    static constexpr const char* mpi_BXOR = "ompi_mpi_op_bxor";
    static constexpr const char* mpi_LAND = "ompi_mpi_op_land";
    static constexpr const char* mpi_LOR = "ompi_mpi_op_lor";
    static constexpr const char* mpi_LXOR = "ompi_mpi_op_lxor";
    static constexpr const char* mpi_MINLOC = "ompi_mpi_op_minloc";
    static constexpr const char* mpi_MAXLOC = "ompi_mpi_op_maxloc";
    static constexpr const char* mpi_REPLACE = "ompi_mpi_op_replace";
    static constexpr const char* mpi_NO_OP = "ompi_mpi_op_no_op";

    // handle Comm
    static constexpr const char* mpi_COMM_NULL = "ompi_mpi_comm_null";
    static constexpr const char* mpi_COMM_WORLD = "ompi_mpi_comm_world";
    static constexpr const char* mpi_COMM_SELF = "ompi_mpi_comm_self";

    // handle Group
    static constexpr const char* mpi_GROUP_NULL = "ompi_mpi_group_null";
    static constexpr const char* mpi_GROUP_EMPTY = "ompi_mpi_group_empty";

    // handle Win
    static constexpr const char* mpi_WIN_NULL = "ompi_mpi_win_null";

    // handle File
    static constexpr const char* mpi_FILE_NULL = "ompi_mpi_file_null";

    // handle Session
    static constexpr const char* mpi_SESSION_NULL = "ompi_mpi_instance_null";

    // handle Message
    static constexpr const char* mpi_MESSAGE_NULL = "ompi_message_null";
    static constexpr const char* mpi_MESSAGE_NO_PROC = "ompi_message_no_proc";

    // handle Info
    static constexpr const char* mpi_INFO_NULL = "ompi_mpi_info_null";
    static constexpr const char* mpi_INFO_ENV = "ompi_mpi_info_env";

    // handle Errhandler
    static constexpr const char* mpi_ERRHANDLER_NULL = "ompi_mpi_errhandler_null";
    static constexpr const char* mpi_ERRORS_ARE_FATAL = "ompi_mpi_errors_are_fatal";
    static constexpr const char* mpi_ERRORS_ABORT = "ompi_mpi_errors_abort";
    static constexpr const char* mpi_ERRORS_RETURN = "ompi_mpi_errors_return";

    // handle Request
    static constexpr const char* mpi_REQUEST_NULL = "ompi_request_null";

    // handle Datatype
    static constexpr const char* mpi_DATATYPE_NULL = "ompi_mpi_datatype_null";
    static constexpr const char* mpi_AINT = "ompi_mpi_aint";
    static constexpr const char* mpi_COUNT = "ompi_mpi_count";
    static constexpr const char* mpi_OFFSET = "ompi_mpi_offset";
    static constexpr const char* mpi_PACKED = "ompi_mpi_packed";
    static constexpr const char* mpi_SHORT = "ompi_mpi_short";
    static constexpr const char* mpi_INT = "ompi_mpi_int";
    static constexpr const char* mpi_LONG = "ompi_mpi_long";
    static constexpr const char* mpi_LONG_LONG = "ompi_mpi_long_long_int";
    static constexpr const char* mpi_LONG_LONG_INT = "ompi_mpi_long_long_int";
    static constexpr const char* mpi_UNSIGNED_SHORT = "ompi_mpi_unsigned_short";
    static constexpr const char* mpi_UNSIGNED = "ompi_mpi_unsigned";
    static constexpr const char* mpi_UNSIGNED_LONG = "ompi_mpi_unsigned_long";
    static constexpr const char* mpi_UNSIGNED_LONG_LONG = "ompi_mpi_unsigned_long_long";
    static constexpr const char* mpi_FLOAT = "ompi_mpi_float";
    static constexpr const char* mpi_C_FLOAT_COMPLEX = "ompi_mpi_c_float_complex";
    static constexpr const char* mpi_C_COMPLEX = "ompi_mpi_c_float_complex";
    static constexpr const char* mpi_CXX_FLOAT_COMPLEX = "ompi_mpi_cxx_cplex";
    static constexpr const char* mpi_DOUBLE = "ompi_mpi_double";
    static constexpr const char* mpi_C_DOUBLE_COMPLEX = "ompi_mpi_c_double_complex";
    static constexpr const char* mpi_CXX_DOUBLE_COMPLEX = "ompi_mpi_cxx_dblcplex";
    static constexpr const char* mpi_LOGICAL = "ompi_mpi_logical";
    static constexpr const char* mpi_INTEGER = "ompi_mpi_integer";
    static constexpr const char* mpi_REAL = "ompi_mpi_real";
    static constexpr const char* mpi_COMPLEX = "ompi_mpi_cplex";
    static constexpr const char* mpi_DOUBLE_PRECISION = "ompi_mpi_dblprec";
    static constexpr const char* mpi_DOUBLE_COMPLEX = "ompi_mpi_dblcplex";
    static constexpr const char* mpi_CHARACTER = "ompi_mpi_character";
    static constexpr const char* mpi_LONG_DOUBLE = "ompi_mpi_long_double";
    static constexpr const char* mpi_C_LONG_DOUBLE_COMPLEX = "ompi_mpi_c_long_double_complex";
    static constexpr const char* mpi_CXX_LONG_DOUBLE_COMPLEX = "ompi_mpi_cxx_ldblcplex";
    static constexpr const char* mpi_FLOAT_INT = "ompi_mpi_float_int";
    static constexpr const char* mpi_DOUBLE_INT = "ompi_mpi_double_int";
    static constexpr const char* mpi_LONG_INT = "ompi_mpi_long_int";
    static constexpr const char* mpi_2INT = "ompi_mpi_2int";
    static constexpr const char* mpi_SHORT_INT = "ompi_mpi_short_int";
    static constexpr const char* mpi_LONG_DOUBLE_INT = "ompi_mpi_longdbl_int";
    static constexpr const char* mpi_2REAL = "ompi_mpi_2real";
    static constexpr const char* mpi_2DOUBLE_PRECISION = "ompi_mpi_2dblprec";
    static constexpr const char* mpi_2INTEGER = "ompi_mpi_2integer";
    static constexpr const char* mpi_C_BOOL = "ompi_mpi_c_bool";
    static constexpr const char* mpi_CXX_BOOL = "ompi_mpi_cxx_bool";
    static constexpr const char* mpi_WCHAR = "ompi_mpi_wchar";
    static constexpr const char* mpi_INT8_T = "ompi_mpi_int8_t";
    static constexpr const char* mpi_UINT8_T = "ompi_mpi_uint8_t";
    static constexpr const char* mpi_CHAR = "ompi_mpi_char";
    static constexpr const char* mpi_SIGNED_CHAR = "ompi_mpi_signed_char";
    static constexpr const char* mpi_UNSIGNED_CHAR = "ompi_mpi_unsigned_char";
    static constexpr const char* mpi_BYTE = "ompi_mpi_byte";
    static constexpr const char* mpi_INT16_T = "ompi_mpi_int16_t";
    static constexpr const char* mpi_UINT16_T = "ompi_mpi_uint16_t";
    static constexpr const char* mpi_INT32_T = "ompi_mpi_int32_t";
    static constexpr const char* mpi_UINT32_T = "ompi_mpi_uint32_t";
    static constexpr const char* mpi_INT64_T = "ompi_mpi_int64_t";
    static constexpr const char* mpi_UINT64_T = "ompi_mpi_uint64_t";
    static constexpr const char* mpi_LOGICAL1 = "ompi_mpi_logical1";
    static constexpr const char* mpi_INTEGER1 = "ompi_mpi_integer1";
    static constexpr const char* mpi_LOGICAL2 = "ompi_mpi_logical2";
    static constexpr const char* mpi_INTEGER2 = "ompi_mpi_integer2";
    static constexpr const char* mpi_REAL2 = "ompi_mpi_real2";
    static constexpr const char* mpi_LOGICAL4 = "ompi_mpi_logical4";
    static constexpr const char* mpi_INTEGER4 = "ompi_mpi_integer4";
    static constexpr const char* mpi_REAL4 = "ompi_mpi_real4";
    static constexpr const char* mpi_COMPLEX4 = "ompi_mpi_complex4";
    static constexpr const char* mpi_LOGICAL8 = "ompi_mpi_logical8";
    static constexpr const char* mpi_INTEGER8 = "ompi_mpi_integer8";
    static constexpr const char* mpi_REAL8 = "ompi_mpi_real8";
    static constexpr const char* mpi_COMPLEX8 = "ompi_mpi_complex8";
    static constexpr const char* mpi_LOGICAL16 = "ompi_mpi_logical16";
    static constexpr const char* mpi_INTEGER16 = "ompi_mpi_integer16";
    static constexpr const char* mpi_REAL16 = "ompi_mpi_real16";
    static constexpr const char* mpi_COMPLEX16 = "ompi_mpi_complex16";
    static constexpr const char* mpi_COMPLEX32 = "ompi_mpi_complex32";

    /// What Fortran programs call predefined objects: their places in the tables of the classes. Objects of later
    /// versions than 5.0 have none here.
    struct fortran_number {
        std::string_view object;
        int number;
    };
    static constexpr fortran_number fortran_numbers[] = {
        {"ompi_mpi_comm_world", 0},
        {"ompi_mpi_comm_self", 1},
        {"ompi_mpi_comm_null", 2},
        {"ompi_mpi_group_null", 0},
        {"ompi_mpi_group_empty", 1},
        {"ompi_mpi_win_null", 0},
        {"ompi_mpi_file_null", 0},
        {"ompi_mpi_instance_null", 0},
        {"ompi_message_null", 0},
        {"ompi_message_no_proc", 1},
        {"ompi_mpi_info_null", 0},
        {"ompi_mpi_info_env", 1},
        {"ompi_mpi_errhandler_null", 0},
        {"ompi_mpi_errors_are_fatal", 1},
        {"ompi_mpi_errors_return", 2},
        {"ompi_mpi_errors_abort", 3},
        {"ompi_request_null", 0},
        {"ompi_mpi_op_null", 0},
        {"ompi_mpi_op_max", 1},
        {"ompi_mpi_op_min", 2},
        {"ompi_mpi_op_sum", 3},
        {"ompi_mpi_op_prod", 4},
        {"ompi_mpi_op_land", 5},
        {"ompi_mpi_op_band", 6},
        {"ompi_mpi_op_lor", 7},
        {"ompi_mpi_op_bor", 8},
        {"ompi_mpi_op_lxor", 9},
        {"ompi_mpi_op_bxor", 10},
        {"ompi_mpi_op_maxloc", 11},
        {"ompi_mpi_op_minloc", 12},
        {"ompi_mpi_op_replace", 13},
        {"ompi_mpi_op_no_op", 14},
        {"ompi_mpi_datatype_null", 0},
        {"ompi_mpi_byte", 1},
        {"ompi_mpi_packed", 2},
        {"ompi_mpi_ub", 3},
        {"ompi_mpi_lb", 4},
        {"ompi_mpi_character", 5},
        {"ompi_mpi_logical", 6},
        {"ompi_mpi_integer", 7},
        {"ompi_mpi_integer1", 8},
        {"ompi_mpi_integer2", 9},
        {"ompi_mpi_integer4", 10},
        {"ompi_mpi_integer8", 11},
        {"ompi_mpi_integer16", 12},
        {"ompi_mpi_real", 13},
        {"ompi_mpi_real4", 14},
        {"ompi_mpi_real8", 15},
        {"ompi_mpi_real16", 16},
        {"ompi_mpi_dblprec", 17},
        {"ompi_mpi_cplex", 18},
        {"ompi_mpi_complex8", 19},
        {"ompi_mpi_complex16", 20},
        {"ompi_mpi_complex32", 21},
        {"ompi_mpi_dblcplex", 22},
        {"ompi_mpi_2real", 23},
        {"ompi_mpi_2dblprec", 24},
        {"ompi_mpi_2integer", 25},
        {"ompi_mpi_2cplex", 26},
        {"ompi_mpi_2dblcplex", 27},
        {"ompi_mpi_real2", 28},
        {"ompi_mpi_logical1", 29},
        {"ompi_mpi_logical2", 30},
        {"ompi_mpi_logical4", 31},
        {"ompi_mpi_logical8", 32},
        {"ompi_mpi_wchar", 33},
        {"ompi_mpi_char", 34},
        {"ompi_mpi_unsigned_char", 35},
        {"ompi_mpi_signed_char", 36},
        {"ompi_mpi_short", 37},
        {"ompi_mpi_unsigned_short", 38},
        {"ompi_mpi_int", 39},
        {"ompi_mpi_unsigned", 40},
        {"ompi_mpi_long", 41},
        {"ompi_mpi_unsigned_long", 42},
        {"ompi_mpi_long_long_int", 43},
        {"ompi_mpi_unsigned_long_long", 44},
        {"ompi_mpi_float", 45},
        {"ompi_mpi_double", 46},
        {"ompi_mpi_long_double", 47},
        {"ompi_mpi_float_int", 48},
        {"ompi_mpi_double_int", 49},
        {"ompi_mpi_longdbl_int", 50},
        {"ompi_mpi_long_int", 51},
        {"ompi_mpi_2int", 52},
        {"ompi_mpi_short_int", 53},
        {"ompi_mpi_cxx_bool", 54},
        {"ompi_mpi_cxx_cplex", 55},
        {"ompi_mpi_cxx_dblcplex", 56},
        {"ompi_mpi_cxx_ldblcplex", 57},
        {"ompi_mpi_int8_t", 58},
        {"ompi_mpi_uint8_t", 59},
        {"ompi_mpi_int16_t", 60},
        {"ompi_mpi_uint16_t", 61},
        {"ompi_mpi_int32_t", 62},
        {"ompi_mpi_uint32_t", 63},
        {"ompi_mpi_int64_t", 64},
        {"ompi_mpi_uint64_t", 65},
        {"ompi_mpi_aint", 66},
        {"ompi_mpi_offset", 67},
        {"ompi_mpi_c_bool", 68},
        {"ompi_mpi_c_float_complex", 69},
        {"ompi_mpi_c_double_complex", 70},
        {"ompi_mpi_c_long_double_complex", 71},
        {"ompi_mpi_count", 72},
        {"ompi_mpi_complex4", 73},
    };

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
    static constexpr int mpi_ERR_PENDING = 19;
    static constexpr int mpi_ERR_IN_STATUS = 18;
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
    static constexpr int mpi_ERR_RMA_ATTACH = 69;
    static constexpr int mpi_ERR_RMA_CONFLICT = 46;
    static constexpr int mpi_ERR_RMA_RANGE = 68;
    static constexpr int mpi_ERR_RMA_SHARED = 71;
    static constexpr int mpi_ERR_RMA_SYNC = 47;
    static constexpr int mpi_ERR_SERVICE = 48;
    static constexpr int mpi_ERR_SIZE = 49;
    static constexpr int mpi_ERR_SPAWN = 50;
    static constexpr int mpi_ERR_UNSUPPORTED_DATAREP = 51;
    static constexpr int mpi_ERR_UNSUPPORTED_OPERATION = 52;
    static constexpr int mpi_ERR_WIN = 53;
    static constexpr int mpi_ERR_RMA_FLAVOR = 70;
    static constexpr int mpi_ERR_PROC_ABORTED = 74;
    static constexpr int mpi_ERR_VALUE_TOO_LARGE = 79;
    static constexpr int mpi_ERR_SESSION = 78;
    static constexpr int mpi_ERR_ERRHANDLER = 80;
    static constexpr int mpi_ERR_ABI = 83;
    static constexpr int mpi_T_ERR_CANNOT_INIT = 56;
    static constexpr int mpi_T_ERR_NOT_ACCESSIBLE = 81;
    static constexpr int mpi_T_ERR_NOT_INITIALIZED = 55;
    static constexpr int mpi_T_ERR_NOT_SUPPORTED = 82;
    static constexpr int mpi_T_ERR_MEMORY = 54;
    static constexpr int mpi_T_ERR_INVALID = 72;
    static constexpr int mpi_T_ERR_INVALID_INDEX = 57;
    static constexpr int mpi_T_ERR_INVALID_ITEM = 58;
    static constexpr int mpi_T_ERR_INVALID_SESSION = 62;
    static constexpr int mpi_T_ERR_INVALID_HANDLE = 59;
    static constexpr int mpi_T_ERR_INVALID_NAME = 73;
    static constexpr int mpi_T_ERR_OUT_OF_HANDLES = 60;
    static constexpr int mpi_T_ERR_OUT_OF_SESSIONS = 61;
    static constexpr int mpi_T_ERR_CVAR_SET_NOT_NOW = 63;
    static constexpr int mpi_T_ERR_CVAR_SET_NEVER = 64;
    static constexpr int mpi_T_ERR_PVAR_NO_WRITE = 66;
    static constexpr int mpi_T_ERR_PVAR_NO_STARTSTOP = 65;
    static constexpr int mpi_T_ERR_PVAR_NO_ATOMIC = 67;
    static constexpr int mpi_ERR_LASTCODE = 92;
    // of fault tolerance, since 5.0: MPI_ERR_PROC_FAILED …
    static constexpr int mpi_ERR_PROC_FAILED = 75;
    static constexpr int mpi_ERR_PROC_FAILED_PENDING = 76;
    static constexpr int mpi_ERR_REVOKED = 77;

    // buffer_address
    static constexpr std::intptr_t mpi_BOTTOM = 0;
    static constexpr std::intptr_t mpi_IN_PLACE = 1;
    static constexpr std::intptr_t mpi_BUFFER_AUTOMATIC = 4;

    // empty_address
    static constexpr std::intptr_t mpi_ARGV_NULL = 0;
    static constexpr std::intptr_t mpi_ARGVS_NULL = 0;
    static constexpr std::intptr_t mpi_ERRCODES_IGNORE = 0;
    static constexpr std::intptr_t mpi_STATUS_IGNORE = 0;
    static constexpr std::intptr_t mpi_STATUSES_IGNORE = 0;
    static constexpr std::intptr_t mpi_UNWEIGHTED = 2;
    static constexpr std::intptr_t mpi_WEIGHTS_EMPTY = 3;

    // string_size
    static constexpr int mpi_MAX_DATAREP_STRING = 128;
    static constexpr int mpi_MAX_ERROR_STRING = 256;
    static constexpr int mpi_MAX_INFO_KEY = 36;
    static constexpr int mpi_MAX_INFO_VAL = 256;
    static constexpr int mpi_MAX_LIBRARY_VERSION_STRING = 256;
    static constexpr int mpi_MAX_OBJECT_NAME = 64;
    static constexpr int mpi_MAX_PORT_NAME = 1024;
    static constexpr int mpi_MAX_PROCESSOR_NAME = 256;
    static constexpr int mpi_MAX_STRINGTAG_LEN = 1024;
    static constexpr int mpi_MAX_PSET_NAME_LEN = 512;

    // size
    static constexpr int mpi_BSEND_OVERHEAD = 128;

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
    static constexpr int mpi_MODE_NOCHECK = 1;
    static constexpr int mpi_MODE_NOPRECEDE = 2;
    static constexpr int mpi_MODE_NOPUT = 4;
    static constexpr int mpi_MODE_NOSTORE = 8;
    static constexpr int mpi_MODE_NOSUCCEED = 16;

    // rank
    static constexpr int mpi_ANY_SOURCE = -1;
    static constexpr int mpi_PROC_NULL = -2;
    static constexpr int mpi_ROOT = -4;

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
    static constexpr int mpi_ORDER_C = 0;
    static constexpr int mpi_ORDER_FORTRAN = 1;

    // distribution
    static constexpr int mpi_DISTRIBUTE_NONE = 2;
    static constexpr int mpi_DISTRIBUTE_BLOCK = 0;
    static constexpr int mpi_DISTRIBUTE_CYCLIC = 1;

    // distribution_arg
    static constexpr int mpi_DISTRIBUTE_DFLT_DARG = -1;

    // combiner
    static constexpr int mpi_COMBINER_NAMED = 0;
    static constexpr int mpi_COMBINER_DUP = 1;
    static constexpr int mpi_COMBINER_CONTIGUOUS = 2;
    static constexpr int mpi_COMBINER_VECTOR = 3;
    static constexpr int mpi_COMBINER_HVECTOR = 5;
    static constexpr int mpi_COMBINER_INDEXED = 6;
    static constexpr int mpi_COMBINER_HINDEXED = 8;
    static constexpr int mpi_COMBINER_INDEXED_BLOCK = 9;
    static constexpr int mpi_COMBINER_HINDEXED_BLOCK = 18;
    static constexpr int mpi_COMBINER_STRUCT = 11;
    static constexpr int mpi_COMBINER_SUBARRAY = 12;
    static constexpr int mpi_COMBINER_DARRAY = 13;
    static constexpr int mpi_COMBINER_F90_REAL = 14;
    static constexpr int mpi_COMBINER_F90_COMPLEX = 15;
    static constexpr int mpi_COMBINER_F90_INTEGER = 16;
    static constexpr int mpi_COMBINER_RESIZED = 17;
    static constexpr int mpi_COMBINER_VALUE_INDEX = 19;

    // typeclass
    static constexpr int mpi_TYPECLASS_LOGICAL = absent;
    static constexpr int mpi_TYPECLASS_INTEGER = 1;
    static constexpr int mpi_TYPECLASS_REAL = 2;
    static constexpr int mpi_TYPECLASS_COMPLEX = 3;

    // comparison
    static constexpr int mpi_IDENT = 0;
    static constexpr int mpi_CONGRUENT = 1;
    static constexpr int mpi_SIMILAR = 2;
    static constexpr int mpi_UNEQUAL = 3;

    // topology
    static constexpr int mpi_CART = 1;
    static constexpr int mpi_GRAPH = 2;
    static constexpr int mpi_DIST_GRAPH = 3;

    // split_type
    static constexpr int mpi_COMM_TYPE_SHARED = 0;
    static constexpr int mpi_COMM_TYPE_HW_UNGUIDED = 12;
    static constexpr int mpi_COMM_TYPE_HW_GUIDED = 13;
    static constexpr int mpi_COMM_TYPE_RESOURCE_GUIDED = 14;

    // lock_type
    static constexpr int mpi_LOCK_EXCLUSIVE = 1;
    static constexpr int mpi_LOCK_SHARED = 2;

    // win_flavor
    static constexpr int mpi_WIN_FLAVOR_CREATE = 1;
    static constexpr int mpi_WIN_FLAVOR_ALLOCATE = 2;
    static constexpr int mpi_WIN_FLAVOR_DYNAMIC = 3;
    static constexpr int mpi_WIN_FLAVOR_SHARED = 4;

    // win_model
    static constexpr int mpi_WIN_UNIFIED = 0;
    static constexpr int mpi_WIN_SEPARATE = 1;

    // whence
    static constexpr int mpi_SEEK_CUR = 602;
    static constexpr int mpi_SEEK_END = 604;
    static constexpr int mpi_SEEK_SET = 600;

    // view_offset
    static constexpr std::int64_t mpi_DISPLACEMENT_CURRENT = -54278278;

    // keyval
    static constexpr int mpi_KEYVAL_INVALID = -1;
    static constexpr int mpi_TAG_UB = 0;
    static constexpr int mpi_IO = 2;
    static constexpr int mpi_HOST = 1;
    static constexpr int mpi_WTIME_IS_GLOBAL = 3;
    static constexpr int mpi_APPNUM = 4;
    static constexpr int mpi_LASTUSEDCODE = 5;
    static constexpr int mpi_UNIVERSE_SIZE = 6;
    static constexpr int mpi_WIN_BASE = 7;
    static constexpr int mpi_WIN_DISP_UNIT = 9;
    static constexpr int mpi_WIN_SIZE = 8;
    static constexpr int mpi_WIN_CREATE_FLAVOR = 10;
    static constexpr int mpi_WIN_MODEL = 11;

    // handle T_enum
    static constexpr std::uintptr_t mpi_T_ENUM_NULL = 0;

    // handle T_cvar_handle
    static constexpr std::uintptr_t mpi_T_CVAR_HANDLE_NULL = 0;

    // handle T_pvar_session
    static constexpr std::uintptr_t mpi_T_PVAR_SESSION_NULL = 0;

    // handle T_pvar_handle
    static constexpr std::uintptr_t mpi_T_PVAR_HANDLE_NULL = 0;
    static constexpr std::uintptr_t mpi_T_PVAR_ALL_HANDLES = ~std::uintptr_t{0};

    // t_cb_safety
    static constexpr int mpi_T_CB_REQUIRE_NONE = 0;
    static constexpr int mpi_T_CB_REQUIRE_MPI_RESTRICTED = 1;
    static constexpr int mpi_T_CB_REQUIRE_THREAD_SAFE = 2;
    static constexpr int mpi_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE = 3;

    // t_source_order
    static constexpr int mpi_T_SOURCE_ORDERED = 0;
    static constexpr int mpi_T_SOURCE_UNORDERED = 1;

    // t_verbosity
    static constexpr int mpi_T_VERBOSITY_USER_BASIC = 0;
    static constexpr int mpi_T_VERBOSITY_USER_DETAIL = 1;
    static constexpr int mpi_T_VERBOSITY_USER_ALL = 2;
    static constexpr int mpi_T_VERBOSITY_TUNER_BASIC = 3;
    static constexpr int mpi_T_VERBOSITY_TUNER_DETAIL = 4;
    static constexpr int mpi_T_VERBOSITY_TUNER_ALL = 5;
    static constexpr int mpi_T_VERBOSITY_MPIDEV_BASIC = 6;
    static constexpr int mpi_T_VERBOSITY_MPIDEV_DETAIL = 7;
    static constexpr int mpi_T_VERBOSITY_MPIDEV_ALL = 8;

    // t_bind
    static constexpr int mpi_T_BIND_NO_OBJECT = 0;
    static constexpr int mpi_T_BIND_MPI_COMM = 1;
    static constexpr int mpi_T_BIND_MPI_DATATYPE = 2;
    static constexpr int mpi_T_BIND_MPI_ERRHANDLER = 3;
    static constexpr int mpi_T_BIND_MPI_FILE = 4;
    static constexpr int mpi_T_BIND_MPI_GROUP = 5;
    static constexpr int mpi_T_BIND_MPI_OP = 6;
    static constexpr int mpi_T_BIND_MPI_REQUEST = 7;
    static constexpr int mpi_T_BIND_MPI_WIN = 8;
    static constexpr int mpi_T_BIND_MPI_MESSAGE = 9;
    static constexpr int mpi_T_BIND_MPI_INFO = 10;
    static constexpr int mpi_T_BIND_MPI_SESSION = 11;

    // t_scope
    static constexpr int mpi_T_SCOPE_CONSTANT = 0;
    static constexpr int mpi_T_SCOPE_READONLY = 1;
    static constexpr int mpi_T_SCOPE_LOCAL = 2;
    static constexpr int mpi_T_SCOPE_GROUP = 3;
    static constexpr int mpi_T_SCOPE_GROUP_EQ = 4;
    static constexpr int mpi_T_SCOPE_ALL = 5;
    static constexpr int mpi_T_SCOPE_ALL_EQ = 6;

    // t_pvar_class
    static constexpr int mpi_T_PVAR_CLASS_STATE = 0;
    static constexpr int mpi_T_PVAR_CLASS_LEVEL = 1;
    static constexpr int mpi_T_PVAR_CLASS_SIZE = 2;
    static constexpr int mpi_T_PVAR_CLASS_PERCENTAGE = 3;
    static constexpr int mpi_T_PVAR_CLASS_HIGHWATERMARK = 4;
    static constexpr int mpi_T_PVAR_CLASS_LOWWATERMARK = 5;
    static constexpr int mpi_T_PVAR_CLASS_COUNTER = 6;
    static constexpr int mpi_T_PVAR_CLASS_AGGREGATE = 7;
    static constexpr int mpi_T_PVAR_CLASS_TIMER = 8;
    static constexpr int mpi_T_PVAR_CLASS_GENERIC = 9;

    /// Combiners of MPI-1 that the standard ABI no longer has.
    static constexpr int mpi_COMBINER_HVECTOR_INTEGER = 4;
    static constexpr int mpi_COMBINER_HINDEXED_INTEGER = 7;
    static constexpr int mpi_COMBINER_STRUCT_INTEGER = 10;

    /// By these in a structure MPI-1 moved the bounds of a datatype: their numbers in mpif.h.
    static constexpr int fortran_LB = 4;
    static constexpr int fortran_UB = 3;

    /// Predefined attribute functions of communicators, datatypes and windows.
    static constexpr const char* null_copy[] = {"OMPI_C_MPI_COMM_NULL_COPY_FN", "OMPI_C_MPI_TYPE_NULL_COPY_FN",
                                                "OMPI_C_MPI_WIN_NULL_COPY_FN"};
    static constexpr const char* dup[] = {"OMPI_C_MPI_COMM_DUP_FN", "OMPI_C_MPI_TYPE_DUP_FN", "OMPI_C_MPI_WIN_DUP_FN"};
    static constexpr const char* null_delete[] = {"OMPI_C_MPI_COMM_NULL_DELETE_FN", "OMPI_C_MPI_TYPE_NULL_DELETE_FN",
                                                  "OMPI_C_MPI_WIN_NULL_DELETE_FN"};
};

static_assert(sizeof(openmpi::status) == 24);

} // namespace anympi
