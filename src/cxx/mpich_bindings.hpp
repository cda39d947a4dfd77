#pragma once

// The C++ bindings as declared by mpicxx.h of MPICH 3 and 4 and of Intel MPI. Names, sizes and the order of virtual
// functions must match that header.

#include "abi/mpich.hpp"

extern "C" {

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Errhandler;
typedef struct ADIOI_FileD* MPI_File;
typedef int MPI_Group;
typedef int MPI_Info;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Win;
typedef long MPI_Aint;
/// Long long in builds other than Debian's, with the same representation but other symbol names.
typedef long MPI_Offset;

struct MPI_Status {
    int count_low, count_high_and_cancelled;
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
};

#include "prototypes.hpp"
}

namespace MPI {

using Aint = MPI_Aint;
using Offset = MPI_Offset;
using values = anympi::mpich;

inline MPI_Status* const MPI_STATUS_IGNORE = reinterpret_cast<MPI_Status*>(values::mpi_STATUS_IGNORE);
inline constexpr MPI_Errhandler errors_throw_exceptions = 0x54000002; // makes MPICH return the code
extern void* const IN_PLACE;

class Comm;
class Intracomm;
class Intercomm;
class Cartcomm;
class Graphcomm;
class Win;
class File;
extern Intracomm COMM_WORLD;

/// Inline code of the program calls this function with the code of a failed call without an object that has an error
/// handler.
void MPIR_Call_world_errhand(int code);

/// Pass the code of a failed call to the object, because the C library cannot throw exceptions.
static inline void check(const Comm& comm, int code);
static inline void check(const Win& win, int code);
static inline void check(const File& file, int code);
template <class Object>
static inline void check(const Object&, int code) {
    if (code != 0)
        MPIR_Call_world_errhand(code);
}

/// Records a code that a C++ error handler of the program has seen.
[[gnu::visibility("hidden")]] void remember_handled_code(int code);

class Exception {
public:
    explicit Exception(int error) : code(error) {}
    virtual ~Exception() = default;

protected:
    int code;
    char text[values::mpi_MAX_ERROR_STRING];
};

class Datatype {
public:
    using Copy_attr_function = int(const Datatype&, int, void*, void*, void*, bool&);
    using Delete_attr_function = int(Datatype&, int, void*, void*);

    Datatype(MPI_Datatype type = values::mpi_DATATYPE_NULL) : handle(type) {}
    virtual ~Datatype() = default;
    operator MPI_Datatype() const { return handle; }

    virtual void Commit();
    virtual void Free();
    virtual Datatype Create_indexed(int, const int*, const int*) const;
    virtual Datatype Create_contiguous(int) const;
    virtual Datatype Create_vector(int, int, int) const;
    virtual int Pack_size(int, const Comm&) const;
    virtual void Pack(const void*, int, void*, int, int&, const Comm&) const;
    virtual int Get_size() const;
    virtual void Get_envelope(int&, int&, int&, int&) const;
    virtual Datatype Create_hvector(int, int, Aint) const;
    virtual Datatype Create_resized(Aint, Aint) const;
    virtual Datatype Create_indexed_block(int, int, const int*) const;
    virtual Aint Pack_external_size(const char*, int) const;
    virtual Datatype Create_hindexed(int, const int*, const Aint*) const;
    virtual bool Get_attr(int, void*) const;
    virtual void Get_true_extent(Aint&, Aint&) const;
    virtual Datatype Create_darray(int, int, int, const int*, const int*, const int*, const int*, int) const;
    virtual void Get_contents(int, int, int, int*, Aint*, Datatype*) const;
    virtual void Set_attr(int, const void*);
    virtual void Set_name(const char*);
    virtual Datatype Create_subarray(int, const int*, const int*, const int*, int) const;
    virtual void Unpack_external(const char*, const void*, Aint, Aint&, void*, int) const;
    virtual void Pack_external(const char*, const void*, int, void*, Aint, Aint&) const;
    virtual void Get_extent(Aint&, Aint&) const;
    virtual void Delete_attr(int);
    virtual void Get_name(char*, int&) const;

    void Unpack(const void*, int, void*, int, int&, const Comm&) const;
    static int Create_keyval(Copy_attr_function*, Delete_attr_function*, void*);
    static int NULL_COPY_FN(const Datatype&, int, void*, void*, void*, bool&);
    static int NULL_DELETE_FN(Datatype&, int, void*, void*);

protected:
    MPI_Datatype handle;
};

using User_function = void(const void*, void*, int, const Datatype&);

class Info {
public:
    Info(MPI_Info info = values::mpi_INFO_NULL) : handle(info) {}
    virtual ~Info() = default;
    operator MPI_Info() const { return handle; }

    virtual void Delete(const char*);
    virtual void Get_nthkey(int, char*) const;
    virtual void Free();
    virtual void Set(const char*, const char*);
    virtual bool Get_valuelen(const char*, int&) const;
    virtual bool Get(const char*, int, char*) const;
    virtual int Get_nkeys() const;

protected:
    MPI_Info handle;
};

class Status {
public:
    Status() = default;
    explicit Status(const MPI_Status& other) : status(other) {}
    virtual ~Status() = default;
    operator MPI_Status*() { return &status; }

    virtual bool Is_cancelled() const;
    virtual int Get_elements(const Datatype&) const;
    virtual int Get_count(const Datatype&) const;
    virtual void Set_cancelled(bool);
    virtual void Set_elements(const Datatype&, int);

protected:
    MPI_Status status{};
};

class Group {
public:
    Group(MPI_Group group = values::mpi_GROUP_NULL) : handle(group) {}
    virtual ~Group() = default;
    operator MPI_Group() const { return handle; }

    virtual Group Excl(int, const int*) const;
    virtual int Get_rank() const;
    virtual void Free();
    virtual Group Range_excl(int, const int (*)[3]) const;
    virtual Group Range_incl(int, const int (*)[3]) const;
    virtual Group Incl(int, const int*) const;
    virtual int Get_size() const;

protected:
    MPI_Group handle;
};

class Op {
public:
    Op(MPI_Op op = values::mpi_OP_NULL) : handle(op) {}
    virtual ~Op() = default;
    operator MPI_Op() const { return handle; }

    virtual void Free();
    virtual bool Is_commutative() const;
    virtual void Reduce_local(const void*, void*, int, const Datatype&) const;

    void Init(User_function*, bool);

protected:
    MPI_Op handle;
};

class Errhandler {
public:
    Errhandler(MPI_Errhandler errhandler = values::mpi_ERRHANDLER_NULL) : handle(errhandler) {}
    virtual ~Errhandler() = default;
    operator MPI_Errhandler() const { return handle; }

    virtual void Free();

protected:
    MPI_Errhandler handle;
};

class Request {
public:
    Request(MPI_Request request = values::mpi_REQUEST_NULL) : handle(request) {}
    virtual ~Request() = default;
    operator MPI_Request() const { return handle; }

    virtual void Free();
    virtual void Wait(Status&);
    virtual void Wait();
    virtual bool Test(Status&);
    virtual bool Test();
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

class Comm {
public:
    using Errhandler_function = void(Comm&, int*, ...);
    using Copy_attr_function = int(const Comm&, int, void*, void*, void*, bool&);
    using Delete_attr_function = int(Comm&, int, void*, void*);

    Comm(MPI_Comm comm = values::mpi_COMM_NULL) : handle(comm) {}
    virtual ~Comm() = default;
    operator MPI_Comm() const { return handle; }

    virtual Group Get_group() const;
    virtual int Get_rank() const;
    virtual Prequest Bsend_init(const void*, int, const Datatype&, int, int) const;
    virtual Prequest Ssend_init(const void*, int, const Datatype&, int, int) const;
    virtual bool Is_inter() const;
    virtual Prequest Rsend_init(const void*, int, const Datatype&, int, int) const;
    virtual Request Ibsend(const void*, int, const Datatype&, int, int) const;
    virtual void Abort(int) const;
    virtual void Free();
    virtual Prequest Send_init(const void*, int, const Datatype&, int, int) const;
    virtual void Recv(void*, int, const Datatype&, int, int, Status&) const;
    virtual void Recv(void*, int, const Datatype&, int, int) const;
    virtual void Sendrecv(const void*, int, const Datatype&, int, int, void*, int, const Datatype&, int, int,
                          Status&) const;
    virtual void Sendrecv(const void*, int, const Datatype&, int, int, void*, int, const Datatype&, int, int) const;
    virtual void Sendrecv_replace(void*, int, const Datatype&, int, int, int, int, Status&) const;
    virtual void Sendrecv_replace(void*, int, const Datatype&, int, int, int, int) const;
    virtual int Get_topology() const;
    virtual Request Isend(const void*, int, const Datatype&, int, int) const;
    virtual void Probe(int, int, Status&) const;
    virtual void Probe(int, int) const;
    virtual int Get_size() const;
    virtual Request Issend(const void*, int, const Datatype&, int, int) const;
    virtual void Set_errhandler(const Errhandler&);
    virtual void Send(const void*, int, const Datatype&, int, int) const;
    virtual Request Irsend(const void*, int, const Datatype&, int, int) const;
    virtual void Ssend(const void*, int, const Datatype&, int, int) const;
    virtual Prequest Recv_init(void*, int, const Datatype&, int, int) const;
    virtual bool Iprobe(int, int, Status&) const;
    virtual bool Iprobe(int, int) const;
    virtual void Bsend(const void*, int, const Datatype&, int, int) const;
    virtual Request Irecv(void*, int, const Datatype&, int, int) const;
    virtual Errhandler Get_errhandler() const;
    virtual void Rsend(const void*, int, const Datatype&, int, int) const;
    virtual void Gatherv(const void*, int, const Datatype&, void*, const int*, const int*, const Datatype&, int) const;
    virtual void Disconnect();
    virtual void Allreduce(const void*, void*, int, const Datatype&, const Op&) const;
    virtual void Alltoallw(const void*, const int*, const int*, const Datatype*, void*, const int*, const int*,
                           const Datatype*) const;
    virtual void Alltoall(const void*, int, const Datatype&, void*, int, const Datatype&) const;
    virtual bool Get_attr(int, void*) const;
    virtual void Barrier() const;
    virtual void Bcast(void*, int, const Datatype&, int) const;
    virtual void Set_attr(int, const void*);
    virtual void Set_name(const char*);
    virtual void Alltoallv(const void*, const int*, const int*, const Datatype&, void*, const int*, const int*,
                           const Datatype&) const;
    virtual void Reduce_scatter(const void*, void*, const int*, const Datatype&, const Op&) const;
    virtual void Scatter(const void*, int, const Datatype&, void*, int, const Datatype&, int) const;
    virtual void Gather(const void*, int, const Datatype&, void*, int, const Datatype&, int) const;
    virtual void Reduce(const void*, void*, int, const Datatype&, const Op&, int) const;
    virtual void Allgather(const void*, int, const Datatype&, void*, int, const Datatype&) const;
    virtual void Delete_attr(int);
    virtual void Scatterv(const void*, const int*, const int*, const Datatype&, void*, int, const Datatype&, int) const;
    virtual void Get_name(char*, int&) const;
    virtual void Allgatherv(const void*, int, const Datatype&, void*, const int*, const int*, const Datatype&) const;
    virtual Comm& Clone() const = 0;
    virtual void Call_errhandler(int) const;
    virtual void Reduce_scatter_block(const void*, void*, int, const Datatype&, const Op&) const;

    static Intercomm Join(int);
    static Intercomm Get_parent();
    static int Create_keyval(Copy_attr_function*, Delete_attr_function*, void*);
    static int NULL_COPY_FN(const Comm&, int, void*, void*, void*, bool&);
    static int NULL_DELETE_FN(Comm&, int, void*, void*);
    static Errhandler Create_errhandler(Errhandler_function*);

protected:
    MPI_Comm handle;
};

class Nullcomm : public Comm {
public:
    using Comm::Comm;
    ~Nullcomm() override = default;

    Nullcomm& Clone() const override;
};

class Intercomm : public Comm {
public:
    using Comm::Comm;
    ~Intercomm() override = default;

    Intercomm& Clone() const override;
    virtual Intracomm Merge(bool) const;
    virtual Group Get_remote_group() const;
    virtual int Get_remote_size() const;
    virtual Intercomm Split(int, int) const;
};

class Intracomm : public Comm {
public:
    using Comm::Comm;
    ~Intracomm() override = default;

    Intracomm& Clone() const override;
    virtual Intercomm Create_intercomm(int, const Comm&, int, int) const;
    virtual Intracomm Split(int, int) const;
    virtual Graphcomm Create_graph(int, const int*, const int*, bool) const;
    virtual Cartcomm Create_cart(int, const int*, const bool*, bool) const;
    virtual Intracomm Create(const Group&) const;
    virtual void Scan(const void*, void*, int, const Datatype&, const Op&) const;
    virtual void Exscan(const void*, void*, int, const Datatype&, const Op&) const;
    virtual Intercomm Accept(const char*, const Info&, int) const;
    virtual Intercomm Connect(const char*, const Info&, int) const;
};

class Graphcomm : public Intracomm {
public:
    using Intracomm::Intracomm;
    ~Graphcomm() override = default;

    Graphcomm& Clone() const override;
    virtual void Get_dims(int*, int*) const;
    virtual void Get_topo(int, int, int*, int*) const;
    virtual int Map(int, const int*, const int*) const;
    virtual void Get_neighbors(int, int, int*) const;
    virtual int Get_neighbors_count(int) const;
};

class Cartcomm : public Intracomm {
public:
    using Intracomm::Intracomm;
    ~Cartcomm() override = default;

    Cartcomm& Clone() const override;
    virtual void Get_coords(int, int, int*) const;
    virtual int Get_cart_rank(const int*) const;
    virtual int Get_dim() const;
    virtual void Get_topo(int, int*, bool*, int*) const;
    virtual int Map(int, const int*, const bool*) const;
    virtual Cartcomm Sub(const bool*) const;
    virtual void Shift(int, int, int&, int&) const;
};

class Grequest : public Request {
public:
    using Query_function = int(void*, Status&);
    using Free_function = int(void*);
    using Cancel_function = int(void*, bool);

    using Request::Request;
    ~Grequest() override = default;

    virtual void Complete();

    /// Not static, unlike in all other bindings.
    Grequest Start(Query_function*, Free_function*, Cancel_function*, void*);
};

class Win {
public:
    using Errhandler_function = void(Win&, int*, ...);
    using Copy_attr_function = int(const Win&, int, void*, void*, void*, bool&);
    using Delete_attr_function = int(Win&, int, void*, void*);

    Win(MPI_Win win = values::mpi_WIN_NULL) : handle(win) {}
    virtual ~Win() = default;
    operator MPI_Win() const { return handle; }

    virtual Group Get_group() const;
    virtual void Fence(int) const;
    virtual void Start(const Group&, int) const;
    virtual void Free();
    virtual void Put(const void*, int, const Datatype&, int, Aint, int, const Datatype&) const;
    virtual void Wait() const;
    virtual bool Test() const;
    virtual void Get(void*, int, const Datatype&, int, Aint, int, const Datatype&) const;
    virtual bool Get_attr(int, void*) const;
    virtual void Set_attr(int, const void*);
    virtual void Complete() const;
    virtual void Set_errhandler(const Errhandler&);
    virtual void Set_name(const char*);
    virtual void Accumulate(const void*, int, const Datatype&, int, Aint, int, const Datatype&, const Op&) const;
    virtual void Post(const Group&, int) const;
    virtual void Unlock(int) const;
    virtual void Delete_attr(int);
    virtual void Lock(int, int, int) const;
    virtual Errhandler Get_errhandler() const;
    virtual void Get_name(char*, int&) const;
    virtual void Call_errhandler(int) const;

    static int Create_keyval(Copy_attr_function*, Delete_attr_function*, void*);
    static int NULL_COPY_FN(const Win&, int, void*, void*, void*, bool&);
    static int NULL_DELETE_FN(Win&, int, void*, void*);
    static Errhandler Create_errhandler(Errhandler_function*);

protected:
    MPI_Win handle;
};

class File {
public:
    using Errhandler_function = void(File&, int*, ...);

    File(MPI_File file = nullptr) : handle(file) {}
    virtual ~File() = default;
    operator MPI_File() const { return handle; }

    virtual Aint Get_type_extent(const Datatype&) const;
    virtual void Read_ordered_end(void*, Status&);
    virtual void Read_ordered_end(void*);
    virtual void Seek_shared(Offset, int);
    virtual void Read_ordered(void*, int, const Datatype&, Status&);
    virtual void Read_ordered(void*, int, const Datatype&);
    virtual Request Iread_shared(void*, int, const Datatype&);
    virtual Info Get_info() const;
    virtual void Write_ordered_begin(const void*, int, const Datatype&);
    virtual void Set_info(const Info&);
    virtual void Write_ordered(const void*, int, const Datatype&, Status&);
    virtual void Write_ordered(const void*, int, const Datatype&);
    virtual void Sync();
    virtual void Read(void*, int, const Datatype&, Status&);
    virtual void Read(void*, int, const Datatype&);
    virtual void Write_all(const void*, int, const Datatype&, Status&);
    virtual void Write_all(const void*, int, const Datatype&);
    virtual Offset Get_size() const;
    virtual void Write_all_end(const void*, Status&);
    virtual void Write_all_end(const void*);
    virtual void Read_ordered_begin(void*, int, const Datatype&);
    virtual Request Iread_at(Offset, void*, int, const Datatype&);
    virtual void Write_at_all_end(const void*, Status&);
    virtual void Write_at_all_end(const void*);
    virtual Offset Get_position_shared() const;
    virtual void Write_shared(const void*, int, const Datatype&, Status&);
    virtual void Write_shared(const void*, int, const Datatype&);
    virtual Request Iwrite_at(Offset, const void*, int, const Datatype&);
    virtual void Get_view(Offset&, Datatype&, Datatype&, char*) const;
    virtual void Write_all_begin(const void*, int, const Datatype&);
    virtual void Read_all_end(void*, Status&);
    virtual void Read_all_end(void*);
    virtual Offset Get_byte_offset(Offset) const;
    virtual Request Iread(void*, int, const Datatype&);
    virtual void Read_at_all_end(void*, Status&);
    virtual void Read_at_all_end(void*);
    virtual void Write_at(Offset, const void*, int, const Datatype&, Status&);
    virtual void Write_at(Offset, const void*, int, const Datatype&);
    virtual void Write_at_all_begin(Offset, const void*, int, const Datatype&);
    virtual Errhandler Get_errhandler() const;
    virtual int Get_amode() const;
    virtual void Set_atomicity(bool);
    virtual Group Get_group() const;
    virtual Offset Get_position() const;
    virtual void Seek(Offset, int);
    virtual void Read_all_begin(void*, int, const Datatype&);
    virtual void Read_at_all_begin(Offset, void*, int, const Datatype&);
    virtual void Read_all(void*, int, const Datatype&, Status&);
    virtual void Read_all(void*, int, const Datatype&);
    virtual void Preallocate(Offset);
    virtual void Read_at_all(Offset, void*, int, const Datatype&, Status&);
    virtual void Read_at_all(Offset, void*, int, const Datatype&);
    virtual void Read_shared(void*, int, const Datatype&, Status&);
    virtual void Read_shared(void*, int, const Datatype&);
    virtual Request Iwrite(const void*, int, const Datatype&);
    virtual Request Iwrite_shared(const void*, int, const Datatype&);
    virtual void Set_errhandler(const Errhandler&);
    virtual void Write_at_all(Offset, const void*, int, const Datatype&, Status&);
    virtual void Write_at_all(Offset, const void*, int, const Datatype&);
    virtual void Set_size(Offset);
    virtual void Set_view(Offset, const Datatype&, Datatype, const char*, const Info&);
    virtual void Read_at(Offset, void*, int, const Datatype&, Status&);
    virtual void Read_at(Offset, void*, int, const Datatype&);
    virtual void Close();
    virtual void Write_ordered_end(const void*, Status&);
    virtual void Write_ordered_end(const void*);
    virtual void Write(const void*, int, const Datatype&, Status&);
    virtual void Write(const void*, int, const Datatype&);
    virtual bool Get_atomicity() const;
    virtual void Call_errhandler(int) const;

    static Errhandler Create_errhandler(Errhandler_function*);

protected:
    MPI_File handle;
};

using Datarep_extent_function = int(const Datatype&, Aint&, void*);
using Datarep_conversion_function = int(void*, Datatype&, int, void*, Offset, void*);

static inline void check(const Comm& comm, int code) {
    if (code != 0)
        comm.Call_errhandler(code);
}
static inline void check(const Win& win, int code) {
    if (code != 0)
        win.Call_errhandler(code);
}
static inline void check(const File& file, int code) {
    if (code != 0)
        file.Call_errhandler(code);
}

} // namespace MPI
