#include "cxx/openmpi.hpp"

#include "cxx/callbacks.hpp"

namespace MPI {

using namespace anympi::cxx;

// ---- predefined objects ----

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
// Open MPI throws only if it was built so, which nobody does: its library writes a line and goes on.
HANDLE(Errhandler, ERRORS_THROW_EXCEPTIONS, ompi_mpi_errors_return)
#undef HANDLE

extern void* const BOTTOM = reinterpret_cast<void*>(values::mpi_BOTTOM);
extern void* const IN_PLACE = reinterpret_cast<void*>(values::mpi_IN_PLACE);
const char** ARGV_NULL = nullptr;
const char*** ARGVS_NULL = nullptr;
int mpi_errno = 0; ///< where a library that does not throw puts the code
extern const char ompi_libcxx_version_string[] = "anympi";

/// Inline code of the program calls this after MPI_Init: nothing has to be made ready.
void InitializeIntercepts();
void InitializeIntercepts() {}

// ---- methods that only Open MPI has, or declares in its own way ----

Comm::Comm() = default;
Comm::Comm(const Comm_Null& other) : Comm_Null(other) {}
Intracomm::Intracomm(MPI_Comm comm) : Comm(Comm_Null(comm)) {}

Datatype Datatype::Dup() const {
    return result_of<Datatype>(*this, MPI_Type_dup, *this);
}
void Datatype::Get_name(char* name, int& length) const {
    check(*this, MPI_Type_get_name(*this, name, &length));
}
Info Info::Dup() const {
    return result_of<Info>(*this, MPI_Info_dup, *this);
}

int Status::Get_source() const {
    return status.MPI_SOURCE;
}
void Status::Set_source(int source) {
    status.MPI_SOURCE = source;
}
int Status::Get_tag() const {
    return status.MPI_TAG;
}
void Status::Set_tag(int tag) {
    status.MPI_TAG = tag;
}
int Status::Get_error() const {
    return status.MPI_ERROR;
}
void Status::Set_error(int error) {
    status.MPI_ERROR = error;
}

void Comm::Abort(int code) {
    check(*this, MPI_Abort(*this, code));
}
void Comm::Reduce_scatter(const void* send, void* receive, int* counts, const Datatype& type, const Op& op) const {
    check(*this, MPI_Reduce_scatter(send, receive, counts, type, op, *this));
}
void Comm::Set_attr(int keyval, const void* value) const {
    check(*this, MPI_Comm_set_attr(*this, keyval, const_cast<void*>(value)));
}

Intercomm Intercomm::Create(const Group& group) const {
    return result_of<Intercomm>(*this, MPI_Comm_create, *this, group);
}

Intercomm Intracomm::Spawn(const char* command, const char** arguments, int count, const Info& info, int root) const {
    return Spawn(command, arguments, count, info, root, nullptr);
}
Intercomm Intracomm::Spawn(const char* command, const char** arguments, int count, const Info& info, int root,
                           int* codes) const {
    MPI_Comm made = Comm_Null();
    check(*this, MPI_Comm_spawn(command, const_cast<char**>(arguments), count, info, root, *this, &made, codes));
    return Intercomm(made);
}
Intercomm Intracomm::Spawn_multiple(int count, const char** commands, const char*** arguments, const int* processes,
                                    const Info* infos, int root) {
    return Spawn_multiple(count, commands, arguments, processes, infos, root, nullptr);
}
Intercomm Intracomm::Spawn_multiple(int count, const char** commands, const char*** arguments, const int* processes,
                                    const Info* infos, int root, int* codes) {
    MPI_Comm made = Comm_Null();
    check(*this, MPI_Comm_spawn_multiple(count, const_cast<char**>(commands), const_cast<char***>(arguments), processes,
                                         handles_of<MPI_Info>(infos, count).data(), root, *this, &made, codes));
    return Intercomm(made);
}

void Win::Get(const void* origin, int count, const Datatype& type, int rank, Aint displacement, int target_count,
              const Datatype& target_type) const {
    check(*this, MPI_Get(const_cast<void*>(origin), count, type, rank, displacement, target_count, target_type, *this));
}
void Win::Set_errhandler(const Errhandler& errhandler) const {
    check(*this, MPI_Win_set_errhandler(*this, errhandler));
}
void Win::Call_errhandler(int code) const {
    check(*this, MPI_Win_call_errhandler(*this, code));
}

void File::Close() {
    check(*this, MPI_File_close(&handle));
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

int Comm::do_create_keyval(MPI_Comm_copy_attr_function* c_copy, MPI_Comm_delete_attr_function* c_delete,
                           Copy_attr_function* copy, Delete_attr_function* remove, void* extra_state, int& keyval) {
    return create_keyval<Comm>({c_copy, c_delete, copy, remove, extra_state}, keyval);
}
int Datatype::do_create_keyval(MPI_Type_copy_attr_function* c_copy, MPI_Type_delete_attr_function* c_delete,
                               Copy_attr_function* copy, Delete_attr_function* remove, void* extra_state, int& keyval) {
    return create_keyval<Datatype>({c_copy, c_delete, copy, remove, extra_state}, keyval);
}
int Win::do_create_keyval(MPI_Win_copy_attr_function* c_copy, MPI_Win_delete_attr_function* c_delete,
                          Copy_attr_function* copy, Delete_attr_function* remove, void* extra_state, int& keyval) {
    return create_keyval<Win>({c_copy, c_delete, copy, remove, extra_state}, keyval);
}

void Register_datarep(const char* name, Datarep_conversion_function* read, Datarep_conversion_function* write,
                      Datarep_extent_function* extent, void* extra_state) {
    register_datarep(name, {{nullptr, read}, {nullptr, write}, extent, extra_state});
}
void Register_datarep(const char* name, MPI_Datarep_conversion_function* read, Datarep_conversion_function* write,
                      Datarep_extent_function* extent, void* extra_state) {
    register_datarep(name, {{read, nullptr}, {nullptr, write}, extent, extra_state});
}
void Register_datarep(const char* name, Datarep_conversion_function* read, MPI_Datarep_conversion_function* write,
                      Datarep_extent_function* extent, void* extra_state) {
    register_datarep(name, {{nullptr, read}, {write, nullptr}, extent, extra_state});
}
void Register_datarep(const char* name, MPI_Datarep_conversion_function* read, MPI_Datarep_conversion_function* write,
                      Datarep_extent_function* extent, void* extra_state) {
    register_datarep(name, {{read, nullptr}, {write, nullptr}, extent, extra_state});
}

} // namespace MPI
