#include "cxx/mpich.hpp"

#include "cxx/callbacks.hpp"

#include <utility>

// Macros of <cstdio>, which are constants here.
#undef SEEK_SET
#undef SEEK_CUR
#undef SEEK_END

namespace MPI {

using namespace anympi::cxx;

// ---- predefined objects ----

#define HANDLE(CLASS, NAME, VALUE) CLASS NAME(values::mpi_##VALUE);
#define CONST_HANDLE(CLASS, NAME) extern const CLASS NAME(values::mpi_##NAME);

HANDLE(Intracomm, COMM_WORLD, COMM_WORLD)
HANDLE(Intracomm, COMM_SELF, COMM_SELF)
CONST_HANDLE(Nullcomm, COMM_NULL)
File FILE_NULL;

#define TYPE(NAME) HANDLE(Datatype, NAME, NAME)
TYPE(BYTE)
TYPE(CHAR)
TYPE(CHARACTER)
TYPE(COMPLEX16)
TYPE(COMPLEX32)
TYPE(COMPLEX8)
TYPE(DATATYPE_NULL)
TYPE(DOUBLE)
TYPE(DOUBLE_INT)
TYPE(DOUBLE_PRECISION)
TYPE(FLOAT)
TYPE(FLOAT_INT)
TYPE(INT)
TYPE(INTEGER)
TYPE(INTEGER1)
TYPE(INTEGER2)
TYPE(INTEGER4)
TYPE(INTEGER8)
TYPE(LOGICAL)
TYPE(LONG)
TYPE(LONG_DOUBLE)
TYPE(LONG_DOUBLE_INT)
TYPE(LONG_INT)
TYPE(LONG_LONG)
TYPE(LONG_LONG_INT)
TYPE(PACKED)
TYPE(REAL)
TYPE(REAL16)
TYPE(REAL4)
TYPE(REAL8)
TYPE(SHORT)
TYPE(SHORT_INT)
TYPE(SIGNED_CHAR)
TYPE(UNSIGNED)
TYPE(UNSIGNED_CHAR)
TYPE(UNSIGNED_LONG)
TYPE(UNSIGNED_LONG_LONG)
TYPE(UNSIGNED_SHORT)
TYPE(WCHAR)
HANDLE(Datatype, BOOL, CXX_BOOL)
HANDLE(Datatype, COMPLEX, CXX_FLOAT_COMPLEX)
HANDLE(Datatype, DOUBLE_COMPLEX, CXX_DOUBLE_COMPLEX)
HANDLE(Datatype, LONG_DOUBLE_COMPLEX, CXX_LONG_DOUBLE_COMPLEX)
HANDLE(Datatype, F_COMPLEX, COMPLEX)
HANDLE(Datatype, F_DOUBLE_COMPLEX, DOUBLE_COMPLEX)
HANDLE(Datatype, TWOINT, 2INT)
HANDLE(Datatype, TWOINTEGER, 2INTEGER)
HANDLE(Datatype, TWOREAL, 2REAL)
HANDLE(Datatype, TWODOUBLE_PRECISION, 2DOUBLE_PRECISION)
#undef TYPE
Datatype INTEGER16;      // no MPICH with the bindings has this type
Datatype LB(0x4c000010); // not in MPI since 3.0
Datatype UB(0x4c000011);

CONST_HANDLE(Op, BAND)
CONST_HANDLE(Op, BOR)
CONST_HANDLE(Op, BXOR)
CONST_HANDLE(Op, LAND)
CONST_HANDLE(Op, LOR)
CONST_HANDLE(Op, LXOR)
CONST_HANDLE(Op, MAX)
CONST_HANDLE(Op, MAXLOC)
CONST_HANDLE(Op, MIN)
CONST_HANDLE(Op, MINLOC)
CONST_HANDLE(Op, OP_NULL)
CONST_HANDLE(Op, PROD)
CONST_HANDLE(Op, REPLACE)
CONST_HANDLE(Op, SUM)
CONST_HANDLE(Group, GROUP_EMPTY)
CONST_HANDLE(Group, GROUP_NULL)
CONST_HANDLE(Request, REQUEST_NULL)
CONST_HANDLE(Info, INFO_NULL)
CONST_HANDLE(Win, WIN_NULL)
CONST_HANDLE(Errhandler, ERRHANDLER_NULL)
CONST_HANDLE(Errhandler, ERRORS_ARE_FATAL)
CONST_HANDLE(Errhandler, ERRORS_RETURN)
extern const Errhandler ERRORS_THROW_EXCEPTIONS(0x54000002); // MPICH's handler for C++: returns the code
#undef HANDLE
#undef CONST_HANDLE

// ---- constants ----

#define VALUE(NAME) extern const int NAME = values::mpi_##NAME;
VALUE(ANY_SOURCE)
VALUE(ANY_TAG)
VALUE(APPNUM)
VALUE(BSEND_OVERHEAD)
VALUE(CART)
VALUE(COMBINER_CONTIGUOUS)
VALUE(COMBINER_DARRAY)
VALUE(COMBINER_DUP)
VALUE(COMBINER_F90_COMPLEX)
VALUE(COMBINER_F90_INTEGER)
VALUE(COMBINER_F90_REAL)
VALUE(COMBINER_HINDEXED)
VALUE(COMBINER_HINDEXED_BLOCK)
VALUE(COMBINER_HVECTOR)
VALUE(COMBINER_INDEXED)
VALUE(COMBINER_INDEXED_BLOCK)
VALUE(COMBINER_NAMED)
VALUE(COMBINER_RESIZED)
VALUE(COMBINER_STRUCT)
VALUE(COMBINER_SUBARRAY)
VALUE(COMBINER_VECTOR)
VALUE(COMM_TYPE_SHARED)
VALUE(CONGRUENT)
VALUE(DISTRIBUTE_BLOCK)
VALUE(DISTRIBUTE_CYCLIC)
VALUE(DISTRIBUTE_DFLT_DARG)
VALUE(DISTRIBUTE_NONE)
VALUE(ERR_ACCESS)
VALUE(ERR_AMODE)
VALUE(ERR_ARG)
VALUE(ERR_ASSERT)
VALUE(ERR_BAD_FILE)
VALUE(ERR_BASE)
VALUE(ERR_BUFFER)
VALUE(ERR_COMM)
VALUE(ERR_CONVERSION)
VALUE(ERR_COUNT)
VALUE(ERR_DIMS)
VALUE(ERR_DISP)
VALUE(ERR_DUP_DATAREP)
VALUE(ERR_FILE)
VALUE(ERR_FILE_EXISTS)
VALUE(ERR_FILE_IN_USE)
VALUE(ERR_GROUP)
VALUE(ERR_INFO)
VALUE(ERR_INFO_KEY)
VALUE(ERR_INFO_NOKEY)
VALUE(ERR_INFO_VALUE)
VALUE(ERR_INTERN)
VALUE(ERR_IN_STATUS)
VALUE(ERR_IO)
VALUE(ERR_KEYVAL)
VALUE(ERR_LASTCODE)
VALUE(ERR_LOCKTYPE)
VALUE(ERR_NAME)
VALUE(ERR_NOT_SAME)
VALUE(ERR_NO_MEM)
VALUE(ERR_NO_SPACE)
VALUE(ERR_NO_SUCH_FILE)
VALUE(ERR_OP)
VALUE(ERR_OTHER)
VALUE(ERR_PENDING)
VALUE(ERR_PORT)
VALUE(ERR_QUOTA)
VALUE(ERR_RANK)
VALUE(ERR_READ_ONLY)
VALUE(ERR_REQUEST)
VALUE(ERR_RMA_CONFLICT)
VALUE(ERR_RMA_SYNC)
VALUE(ERR_ROOT)
VALUE(ERR_SERVICE)
VALUE(ERR_SIZE)
VALUE(ERR_SPAWN)
VALUE(ERR_TAG)
VALUE(ERR_TOPOLOGY)
VALUE(ERR_TRUNCATE)
VALUE(ERR_TYPE)
VALUE(ERR_UNKNOWN)
VALUE(ERR_UNSUPPORTED_DATAREP)
VALUE(ERR_UNSUPPORTED_OPERATION)
VALUE(ERR_WIN)
VALUE(GRAPH)
VALUE(HOST)
VALUE(IDENT)
VALUE(IO)
VALUE(KEYVAL_INVALID)
VALUE(LASTUSEDCODE)
VALUE(LOCK_EXCLUSIVE)
VALUE(LOCK_SHARED)
VALUE(MAX_DATAREP_STRING)
VALUE(MAX_ERROR_STRING)
VALUE(MAX_INFO_KEY)
VALUE(MAX_INFO_VAL)
VALUE(MAX_OBJECT_NAME)
VALUE(MAX_PORT_NAME)
VALUE(MAX_PROCESSOR_NAME)
VALUE(MODE_APPEND)
VALUE(MODE_CREATE)
VALUE(MODE_DELETE_ON_CLOSE)
VALUE(MODE_EXCL)
VALUE(MODE_NOCHECK)
VALUE(MODE_NOPRECEDE)
VALUE(MODE_NOPUT)
VALUE(MODE_NOSTORE)
VALUE(MODE_NOSUCCEED)
VALUE(MODE_RDONLY)
VALUE(MODE_RDWR)
VALUE(MODE_SEQUENTIAL)
VALUE(MODE_UNIQUE_OPEN)
VALUE(MODE_WRONLY)
VALUE(ORDER_C)
VALUE(ORDER_FORTRAN)
VALUE(PROC_NULL)
VALUE(ROOT)
VALUE(SEEK_CUR)
VALUE(SEEK_END)
VALUE(SEEK_SET)
VALUE(SIMILAR)
VALUE(SUCCESS)
VALUE(TAG_UB)
VALUE(THREAD_FUNNELED)
VALUE(THREAD_MULTIPLE)
VALUE(THREAD_SERIALIZED)
VALUE(THREAD_SINGLE)
VALUE(TYPECLASS_COMPLEX)
VALUE(TYPECLASS_INTEGER)
VALUE(TYPECLASS_REAL)
VALUE(UNDEFINED)
VALUE(UNEQUAL)
VALUE(UNIVERSE_SIZE)
VALUE(WIN_BASE)
VALUE(WIN_DISP_UNIT)
VALUE(WIN_SIZE)
VALUE(WTIME_IS_GLOBAL)
#undef VALUE
extern const int COMBINER_HVECTOR_INTEGER = 5; // not in MPI since 3.0
extern const int COMBINER_HINDEXED_INTEGER = 8;
extern const int COMBINER_STRUCT_INTEGER = 11;
extern const Offset DISPLACEMENT_CURRENT = values::mpi_DISPLACEMENT_CURRENT;
extern void* const BOTTOM = reinterpret_cast<void*>(values::mpi_BOTTOM);
extern void* const IN_PLACE = reinterpret_cast<void*>(values::mpi_IN_PLACE);
extern const char** const ARGV_NULL = reinterpret_cast<const char**>(values::mpi_ARGV_NULL);
extern const char*** const ARGVS_NULL = reinterpret_cast<const char***>(values::mpi_ARGVS_NULL);

// ---- errors ----

/// The code that a C++ error handler of the program has seen in a call that is not over. The call returns it (before
/// MPICH 4.3), and inline code of the program then asks Call_errhandler for the handler: once is enough.
static thread_local int seen_by_handler = 0;

void handler_returned(int code) {
    seen_by_handler = code;
}

namespace {

/// What becomes of a code: an exception where the program wants one, else its error handler.
template <class Handle>
void tell(int code, Handle handle, int (*get)(Handle, MPI_Errhandler*), int (*call)(Handle, int)) {
    const bool was_seen = code == std::exchange(seen_by_handler, 0);
    MPI_Errhandler current = ERRHANDLER_NULL;
    get(handle, &current);
    const bool throws = current == ERRORS_THROW_EXCEPTIONS;
    MPI_Errhandler_free(&current);
    if (throws)
        throw Exception(code);
    if (was_seen)
        return;
    call(handle, code);
    seen_by_handler = 0;
}

} // namespace

void Comm::Call_errhandler(int code) const {
    const bool is_null = handle == COMM_NULL;
    tell(code, is_null ? COMM_WORLD.handle : handle, MPI_Comm_get_errhandler, MPI_Comm_call_errhandler);
}
void Win::Call_errhandler(int code) const {
    if (handle == WIN_NULL)
        MPIR_Call_world_errhand(code);
    else
        tell(code, handle, MPI_Win_get_errhandler, MPI_Win_call_errhandler);
}
void File::Call_errhandler(int code) const {
    tell(code, handle, MPI_File_get_errhandler, MPI_File_call_errhandler);
}
void MPIR_Call_world_errhand(int code) {
    COMM_WORLD.Call_errhandler(code);
}

// ---- methods that only MPICH has, or declares in its own way ----

/// Gives the types of C++ their names: inline code of the program calls it before it asks for a name.
void MPIR_CXX_InitDatatypeNames();
void MPIR_CXX_InitDatatypeNames() {
    static std::once_flag done;
    std::call_once(done, [] {
        MPI_Type_set_name(BOOL, "MPI::BOOL");
        MPI_Type_set_name(COMPLEX, "MPI::COMPLEX");
        MPI_Type_set_name(DOUBLE_COMPLEX, "MPI::DOUBLE_COMPLEX");
        MPI_Type_set_name(LONG_DOUBLE_COMPLEX, "MPI::LONG_DOUBLE_COMPLEX");
    });
}

void Datatype::Get_name(char* name, int& length) const {
    MPIR_CXX_InitDatatypeNames();
    check(*this, MPI_Type_get_name(*this, name, &length));
}

void Comm::Abort(int code) const {
    check(*this, MPI_Abort(*this, code));
}
void Comm::Reduce_scatter(const void* send, void* receive, const int* counts, const Datatype& type,
                          const Op& op) const {
    check(*this, MPI_Reduce_scatter(send, receive, counts, type, op, *this));
}
void Comm::Reduce_scatter_block(const void* send, void* receive, int count, const Datatype& type, const Op& op) const {
    check(*this, MPI_Reduce_scatter_block(send, receive, count, type, op, *this));
}
void Comm::Set_attr(int keyval, const void* value) {
    check(*this, MPI_Comm_set_attr(*this, keyval, const_cast<void*>(value)));
}
Intercomm Comm::Join(int descriptor) {
    return result_of<Intercomm>(COMM_WORLD, MPI_Comm_join, descriptor);
}
Intercomm Comm::Get_parent() {
    return result_of<Intercomm>(COMM_WORLD, MPI_Comm_get_parent);
}
Nullcomm& Nullcomm::Clone() const {
    return *new Nullcomm;
}

void Win::Get(void* origin, int count, const Datatype& type, int rank, Aint displacement, int target_count,
              const Datatype& target_type) const {
    check(*this, MPI_Get(origin, count, type, rank, displacement, target_count, target_type, *this));
}
bool Win::Get_attr(int keyval, void* value) const {
    return result_of<bool>(*this, MPI_Win_get_attr, *this, keyval, value);
}
void Win::Set_errhandler(const Errhandler& errhandler) {
    check(*this, MPI_Win_set_errhandler(*this, errhandler));
}

// ---- File ----

#define TRANSFER(NAME, C_NAME, BUFFER)                                                                                 \
    void File::NAME(BUFFER buffer, int count, const Datatype& type, Status& status) {                                  \
        check(*this, MPI_File_##C_NAME(*this, buffer, count, type, status));                                           \
    }                                                                                                                  \
    void File::NAME(BUFFER buffer, int count, const Datatype& type) {                                                  \
        check(*this, MPI_File_##C_NAME(*this, buffer, count, type, MPI_STATUS_IGNORE));                                \
    }
#define TRANSFER_AT(NAME, C_NAME, BUFFER)                                                                              \
    void File::NAME(Offset offset, BUFFER buffer, int count, const Datatype& type, Status& status) {                   \
        check(*this, MPI_File_##C_NAME(*this, offset, buffer, count, type, status));                                   \
    }                                                                                                                  \
    void File::NAME(Offset offset, BUFFER buffer, int count, const Datatype& type) {                                   \
        check(*this, MPI_File_##C_NAME(*this, offset, buffer, count, type, MPI_STATUS_IGNORE));                        \
    }
#define NONBLOCKING(NAME, C_NAME, BUFFER)                                                                              \
    Request File::NAME(BUFFER buffer, int count, const Datatype& type) {                                               \
        return result_of<Request>(*this, MPI_File_##C_NAME, *this, buffer, count, type);                               \
    }
#define NONBLOCKING_AT(NAME, C_NAME, BUFFER)                                                                           \
    Request File::NAME(Offset offset, BUFFER buffer, int count, const Datatype& type) {                                \
        return result_of<Request>(*this, MPI_File_##C_NAME, *this, offset, buffer, count, type);                       \
    }
#define BEGIN(NAME, C_NAME, BUFFER)                                                                                    \
    void File::NAME(BUFFER buffer, int count, const Datatype& type) {                                                  \
        check(*this, MPI_File_##C_NAME(*this, buffer, count, type));                                                   \
    }
#define BEGIN_AT(NAME, C_NAME, BUFFER)                                                                                 \
    void File::NAME(Offset offset, BUFFER buffer, int count, const Datatype& type) {                                   \
        check(*this, MPI_File_##C_NAME(*this, offset, buffer, count, type));                                           \
    }
#define END(NAME, C_NAME, BUFFER)                                                                                      \
    void File::NAME(BUFFER buffer, Status& status) {                                                                   \
        check(*this, MPI_File_##C_NAME(*this, buffer, status));                                                        \
    }                                                                                                                  \
    void File::NAME(BUFFER buffer) {                                                                                   \
        check(*this, MPI_File_##C_NAME(*this, buffer, MPI_STATUS_IGNORE));                                             \
    }
#define BOTH_WAYS(KIND, FORM) KIND(Read##FORM, read##FORM, void*) KIND(Write##FORM, write##FORM, const void*)
BOTH_WAYS(TRANSFER, )
BOTH_WAYS(TRANSFER, _all)
BOTH_WAYS(TRANSFER, _shared)
BOTH_WAYS(TRANSFER, _ordered)
BOTH_WAYS(TRANSFER_AT, _at)
BOTH_WAYS(TRANSFER_AT, _at_all)
BOTH_WAYS(BEGIN, _all_begin)
BOTH_WAYS(BEGIN, _ordered_begin)
BOTH_WAYS(BEGIN_AT, _at_all_begin)
BOTH_WAYS(END, _all_end)
BOTH_WAYS(END, _ordered_end)
BOTH_WAYS(END, _at_all_end)
NONBLOCKING(Iread, iread, void*)
NONBLOCKING(Iread_shared, iread_shared, void*)
NONBLOCKING_AT(Iread_at, iread_at, void*)
NONBLOCKING(Iwrite, iwrite, const void*)
NONBLOCKING(Iwrite_shared, iwrite_shared, const void*)
NONBLOCKING_AT(Iwrite_at, iwrite_at, const void*)
#undef TRANSFER
#undef TRANSFER_AT
#undef NONBLOCKING
#undef NONBLOCKING_AT
#undef BEGIN
#undef BEGIN_AT
#undef END
#undef BOTH_WAYS

void File::Close() {
    check(*this, MPI_File_close(&handle));
}
void File::Sync() {
    check(*this, MPI_File_sync(*this));
}
void File::Seek(Offset offset, int whence) {
    check(*this, MPI_File_seek(*this, offset, whence));
}
void File::Seek_shared(Offset offset, int whence) {
    check(*this, MPI_File_seek_shared(*this, offset, whence));
}
void File::Preallocate(Offset size) {
    check(*this, MPI_File_preallocate(*this, size));
}
void File::Set_size(Offset size) {
    check(*this, MPI_File_set_size(*this, size));
}
// The program passes file_type by value. NOLINTNEXTLINE(performance-unnecessary-value-param)
void File::Set_view(Offset offset, const Datatype& element, Datatype file_type, const char* representation,
                    const Info& info) {
    check(*this, MPI_File_set_view(*this, offset, element, file_type, representation, info));
}
void File::Get_view(Offset& offset, Datatype& element, Datatype& file_type, char* representation) const {
    MPI_Datatype elements = element;
    MPI_Datatype seen = file_type;
    check(*this, MPI_File_get_view(*this, &offset, &elements, &seen, representation));
    element = Datatype(elements);
    file_type = Datatype(seen);
}
void File::Set_info(const Info& info) {
    check(*this, MPI_File_set_info(*this, info));
}
void File::Set_atomicity(bool flag) {
    check(*this, MPI_File_set_atomicity(*this, flag));
}
void File::Set_errhandler(const Errhandler& errhandler) {
    check(*this, MPI_File_set_errhandler(*this, errhandler));
}
Errhandler File::Get_errhandler() const {
    return result_of<Errhandler>(*this, MPI_File_get_errhandler, *this);
}
Info File::Get_info() const {
    return result_of<Info>(*this, MPI_File_get_info, *this);
}
Group File::Get_group() const {
    return result_of<Group>(*this, MPI_File_get_group, *this);
}
bool File::Get_atomicity() const {
    return result_of<bool>(*this, MPI_File_get_atomicity, *this);
}
int File::Get_amode() const {
    return result_of<int>(*this, MPI_File_get_amode, *this);
}
Offset File::Get_size() const {
    return result_of<Offset>(*this, MPI_File_get_size, *this);
}
Offset File::Get_position() const {
    return result_of<Offset>(*this, MPI_File_get_position, *this);
}
Offset File::Get_position_shared() const {
    return result_of<Offset>(*this, MPI_File_get_position_shared, *this);
}
Offset File::Get_byte_offset(Offset offset) const {
    return result_of<Offset>(*this, MPI_File_get_byte_offset, *this, offset);
}
Aint File::Get_type_extent(const Datatype& type) const {
    return result_of<Aint>(*this, MPI_File_get_type_extent, *this, type);
}

// ---- functions of the program ----

Errhandler Comm::Create_errhandler(Errhandler_function* function) {
    return create_errhandler<Comm>(function);
}
Errhandler Win::Create_errhandler(Errhandler_function* function) {
    return create_errhandler<Win>(function);
}
Errhandler File::Create_errhandler(Errhandler_function* function) {
    return create_errhandler<File>(function);
}

void Op::Init(User_function* function, bool commute) {
    check(*this, MPI_Op_create(carriers<reduction>::carrier_of(function), commute, &handle));
}

/// The null functions of the classes, which inline code of the program has as well. For types and windows they would
/// copy a value that they never set, so a key with them gets none.
#define KEYVALS(CLASS)                                                                                                 \
    int CLASS::NULL_COPY_FN(const CLASS&, int, void*, void*, void*, bool& flag) {                                      \
        flag = false;                                                                                                  \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int CLASS::NULL_DELETE_FN(CLASS&, int, void*, void*) {                                                             \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int CLASS::Create_keyval(Copy_attr_function* copy, Delete_attr_function* remove, void* extra_state) {              \
        if (copy == NULL_COPY_FN)                                                                                      \
            copy = nullptr;                                                                                            \
        if (remove == NULL_DELETE_FN)                                                                                  \
            remove = nullptr;                                                                                          \
        int keyval = KEYVAL_INVALID;                                                                                   \
        check(COMM_WORLD, create_keyval<CLASS>({nullptr, nullptr, copy, remove, extra_state}, keyval));                \
        return keyval;                                                                                                 \
    }
KEYVALS(Comm)
KEYVALS(Datatype)
KEYVALS(Win)
#undef KEYVALS

Grequest Grequest::Start(Query_function* query, Free_function* free, Cancel_function* cancel, void* extra_state) {
    void* state = new grequest_functions{extra_state, query, free, cancel};
    return result_of<Grequest>(COMM_WORLD, MPI_Grequest_start, query_grequest, free_grequest, cancel_grequest, state);
}

void Register_datarep(const char* name, Datarep_conversion_function* read, Datarep_conversion_function* write,
                      Datarep_extent_function* extent, void* extra_state) {
    register_datarep(name, {{nullptr, read}, {nullptr, write}, extent, extra_state});
}

/// For programs whose MPI_Offset is a long long: the same functions on the machine.
using other_conversion = int(void*, Datatype&, int, void*, long long, void*);
void Register_datarep(const char* name, other_conversion* read, other_conversion* write,
                      Datarep_extent_function* extent, void* extra_state) {
    Register_datarep(name, reinterpret_cast<Datarep_conversion_function*>(reinterpret_cast<void*>(read)),
                     reinterpret_cast<Datarep_conversion_function*>(reinterpret_cast<void*>(write)), extent,
                     extra_state);
}

// ---- functions without an object ----

void Init() {
    check(COMM_WORLD, MPI_Init(nullptr, nullptr));
}
void Init(int& count, char**& arguments) {
    check(COMM_WORLD, MPI_Init(&count, &arguments));
}
int Init_thread(int required) {
    return result_of<int>(COMM_WORLD, MPI_Init_thread, nullptr, nullptr, required);
}
int Init_thread(int& count, char**& arguments, int required) {
    return result_of<int>(COMM_WORLD, MPI_Init_thread, &count, &arguments, required);
}
void Finalize() {
    check(COMM_WORLD, MPI_Finalize());
}
bool Is_initialized() {
    return result_of<bool>(COMM_WORLD, MPI_Initialized);
}
bool Is_finalized() {
    return result_of<bool>(COMM_WORLD, MPI_Finalized);
}
bool Is_thread_main() {
    return result_of<bool>(COMM_WORLD, MPI_Is_thread_main);
}
int Query_thread() {
    return result_of<int>(COMM_WORLD, MPI_Query_thread);
}
double Wtime() {
    return MPI_Wtime();
}
double Wtick() {
    return MPI_Wtick();
}
void Get_version(int& version, int& subversion) {
    check(COMM_WORLD, MPI_Get_version(&version, &subversion));
}
void Get_processor_name(char* name, int& length) {
    check(COMM_WORLD, MPI_Get_processor_name(name, &length));
}
void Pcontrol(const int level, ...) {
    check(COMM_WORLD, MPI_Pcontrol(level)); // nobody can pass on what follows
}

int Get_error_class(int code) {
    return result_of<int>(COMM_WORLD, MPI_Error_class, code);
}
void Get_error_string(int code, char* text, int& length) {
    check(COMM_WORLD, MPI_Error_string(code, text, &length));
}
int Add_error_class() {
    return result_of<int>(COMM_WORLD, MPI_Add_error_class);
}
int Add_error_code(int error_class) {
    return result_of<int>(COMM_WORLD, MPI_Add_error_code, error_class);
}
void Add_error_string(int code, const char* text) {
    check(COMM_WORLD, MPI_Add_error_string(code, text));
}

void Attach_buffer(void* buffer, int size) {
    check(COMM_WORLD, MPI_Buffer_attach(buffer, size));
}
int Detach_buffer(void*& buffer) {
    return result_of<int>(COMM_WORLD, MPI_Buffer_detach, &buffer);
}
void* Alloc_mem(Aint size, const Info& info) {
    void* memory = nullptr;
    check(COMM_WORLD, MPI_Alloc_mem(size, info, &memory));
    return memory;
}
void Free_mem(void* memory) {
    check(COMM_WORLD, MPI_Free_mem(memory));
}
Aint Get_address(const void* location) {
    return result_of<Aint>(COMM_WORLD, MPI_Get_address, location);
}
void Compute_dims(int processes, int dimensions, int* sizes) {
    check(COMM_WORLD, MPI_Dims_create(processes, dimensions, sizes));
}

void Open_port(const Info& info, char* port) {
    check(COMM_WORLD, MPI_Open_port(info, port));
}
void Close_port(const char* port) {
    check(COMM_WORLD, MPI_Close_port(port));
}
void Publish_name(const char* service, const Info& info, const char* port) {
    check(COMM_WORLD, MPI_Publish_name(service, info, port));
}
void Unpublish_name(const char* service, const Info& info, const char* port) {
    check(COMM_WORLD, MPI_Unpublish_name(service, info, port));
}
void Lookup_name(const char* service, const Info& info, char* port) {
    check(COMM_WORLD, MPI_Lookup_name(service, info, port));
}

} // namespace MPI
