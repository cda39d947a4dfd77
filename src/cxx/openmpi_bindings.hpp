#pragma once

// The C++ bindings as declared by the headers of Open MPI 4.1. Names, sizes and the order of virtual functions must
// match those headers. All methods are inline there, so a program has its own copy of most methods. But virtual calls
// through an object of this library run the methods of this library.

#include "abi/openmpi.hpp"

#include <cstddef>

extern "C" {

typedef struct ompi_communicator_t* MPI_Comm;
typedef struct ompi_datatype_t* MPI_Datatype;
typedef struct ompi_errhandler_t* MPI_Errhandler;
typedef struct ompi_file_t* MPI_File;
typedef struct ompi_group_t* MPI_Group;
typedef struct ompi_info_t* MPI_Info;
typedef struct ompi_op_t* MPI_Op;
typedef struct ompi_request_t* MPI_Request;
typedef struct ompi_win_t* MPI_Win;
typedef std::ptrdiff_t MPI_Aint;
typedef long long MPI_Offset;

struct MPI_Status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int cancelled;
    std::size_t bytes;
};

#include "prototypes.hpp"

/// The data objects whose addresses are the null handles.
extern char ompi_mpi_comm_null[], ompi_mpi_datatype_null[], ompi_mpi_errhandler_null[], ompi_mpi_file_null[],
    ompi_mpi_group_null[], ompi_mpi_info_null[], ompi_mpi_op_null[], ompi_request_null[], ompi_mpi_win_null[];
}

namespace MPI {

using Aint = MPI_Aint;
using Offset = MPI_Offset;
using values = anympi::openmpi;

inline MPI_Status* const MPI_STATUS_IGNORE = reinterpret_cast<MPI_Status*>(values::mpi_STATUS_IGNORE);
extern void* const IN_PLACE;

class Comm;
class Intracomm;
class Intercomm;
class Cartcomm;
class Graphcomm;
extern Intracomm COMM_WORLD;

/// Ignores the result of a C function: its error handler was already called, and the bindings do not return codes.
template <class Object>
static inline void check(const Object&, int) {}
static inline void remember_handled_code(int) {}

/// Returns the address of a data object of the C library as a handle.
template <class Handle>
static inline Handle handle_at(char* object) {
    return reinterpret_cast<Handle>(object);
}

class Datatype {
public:
    using Copy_attr_function = int(const Datatype&, int, void*, const void*, void*, bool&);
    using Delete_attr_function = int(Datatype&, int, void*, void*);

    Datatype(MPI_Datatype type = handle_at<MPI_Datatype>(ompi_mpi_datatype_null)) : handle(type) {}
    virtual ~Datatype() = default;
    operator MPI_Datatype() const { return handle; }

    virtual Datatype Create_contiguous(int) const;
    virtual Datatype Create_vector(int, int, int) const;
    virtual Datatype Create_indexed(int, const int*, const int*) const;
    virtual Datatype Create_hindexed(int, const int*, const Aint*) const;
    virtual Datatype Create_hvector(int, int, Aint) const;
    virtual Datatype Create_indexed_block(int, int, const int*) const;
    virtual Datatype Create_resized(Aint, Aint) const;
    virtual int Get_size() const;
    virtual void Get_extent(Aint&, Aint&) const;
    virtual void Get_true_extent(Aint&, Aint&) const;
    virtual void Commit();
    virtual void Free();
    virtual void Pack(const void*, int, void*, int, int&, const Comm&) const;
    virtual void Unpack(const void*, int, void*, int, int&, const Comm&) const;
    virtual int Pack_size(int, const Comm&) const;
    virtual void Pack_external(const char*, const void*, int, void*, Aint, Aint&) const;
    virtual Aint Pack_external_size(const char*, int) const;
    virtual void Unpack_external(const char*, const void*, Aint, Aint&, void*, int) const;
    virtual Datatype Create_subarray(int, const int*, const int*, const int*, int) const;
    virtual Datatype Create_darray(int, int, int, const int*, const int*, const int*, const int*, int) const;
    virtual Datatype Dup() const;
    virtual void Delete_attr(int);
    virtual bool Get_attr(int, void*) const;
    virtual void Get_contents(int, int, int, int*, Aint*, Datatype*) const;
    virtual void Get_envelope(int&, int&, int&, int&) const;
    virtual void Get_name(char*, int&) const;
    virtual void Set_attr(int, const void*);
    virtual void Set_name(const char*);

protected:
    static int do_create_keyval(MPI_Type_copy_attr_function*, MPI_Type_delete_attr_function*, Copy_attr_function*,
                                Delete_attr_function*, void*, int&);

    MPI_Datatype handle;
};

using User_function = void(const void*, void*, int, const Datatype&);

class Op {
public:
    Op(MPI_Op op = handle_at<MPI_Op>(ompi_mpi_op_null)) : handle(op) {}
    virtual ~Op() = default;
    operator MPI_Op() const { return handle; }

    virtual void Init(void (*)(const void*, void*, int, const Datatype&), bool);
    virtual void Free();
    virtual void Reduce_local(const void*, void*, int, const Datatype&) const;
    virtual bool Is_commutative() const;

protected:
    MPI_Op handle;
};

class Status {
public:
    Status() = default;
    explicit Status(const MPI_Status& other) : status(other) {}
    virtual ~Status() = default;
    operator MPI_Status*() { return &status; }

    virtual int Get_count(const Datatype&) const;
    virtual bool Is_cancelled() const;
    virtual int Get_elements(const Datatype&) const;
    virtual int Get_source() const;
    virtual void Set_source(int);
    virtual int Get_tag() const;
    virtual void Set_tag(int);
    virtual int Get_error() const;
    virtual void Set_error(int);
    virtual void Set_elements(const Datatype&, int);
    virtual void Set_cancelled(bool);

protected:
    MPI_Status status{};
};

class Request {
public:
    Request(MPI_Request request = handle_at<MPI_Request>(ompi_request_null)) : handle(request) {}
    virtual ~Request() = default;
    operator MPI_Request() const { return handle; }

    virtual void Wait(Status&);
    virtual void Wait();
    virtual bool Test(Status&);
    virtual bool Test();
    virtual void Free();
    virtual void Cancel() const;
    virtual bool Get_status(Status&) const;
    virtual bool Get_status() const;

protected:
    MPI_Request handle;
};

class Prequest : public Request {
public:
    using Request::Request;
    ~Prequest() override = default;

    virtual void Start();
};

class Grequest : public Request {
public:
    using Query_function = int(void*, Status&);
    using Free_function = int(void*);
    using Cancel_function = int(void*, bool);

    using Request::Request;
    ~Grequest() override = default;

    virtual void Complete();
};

class Group {
public:
    Group(MPI_Group group = handle_at<MPI_Group>(ompi_mpi_group_null)) : handle(group) {}
    virtual ~Group() = default;
    operator MPI_Group() const { return handle; }

    virtual int Get_size() const;
    virtual int Get_rank() const;
    virtual Group Incl(int, const int*) const;
    virtual Group Excl(int, const int*) const;
    virtual Group Range_incl(int, const int (*)[3]) const;
    virtual Group Range_excl(int, const int (*)[3]) const;
    virtual void Free();

protected:
    MPI_Group handle;
};

class Errhandler {
public:
    Errhandler(MPI_Errhandler errhandler = handle_at<MPI_Errhandler>(ompi_mpi_errhandler_null)) : handle(errhandler) {}
    virtual ~Errhandler() = default;
    operator MPI_Errhandler() const { return handle; }

    virtual void Free();

private:
    MPI_Errhandler handle;
};

class Info {
public:
    Info(MPI_Info info = handle_at<MPI_Info>(ompi_mpi_info_null)) : handle(info) {}
    virtual ~Info() = default;
    operator MPI_Info() const { return handle; }

    virtual void Delete(const char*);
    virtual Info Dup() const;
    virtual void Free();
    virtual bool Get(const char*, int, char*) const;
    virtual int Get_nkeys() const;
    virtual void Get_nthkey(int, char*) const;
    virtual bool Get_valuelen(const char*, int&) const;
    virtual void Set(const char*, const char*);

protected:
    MPI_Info handle;
};

class Comm_Null {
public:
    Comm_Null(MPI_Comm comm = handle_at<MPI_Comm>(ompi_mpi_comm_null)) : handle(comm) {}
    virtual ~Comm_Null() = default;
    operator MPI_Comm() const { return handle; }

protected:
    MPI_Comm handle;
};

class Comm : public Comm_Null {
public:
    using Errhandler_function = void(Comm&, int*, ...);
    using Copy_attr_function = int(const Comm&, int, void*, void*, void*, bool&);
    using Delete_attr_function = int(Comm&, int, void*, void*);

    Comm();
    Comm(const Comm_Null& other);
    static Errhandler Create_errhandler(Errhandler_function*);

    virtual void Send(const void*, int, const Datatype&, int, int) const;
    virtual void Recv(void*, int, const Datatype&, int, int, Status&) const;
    virtual void Recv(void*, int, const Datatype&, int, int) const;
    virtual void Bsend(const void*, int, const Datatype&, int, int) const;
    virtual void Ssend(const void*, int, const Datatype&, int, int) const;
    virtual void Rsend(const void*, int, const Datatype&, int, int) const;
    virtual Request Isend(const void*, int, const Datatype&, int, int) const;
    virtual Request Ibsend(const void*, int, const Datatype&, int, int) const;
    virtual Request Issend(const void*, int, const Datatype&, int, int) const;
    virtual Request Irsend(const void*, int, const Datatype&, int, int) const;
    virtual Request Irecv(void*, int, const Datatype&, int, int) const;
    virtual bool Iprobe(int, int, Status&) const;
    virtual bool Iprobe(int, int) const;
    virtual void Probe(int, int, Status&) const;
    virtual void Probe(int, int) const;
    virtual Prequest Send_init(const void*, int, const Datatype&, int, int) const;
    virtual Prequest Bsend_init(const void*, int, const Datatype&, int, int) const;
    virtual Prequest Ssend_init(const void*, int, const Datatype&, int, int) const;
    virtual Prequest Rsend_init(const void*, int, const Datatype&, int, int) const;
    virtual Prequest Recv_init(void*, int, const Datatype&, int, int) const;
    virtual void Sendrecv(const void*, int, const Datatype&, int, int, void*, int, const Datatype&, int, int,
                          Status&) const;
    virtual void Sendrecv(const void*, int, const Datatype&, int, int, void*, int, const Datatype&, int, int) const;
    virtual void Sendrecv_replace(void*, int, const Datatype&, int, int, int, int, Status&) const;
    virtual void Sendrecv_replace(void*, int, const Datatype&, int, int, int, int) const;
    virtual Group Get_group() const;
    virtual int Get_size() const;
    virtual int Get_rank() const;
    virtual Comm& Clone() const = 0;
    virtual void Free();
    virtual bool Is_inter() const;
    virtual void Barrier() const;
    virtual void Bcast(void*, int, const Datatype&, int) const;
    virtual void Gather(const void*, int, const Datatype&, void*, int, const Datatype&, int) const;
    virtual void Gatherv(const void*, int, const Datatype&, void*, const int*, const int*, const Datatype&, int) const;
    virtual void Scatter(const void*, int, const Datatype&, void*, int, const Datatype&, int) const;
    virtual void Scatterv(const void*, const int*, const int*, const Datatype&, void*, int, const Datatype&, int) const;
    virtual void Allgather(const void*, int, const Datatype&, void*, int, const Datatype&) const;
    virtual void Allgatherv(const void*, int, const Datatype&, void*, const int*, const int*, const Datatype&) const;
    virtual void Alltoall(const void*, int, const Datatype&, void*, int, const Datatype&) const;
    virtual void Alltoallv(const void*, const int*, const int*, const Datatype&, void*, const int*, const int*,
                           const Datatype&) const;
    virtual void Alltoallw(const void*, const int*, const int*, const Datatype*, void*, const int*, const int*,
                           const Datatype*) const;
    virtual void Reduce(const void*, void*, int, const Datatype&, const Op&, int) const;
    virtual void Allreduce(const void*, void*, int, const Datatype&, const Op&) const;
    virtual void Reduce_scatter(const void*, void*, int*, const Datatype&, const Op&) const;
    virtual void Disconnect();
    virtual void Get_name(char*, int&) const;
    virtual void Set_name(const char*);
    virtual int Get_topology() const;
    virtual void Abort(int);
    virtual void Set_errhandler(const Errhandler&);
    virtual Errhandler Get_errhandler() const;
    virtual void Set_attr(int, const void*) const;
    virtual bool Get_attr(int, void*) const;
    virtual void Delete_attr(int);

protected:
    static int do_create_keyval(MPI_Comm_copy_attr_function*, MPI_Comm_delete_attr_function*, Copy_attr_function*,
                                Delete_attr_function*, void*, int&);
};

class Intracomm : public Comm {
public:
    Intracomm() = default;
    Intracomm(const Comm_Null& other) : Comm(other) {}
    Intracomm(MPI_Comm comm);

    Intracomm& Clone() const override;
    virtual void Scan(const void*, void*, int, const Datatype&, const Op&) const;
    virtual void Exscan(const void*, void*, int, const Datatype&, const Op&) const;
    virtual Intracomm Create(const Group&) const;
    virtual Intracomm Split(int, int) const;
    virtual Intercomm Create_intercomm(int, const Comm&, int, int) const;
    virtual Cartcomm Create_cart(int, const int*, const bool*, bool) const;
    virtual Graphcomm Create_graph(int, const int*, const int*, bool) const;
    virtual Intercomm Accept(const char*, const Info&, int) const;
    virtual Intercomm Connect(const char*, const Info&, int) const;
    virtual Intercomm Spawn(const char*, const char**, int, const Info&, int) const;
    virtual Intercomm Spawn(const char*, const char**, int, const Info&, int, int*) const;
    virtual Intercomm Spawn_multiple(int, const char**, const char***, const int*, const Info*, int);
    virtual Intercomm Spawn_multiple(int, const char**, const char***, const int*, const Info*, int, int*);
};

class Cartcomm : public Intracomm {
public:
    Cartcomm() = default;
    Cartcomm(MPI_Comm comm) : Intracomm(Comm_Null(comm)) {}

    Cartcomm& Clone() const override;
    virtual int Get_dim() const;
    virtual void Get_topo(int, int*, bool*, int*) const;
    virtual int Get_cart_rank(const int*) const;
    virtual void Get_coords(int, int, int*) const;
    virtual void Shift(int, int, int&, int&) const;
    virtual Cartcomm Sub(const bool*) const;
    virtual int Map(int, const int*, const bool*) const;
};

class Graphcomm : public Intracomm {
public:
    Graphcomm() = default;
    Graphcomm(MPI_Comm comm) : Intracomm(Comm_Null(comm)) {}

    Graphcomm& Clone() const override;
    virtual void Get_dims(int*, int*) const;
    virtual void Get_topo(int, int, int*, int*) const;
    virtual int Get_neighbors_count(int) const;
    virtual void Get_neighbors(int, int, int*) const;
    virtual int Map(int, const int*, const int*) const;
};

class Intercomm : public Comm {
public:
    Intercomm() = default;
    Intercomm(MPI_Comm comm) : Comm(Comm_Null(comm)) {}

    Intercomm& Clone() const override;
    virtual int Get_remote_size() const;
    virtual Group Get_remote_group() const;
    virtual Intracomm Merge(bool) const;
    virtual Intercomm Create(const Group&) const;
    virtual Intercomm Split(int, int) const;
};

class Win {
public:
    using Errhandler_function = void(Win&, int*, ...);
    using Copy_attr_function = int(const Win&, int, void*, void*, void*, bool&);
    using Delete_attr_function = int(Win&, int, void*, void*);

    Win(MPI_Win win = handle_at<MPI_Win>(ompi_mpi_win_null)) : handle(win) {}
    virtual ~Win() = default;
    operator MPI_Win() const { return handle; }
    static Errhandler Create_errhandler(Errhandler_function*);

    virtual void Set_errhandler(const Errhandler&) const;
    virtual Errhandler Get_errhandler() const;
    virtual void Accumulate(const void*, int, const Datatype&, int, Aint, int, const Datatype&, const Op&) const;
    virtual void Complete() const;
    virtual void Fence(int) const;
    virtual void Free();
    virtual void Get(const void*, int, const Datatype&, int, Aint, int, const Datatype&) const;
    virtual Group Get_group() const;
    virtual void Lock(int, int, int) const;
    virtual void Post(const Group&, int) const;
    virtual void Put(const void*, int, const Datatype&, int, Aint, int, const Datatype&) const;
    virtual void Start(const Group&, int) const;
    virtual bool Test() const;
    virtual void Unlock(int) const;
    virtual void Wait() const;
    virtual void Call_errhandler(int) const;
    virtual void Delete_attr(int);
    virtual void Get_name(char*, int&) const;
    virtual void Set_attr(int, const void*);
    virtual void Set_name(const char*);

protected:
    static int do_create_keyval(MPI_Win_copy_attr_function*, MPI_Win_delete_attr_function*, Copy_attr_function*,
                                Delete_attr_function*, void*, int&);

    MPI_Win handle;
};

class File {
public:
    using Errhandler_function = void(File&, int*, ...);

    File(MPI_File file = handle_at<MPI_File>(ompi_mpi_file_null)) : handle(file) {}
    virtual ~File() = default;
    operator MPI_File() const { return handle; }
    static Errhandler Create_errhandler(Errhandler_function*);

    void Close();

protected:
    MPI_File handle;
};

using Datarep_extent_function = void(const Datatype&, Aint&, void*);
using Datarep_conversion_function = void(void*, Datatype&, int, void*, Offset, void*);

} // namespace MPI
