// The methods that have the same signature in the bindings of Open MPI and MPICH. This file is compiled once for each
// vendor, with the vendor's declarations. The vendor's `check` handles error codes.

#include ANYMPI_CXX_DECLARATIONS
#include "cxx/callbacks.hpp"
#include "cxx/calls.hpp"

namespace MPI {

using anympi::cxx::flags_of;
using anympi::cxx::handles_of;
using anympi::cxx::result_of;

// ---- Datatype ----

void Datatype::Commit() {
    check(*this, MPI_Type_commit(&handle));
}
void Datatype::Free() {
    check(*this, MPI_Type_free(&handle));
}
Datatype Datatype::Create_contiguous(int count) const {
    return result_of<Datatype>(*this, MPI_Type_contiguous, count, *this);
}
Datatype Datatype::Create_vector(int count, int length, int stride) const {
    return result_of<Datatype>(*this, MPI_Type_vector, count, length, stride, *this);
}
Datatype Datatype::Create_hvector(int count, int length, Aint stride) const {
    return result_of<Datatype>(*this, MPI_Type_create_hvector, count, length, stride, *this);
}
Datatype Datatype::Create_indexed(int count, const int* lengths, const int* displacements) const {
    return result_of<Datatype>(*this, MPI_Type_indexed, count, lengths, displacements, *this);
}
Datatype Datatype::Create_hindexed(int count, const int* lengths, const Aint* displacements) const {
    return result_of<Datatype>(*this, MPI_Type_create_hindexed, count, lengths, displacements, *this);
}
Datatype Datatype::Create_indexed_block(int count, int length, const int* displacements) const {
    return result_of<Datatype>(*this, MPI_Type_create_indexed_block, count, length, displacements, *this);
}
Datatype Datatype::Create_resized(Aint lower_bound, Aint extent) const {
    return result_of<Datatype>(*this, MPI_Type_create_resized, *this, lower_bound, extent);
}
Datatype Datatype::Create_subarray(int dimensions, const int* sizes, const int* subsizes, const int* starts,
                                   int order) const {
    return result_of<Datatype>(*this, MPI_Type_create_subarray, dimensions, sizes, subsizes, starts, order, *this);
}
Datatype Datatype::Create_darray(int size, int rank, int dimensions, const int* sizes, const int* distributions,
                                 const int* arguments, const int* processes, int order) const {
    return result_of<Datatype>(*this, MPI_Type_create_darray, size, rank, dimensions, sizes, distributions, arguments,
                               processes, order, *this);
}
int Datatype::Get_size() const {
    return result_of<int>(*this, MPI_Type_size, *this);
}
void Datatype::Get_extent(Aint& lower_bound, Aint& extent) const {
    check(*this, MPI_Type_get_extent(*this, &lower_bound, &extent));
}
void Datatype::Get_true_extent(Aint& lower_bound, Aint& extent) const {
    check(*this, MPI_Type_get_true_extent(*this, &lower_bound, &extent));
}
void Datatype::Get_envelope(int& integers, int& addresses, int& types, int& combiner) const {
    check(*this, MPI_Type_get_envelope(*this, &integers, &addresses, &types, &combiner));
}
void Datatype::Get_contents(int integer_count, int address_count, int type_count, int* integers, Aint* addresses,
                            Datatype* types) const {
    std::vector<MPI_Datatype> made(type_count);
    check(*this,
          MPI_Type_get_contents(*this, integer_count, address_count, type_count, integers, addresses, made.data()));
    for (int n = 0; n < type_count; ++n)
        types[n] = Datatype(made[n]);
}
void Datatype::Pack(const void* in, int count, void* out, int size, int& position, const Comm& comm) const {
    check(comm, MPI_Pack(in, count, *this, out, size, &position, comm));
}
void Datatype::Unpack(const void* in, int size, void* out, int count, int& position, const Comm& comm) const {
    check(comm, MPI_Unpack(in, size, &position, out, count, *this, comm));
}
int Datatype::Pack_size(int count, const Comm& comm) const {
    return result_of<int>(comm, MPI_Pack_size, count, *this, comm);
}
void Datatype::Pack_external(const char* representation, const void* in, int count, void* out, Aint size,
                             Aint& position) const {
    check(*this, MPI_Pack_external(representation, in, count, *this, out, size, &position));
}
Aint Datatype::Pack_external_size(const char* representation, int count) const {
    return result_of<Aint>(*this, MPI_Pack_external_size, representation, count, *this);
}
void Datatype::Unpack_external(const char* representation, const void* in, Aint size, Aint& position, void* out,
                               int count) const {
    check(*this, MPI_Unpack_external(representation, in, size, &position, out, count, *this));
}
bool Datatype::Get_attr(int keyval, void* value) const {
    return result_of<bool>(*this, MPI_Type_get_attr, *this, keyval, value);
}
void Datatype::Set_attr(int keyval, const void* value) {
    check(*this, MPI_Type_set_attr(*this, keyval, const_cast<void*>(value)));
}
void Datatype::Delete_attr(int keyval) {
    check(*this, MPI_Type_delete_attr(*this, keyval));
}
void Datatype::Set_name(const char* name) {
    check(*this, MPI_Type_set_name(*this, name));
}

// ---- Group, Info, Op, Errhandler, Status ----

int Group::Get_size() const {
    return result_of<int>(*this, MPI_Group_size, *this);
}
int Group::Get_rank() const {
    return result_of<int>(*this, MPI_Group_rank, *this);
}
Group Group::Incl(int count, const int* ranks) const {
    return result_of<Group>(*this, MPI_Group_incl, *this, count, ranks);
}
Group Group::Excl(int count, const int* ranks) const {
    return result_of<Group>(*this, MPI_Group_excl, *this, count, ranks);
}
Group Group::Range_incl(int count, const int (*ranges)[3]) const {
    return result_of<Group>(*this, MPI_Group_range_incl, *this, count, const_cast<int(*)[3]>(ranges));
}
Group Group::Range_excl(int count, const int (*ranges)[3]) const {
    return result_of<Group>(*this, MPI_Group_range_excl, *this, count, const_cast<int(*)[3]>(ranges));
}
void Group::Free() {
    check(*this, MPI_Group_free(&handle));
}

void Info::Set(const char* key, const char* value) {
    check(*this, MPI_Info_set(*this, key, value));
}
void Info::Delete(const char* key) {
    check(*this, MPI_Info_delete(*this, key));
}
bool Info::Get(const char* key, int length, char* value) const {
    return result_of<bool>(*this, MPI_Info_get, *this, key, length, value);
}
bool Info::Get_valuelen(const char* key, int& length) const {
    return result_of<bool>(*this, MPI_Info_get_valuelen, *this, key, &length);
}
int Info::Get_nkeys() const {
    return result_of<int>(*this, MPI_Info_get_nkeys, *this);
}
void Info::Get_nthkey(int number, char* key) const {
    check(*this, MPI_Info_get_nthkey(*this, number, key));
}
void Info::Free() {
    check(*this, MPI_Info_free(&handle));
}

void Op::Free() {
    check(*this, MPI_Op_free(&handle));
}
bool Op::Is_commutative() const {
    return result_of<bool>(*this, MPI_Op_commutative, *this);
}
void Op::Reduce_local(const void* in, void* inout, int count, const Datatype& type) const {
    check(*this, MPI_Reduce_local(in, inout, count, type, *this));
}

void Errhandler::Free() {
    check(*this, MPI_Errhandler_free(&handle));
}

int Status::Get_count(const Datatype& type) const {
    return result_of<int>(*this, MPI_Get_count, &status, type);
}
int Status::Get_elements(const Datatype& type) const {
    return result_of<int>(*this, MPI_Get_elements, &status, type);
}
bool Status::Is_cancelled() const {
    return result_of<bool>(*this, MPI_Test_cancelled, &status);
}
void Status::Set_elements(const Datatype& type, int count) {
    check(*this, MPI_Status_set_elements(&status, type, count));
}
void Status::Set_cancelled(bool flag) {
    check(*this, MPI_Status_set_cancelled(&status, flag));
}

// ---- Request ----

// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): the request was started elsewhere
void Request::Wait(Status& status) {
    check(*this, MPI_Wait(&handle, status));
}
void Request::Wait() {
    check(*this, MPI_Wait(&handle, MPI_STATUS_IGNORE));
}
// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)
bool Request::Test(Status& status) {
    int flag = 0;
    check(*this, MPI_Test(&handle, &flag, status));
    return flag != 0;
}
bool Request::Test() {
    int flag = 0;
    check(*this, MPI_Test(&handle, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
}
bool Request::Get_status(Status& status) const {
    int flag = 0;
    check(*this, MPI_Request_get_status(*this, &flag, status));
    return flag != 0;
}
bool Request::Get_status() const {
    int flag = 0;
    check(*this, MPI_Request_get_status(*this, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
}
void Request::Cancel() const {
    MPI_Request request = handle;
    check(*this, MPI_Cancel(&request));
}
void Request::Free() {
    check(*this, MPI_Request_free(&handle));
}
void Prequest::Start() {
    check(*this, MPI_Start(&handle));
}
void Grequest::Complete() {
    check(*this, MPI_Grequest_complete(*this));
}

// ---- Comm: point to point ----

#define MODE_OF_SENDING(MODE, NONBLOCKING)                                                                             \
    void Comm::MODE(const void* buffer, int count, const Datatype& type, int rank, int tag) const {                    \
        check(*this, MPI_##MODE(buffer, count, type, rank, tag, *this));                                               \
    }                                                                                                                  \
    Request Comm::NONBLOCKING(const void* buffer, int count, const Datatype& type, int rank, int tag) const {          \
        return result_of<Request>(*this, MPI_##NONBLOCKING, buffer, count, type, rank, tag, *this);                    \
    }                                                                                                                  \
    Prequest Comm::MODE##_init(const void* buffer, int count, const Datatype& type, int rank, int tag) const {         \
        return result_of<Prequest>(*this, MPI_##MODE##_init, buffer, count, type, rank, tag, *this);                   \
    }
MODE_OF_SENDING(Send, Isend)
MODE_OF_SENDING(Bsend, Ibsend)
MODE_OF_SENDING(Ssend, Issend)
MODE_OF_SENDING(Rsend, Irsend)
#undef MODE_OF_SENDING

void Comm::Recv(void* buffer, int count, const Datatype& type, int rank, int tag, Status& status) const {
    check(*this, MPI_Recv(buffer, count, type, rank, tag, *this, status));
}
void Comm::Recv(void* buffer, int count, const Datatype& type, int rank, int tag) const {
    check(*this, MPI_Recv(buffer, count, type, rank, tag, *this, MPI_STATUS_IGNORE));
}
Request Comm::Irecv(void* buffer, int count, const Datatype& type, int rank, int tag) const {
    return result_of<Request>(*this, MPI_Irecv, buffer, count, type, rank, tag, *this);
}
Prequest Comm::Recv_init(void* buffer, int count, const Datatype& type, int rank, int tag) const {
    return result_of<Prequest>(*this, MPI_Recv_init, buffer, count, type, rank, tag, *this);
}
void Comm::Probe(int rank, int tag, Status& status) const {
    check(*this, MPI_Probe(rank, tag, *this, status));
}
void Comm::Probe(int rank, int tag) const {
    check(*this, MPI_Probe(rank, tag, *this, MPI_STATUS_IGNORE));
}
bool Comm::Iprobe(int rank, int tag, Status& status) const {
    int flag = 0;
    check(*this, MPI_Iprobe(rank, tag, *this, &flag, status));
    return flag != 0;
}
bool Comm::Iprobe(int rank, int tag) const {
    int flag = 0;
    check(*this, MPI_Iprobe(rank, tag, *this, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
}
void Comm::Sendrecv(const void* send, int send_count, const Datatype& send_type, int to, int send_tag, void* receive,
                    int receive_count, const Datatype& receive_type, int from, int receive_tag, Status& status) const {
    check(*this, MPI_Sendrecv(send, send_count, send_type, to, send_tag, receive, receive_count, receive_type, from,
                              receive_tag, *this, status));
}
void Comm::Sendrecv(const void* send, int send_count, const Datatype& send_type, int to, int send_tag, void* receive,
                    int receive_count, const Datatype& receive_type, int from, int receive_tag) const {
    check(*this, MPI_Sendrecv(send, send_count, send_type, to, send_tag, receive, receive_count, receive_type, from,
                              receive_tag, *this, MPI_STATUS_IGNORE));
}
void Comm::Sendrecv_replace(void* buffer, int count, const Datatype& type, int to, int send_tag, int from,
                            int receive_tag, Status& status) const {
    check(*this, MPI_Sendrecv_replace(buffer, count, type, to, send_tag, from, receive_tag, *this, status));
}
void Comm::Sendrecv_replace(void* buffer, int count, const Datatype& type, int to, int send_tag, int from,
                            int receive_tag) const {
    check(*this, MPI_Sendrecv_replace(buffer, count, type, to, send_tag, from, receive_tag, *this, MPI_STATUS_IGNORE));
}

// ---- Comm: collective ----

void Comm::Barrier() const {
    check(*this, MPI_Barrier(*this));
}
void Comm::Bcast(void* buffer, int count, const Datatype& type, int root) const {
    check(*this, MPI_Bcast(buffer, count, type, root, *this));
}
void Comm::Gather(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                  const Datatype& receive_type, int root) const {
    check(*this, MPI_Gather(send, send_count, send_type, receive, receive_count, receive_type, root, *this));
}
void Comm::Gatherv(const void* send, int send_count, const Datatype& send_type, void* receive,
                   const int* receive_counts, const int* displacements, const Datatype& receive_type, int root) const {
    check(*this,
          MPI_Gatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type, root, *this));
}
void Comm::Scatter(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                   const Datatype& receive_type, int root) const {
    check(*this, MPI_Scatter(send, send_count, send_type, receive, receive_count, receive_type, root, *this));
}
void Comm::Scatterv(const void* send, const int* send_counts, const int* displacements, const Datatype& send_type,
                    void* receive, int receive_count, const Datatype& receive_type, int root) const {
    check(*this,
          MPI_Scatterv(send, send_counts, displacements, send_type, receive, receive_count, receive_type, root, *this));
}
void Comm::Allgather(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                     const Datatype& receive_type) const {
    check(*this, MPI_Allgather(send, send_count, send_type, receive, receive_count, receive_type, *this));
}
void Comm::Allgatherv(const void* send, int send_count, const Datatype& send_type, void* receive,
                      const int* receive_counts, const int* displacements, const Datatype& receive_type) const {
    check(*this,
          MPI_Allgatherv(send, send_count, send_type, receive, receive_counts, displacements, receive_type, *this));
}
void Comm::Alltoall(const void* send, int send_count, const Datatype& send_type, void* receive, int receive_count,
                    const Datatype& receive_type) const {
    check(*this, MPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, *this));
}
void Comm::Alltoallv(const void* send, const int* send_counts, const int* send_displacements, const Datatype& send_type,
                     void* receive, const int* receive_counts, const int* receive_displacements,
                     const Datatype& receive_type) const {
    check(*this, MPI_Alltoallv(send, send_counts, send_displacements, send_type, receive, receive_counts,
                               receive_displacements, receive_type, *this));
}
void Comm::Alltoallw(const void* send, const int* send_counts, const int* send_displacements,
                     const Datatype* send_types, void* receive, const int* receive_counts,
                     const int* receive_displacements, const Datatype* receive_types) const {
    int peers = 0;
    check(*this, Is_inter() ? MPI_Comm_remote_size(*this, &peers) : MPI_Comm_size(*this, &peers));
    std::vector<MPI_Datatype> sent; // send_types is not significant with MPI_IN_PLACE
    if (send != IN_PLACE)
        sent = handles_of<MPI_Datatype>(send_types, peers);
    const auto received = handles_of<MPI_Datatype>(receive_types, peers);
    check(*this, MPI_Alltoallw(send, send_counts, send_displacements, sent.data(), receive, receive_counts,
                               receive_displacements, received.data(), *this));
}
void Comm::Reduce(const void* send, void* receive, int count, const Datatype& type, const Op& op, int root) const {
    check(*this, MPI_Reduce(send, receive, count, type, op, root, *this));
}
void Comm::Allreduce(const void* send, void* receive, int count, const Datatype& type, const Op& op) const {
    check(*this, MPI_Allreduce(send, receive, count, type, op, *this));
}
void Intracomm::Scan(const void* send, void* receive, int count, const Datatype& type, const Op& op) const {
    check(*this, MPI_Scan(send, receive, count, type, op, *this));
}
void Intracomm::Exscan(const void* send, void* receive, int count, const Datatype& type, const Op& op) const {
    check(*this, MPI_Exscan(send, receive, count, type, op, *this));
}

// ---- Comm: itself ----

Group Comm::Get_group() const {
    return result_of<Group>(*this, MPI_Comm_group, *this);
}
int Comm::Get_size() const {
    return result_of<int>(*this, MPI_Comm_size, *this);
}
int Comm::Get_rank() const {
    return result_of<int>(*this, MPI_Comm_rank, *this);
}
bool Comm::Is_inter() const {
    return result_of<bool>(*this, MPI_Comm_test_inter, *this);
}
int Comm::Get_topology() const {
    return result_of<int>(*this, MPI_Topo_test, *this);
}
void Comm::Free() {
    check(*this, MPI_Comm_free(&handle));
}
void Comm::Disconnect() {
    check(*this, MPI_Comm_disconnect(&handle));
}
void Comm::Get_name(char* name, int& length) const {
    check(*this, MPI_Comm_get_name(*this, name, &length));
}
void Comm::Set_name(const char* name) {
    check(*this, MPI_Comm_set_name(*this, name));
}
Errhandler Comm::Get_errhandler() const {
    return result_of<Errhandler>(*this, MPI_Comm_get_errhandler, *this);
}
void Comm::Set_errhandler(const Errhandler& errhandler) {
    check(*this, MPI_Comm_set_errhandler(*this, errhandler));
}
bool Comm::Get_attr(int keyval, void* value) const {
    return result_of<bool>(*this, MPI_Comm_get_attr, *this, keyval, value);
}
void Comm::Delete_attr(int keyval) {
    check(*this, MPI_Comm_delete_attr(*this, keyval));
}

// ---- communicators of each kind ----

Intracomm& Intracomm::Clone() const {
    return *new Intracomm(result_of<Intracomm>(*this, MPI_Comm_dup, *this));
}
Intercomm& Intercomm::Clone() const {
    return *new Intercomm(result_of<Intercomm>(*this, MPI_Comm_dup, *this));
}
Cartcomm& Cartcomm::Clone() const {
    return *new Cartcomm(result_of<Cartcomm>(*this, MPI_Comm_dup, *this));
}
Graphcomm& Graphcomm::Clone() const {
    return *new Graphcomm(result_of<Graphcomm>(*this, MPI_Comm_dup, *this));
}

Intracomm Intracomm::Create(const Group& group) const {
    return result_of<Intracomm>(*this, MPI_Comm_create, *this, group);
}
Intracomm Intracomm::Split(int color, int key) const {
    return result_of<Intracomm>(*this, MPI_Comm_split, *this, color, key);
}
Intercomm Intracomm::Create_intercomm(int leader, const Comm& peer, int remote_leader, int tag) const {
    return result_of<Intercomm>(*this, MPI_Intercomm_create, *this, leader, peer, remote_leader, tag);
}
Cartcomm Intracomm::Create_cart(int count, const int* sizes, const bool* periods, bool reorder) const {
    return result_of<Cartcomm>(*this, MPI_Cart_create, *this, count, sizes, flags_of(periods, count).data(), reorder);
}
Graphcomm Intracomm::Create_graph(int count, const int* index, const int* edges, bool reorder) const {
    return result_of<Graphcomm>(*this, MPI_Graph_create, *this, count, index, edges, reorder);
}
Intercomm Intracomm::Accept(const char* port, const Info& info, int root) const {
    return result_of<Intercomm>(*this, MPI_Comm_accept, port, info, root, *this);
}
Intercomm Intracomm::Connect(const char* port, const Info& info, int root) const {
    return result_of<Intercomm>(*this, MPI_Comm_connect, port, info, root, *this);
}

int Intercomm::Get_remote_size() const {
    return result_of<int>(*this, MPI_Comm_remote_size, *this);
}
Group Intercomm::Get_remote_group() const {
    return result_of<Group>(*this, MPI_Comm_remote_group, *this);
}
Intracomm Intercomm::Merge(bool high) const {
    return result_of<Intracomm>(*this, MPI_Intercomm_merge, *this, high);
}
Intercomm Intercomm::Split(int color, int key) const {
    return result_of<Intercomm>(*this, MPI_Comm_split, *this, color, key);
}

int Cartcomm::Get_dim() const {
    return result_of<int>(*this, MPI_Cartdim_get, *this);
}
void Cartcomm::Get_topo(int count, int* sizes, bool* periods, int* coordinates) const {
    std::vector<int> periodic(count);
    check(*this, MPI_Cart_get(*this, count, sizes, periodic.data(), coordinates));
    for (int n = 0; n < count; ++n)
        periods[n] = periodic[n] != 0;
}
int Cartcomm::Get_cart_rank(const int* coordinates) const {
    return result_of<int>(*this, MPI_Cart_rank, *this, coordinates);
}
void Cartcomm::Get_coords(int rank, int count, int* coordinates) const {
    check(*this, MPI_Cart_coords(*this, rank, count, coordinates));
}
void Cartcomm::Shift(int direction, int distance, int& source, int& destination) const {
    check(*this, MPI_Cart_shift(*this, direction, distance, &source, &destination));
}
Cartcomm Cartcomm::Sub(const bool* kept) const {
    return result_of<Cartcomm>(*this, MPI_Cart_sub, *this, flags_of(kept, Get_dim()).data());
}
int Cartcomm::Map(int count, const int* sizes, const bool* periods) const {
    return result_of<int>(*this, MPI_Cart_map, *this, count, sizes, flags_of(periods, count).data());
}

void Graphcomm::Get_dims(int* nodes, int* edges) const {
    check(*this, MPI_Graphdims_get(*this, nodes, edges));
}
void Graphcomm::Get_topo(int index_count, int edge_count, int* index, int* edges) const {
    check(*this, MPI_Graph_get(*this, index_count, edge_count, index, edges));
}
int Graphcomm::Get_neighbors_count(int rank) const {
    return result_of<int>(*this, MPI_Graph_neighbors_count, *this, rank);
}
void Graphcomm::Get_neighbors(int rank, int count, int* neighbors) const {
    check(*this, MPI_Graph_neighbors(*this, rank, count, neighbors));
}
int Graphcomm::Map(int count, const int* index, const int* edges) const {
    return result_of<int>(*this, MPI_Graph_map, *this, count, index, edges);
}

// ---- Win ----

void Win::Free() {
    check(*this, MPI_Win_free(&handle));
}
Group Win::Get_group() const {
    return result_of<Group>(*this, MPI_Win_get_group, *this);
}
void Win::Put(const void* origin, int count, const Datatype& type, int rank, Aint displacement, int target_count,
              const Datatype& target_type) const {
    check(*this, MPI_Put(origin, count, type, rank, displacement, target_count, target_type, *this));
}
void Win::Accumulate(const void* origin, int count, const Datatype& type, int rank, Aint displacement, int target_count,
                     const Datatype& target_type, const Op& op) const {
    check(*this, MPI_Accumulate(origin, count, type, rank, displacement, target_count, target_type, op, *this));
}
void Win::Fence(int assertion) const {
    check(*this, MPI_Win_fence(assertion, *this));
}
void Win::Post(const Group& group, int assertion) const {
    check(*this, MPI_Win_post(group, assertion, *this));
}
void Win::Start(const Group& group, int assertion) const {
    check(*this, MPI_Win_start(group, assertion, *this));
}
void Win::Complete() const {
    check(*this, MPI_Win_complete(*this));
}
void Win::Wait() const {
    check(*this, MPI_Win_wait(*this));
}
bool Win::Test() const {
    return result_of<bool>(*this, MPI_Win_test, *this);
}
void Win::Lock(int type, int rank, int assertion) const {
    check(*this, MPI_Win_lock(type, rank, assertion, *this));
}
void Win::Unlock(int rank) const {
    check(*this, MPI_Win_unlock(rank, *this));
}
void Win::Get_name(char* name, int& length) const {
    check(*this, MPI_Win_get_name(*this, name, &length));
}
void Win::Set_name(const char* name) {
    check(*this, MPI_Win_set_name(*this, name));
}
void Win::Set_attr(int keyval, const void* value) {
    check(*this, MPI_Win_set_attr(*this, keyval, const_cast<void*>(value)));
}
void Win::Delete_attr(int keyval) {
    check(*this, MPI_Win_delete_attr(*this, keyval));
}
Errhandler Win::Get_errhandler() const {
    return result_of<Errhandler>(*this, MPI_Win_get_errhandler, *this);
}

// ---- error handlers of the program ----

Errhandler Comm::Create_errhandler(Errhandler_function* function) {
    return anympi::cxx::create_errhandler<Comm>(function);
}
Errhandler Win::Create_errhandler(Errhandler_function* function) {
    return anympi::cxx::create_errhandler<Win>(function);
}
Errhandler File::Create_errhandler(Errhandler_function* function) {
    return anympi::cxx::create_errhandler<File>(function);
}

} // namespace MPI
