#include "cxx/mpich_bindings.hpp"

#include "cxx/callbacks.hpp"

#include <utility>

namespace MPI {

using namespace anympi::cxx;

// ---- errors ----

// The code that a C++ error handler of the program has seen in a call that is still running. The call returns this code
// (before MPICH 4.3). Inline code of the program then calls Call_errhandler, which must not call the handler again.
static thread_local int seen_by_handler = 0;

void remember_handled_code(int code) {
    seen_by_handler = code;
}

namespace {

// Handles the code of a failed call: throws an exception if the object's handler is ERRORS_THROW_EXCEPTIONS, otherwise
// calls the error handler.
template <class Handle>
void tell(int code, Handle handle, int (*get)(Handle, MPI_Errhandler*), int (*call)(Handle, int)) {
    const bool was_seen = code == std::exchange(seen_by_handler, 0);
    MPI_Errhandler current = values::mpi_ERRHANDLER_NULL;
    get(handle, &current);
    if (current == errors_throw_exceptions)
        throw Exception(code);
    MPI_Errhandler_free(&current);
    if (was_seen)
        return;
    call(handle, code);
    seen_by_handler = 0;
}

} // namespace

void Comm::Call_errhandler(int code) const {
    const bool is_null = handle == values::mpi_COMM_NULL;
    tell(code, is_null ? COMM_WORLD.handle : handle, MPI_Comm_get_errhandler, MPI_Comm_call_errhandler);
}
void Win::Call_errhandler(int code) const {
    if (handle == values::mpi_WIN_NULL)
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

// Sets the names of the C++ datatypes. Inline code of the program calls this function before it queries a name.
void MPIR_CXX_InitDatatypeNames();
void MPIR_CXX_InitDatatypeNames() {
    static const bool done = [] {
        MPI_Type_set_name(values::mpi_CXX_BOOL, "MPI::BOOL");
        MPI_Type_set_name(values::mpi_CXX_FLOAT_COMPLEX, "MPI::COMPLEX");
        MPI_Type_set_name(values::mpi_CXX_DOUBLE_COMPLEX, "MPI::DOUBLE_COMPLEX");
        MPI_Type_set_name(values::mpi_CXX_LONG_DOUBLE_COMPLEX, "MPI::LONG_DOUBLE_COMPLEX");
        return true;
    }();
    static_cast<void>(done);
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

void Op::Init(User_function* function, bool commute) {
    check(*this, MPI_Op_create(reduction_stub(function), commute, &handle));
}

// The null functions of the classes, which inline code of the program also has. The functions for types and windows
// would copy a value that they never set, so a key with these functions gets null pointers instead.
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
        int keyval = values::mpi_KEYVAL_INVALID;                                                                       \
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

// For programs whose MPI_Offset is long long. The functions have the same machine code.
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
    check(COMM_WORLD, MPI_Pcontrol(level)); // variable arguments cannot be passed on
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
