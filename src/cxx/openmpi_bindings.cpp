#include "cxx/openmpi_bindings.hpp"

#include "cxx/callbacks.hpp"

namespace MPI {

using namespace anympi::cxx;

// Inline code of the program calls this function after MPI_Init. Nothing needs initialisation.
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
