// Functions of the program that take objects of MPI::: attributes, reductions, error handlers, generalized requests.
// ranks: 2
#include "check.hpp"

#include <typeinfo>

// ---- attributes ----

static int copies, deletes;
static const std::type_info* seen_type;
static char state;

static int copy_comm(const MPI::Comm& comm, int, void* extra, void* value, void* copy, bool& flag) {
    ++copies;
    seen_type = &typeid(comm);
    CHECK(extra == &state && comm.Get_size() >= 1);
    *static_cast<void**>(copy) = static_cast<char*>(value) + 1;
    flag = true;
    return MPI::SUCCESS;
}
static int delete_comm(MPI::Comm& comm, int, void*, void* extra) {
    ++deletes;
    seen_type = &typeid(comm);
    CHECK(extra == &state);
    return MPI::SUCCESS;
}

static void on_communicators() {
    int keyval = MPI::Comm::Create_keyval(copy_comm, delete_comm, &state);
    char value[4];
    void* got = NULL;
    MPI::Intracomm comm = world().Dup();
    CHECK(!opaque(comm).Get_attr(keyval, &got));
    opaque(comm).Set_attr(keyval, value);
    CHECK(opaque(comm).Get_attr(keyval, &got) && got == value);
    MPI::Intracomm dup = comm.Dup();
    CHECK(copies == 1 && *seen_type == typeid(MPI::Intracomm));
    CHECK(dup.Get_attr(keyval, &got) && got == value + 1);
    dup.Free();
    CHECK(deletes == 1);

    int sizes[1] = {2};
    bool periods[1] = {false};
    MPI::Cartcomm cart = world().Create_cart(1, sizes, periods, false);
    cart.Set_attr(keyval, value);
    MPI::Cartcomm cart_dup = cart.Dup();
    CHECK(copies == 2 && *seen_type == typeid(MPI::Cartcomm));
    opaque(cart).Delete_attr(keyval);
    CHECK(deletes == 2 && *seen_type == typeid(MPI::Cartcomm));
    cart_dup.Free();
    cart.Free();
    CHECK(deletes == 3);

    MPI::Intracomm half = world().Split(rank_here, 0);
    MPI::Intercomm inter = half.Create_intercomm(0, MPI::COMM_WORLD, 1 - rank_here, 3);
    inter.Set_attr(keyval, value);
    MPI::Intercomm inter_dup = inter.Dup();
    CHECK(copies == 3 && *seen_type == typeid(MPI::Intercomm));
    inter_dup.Free();
    inter.Free();
    half.Free();
    comm.Free();
    CHECK(deletes == 6);
    MPI::Comm::Free_keyval(keyval);
    CHECK(keyval == MPI::KEYVAL_INVALID);

    int plain = MPI::Comm::Create_keyval(MPI::Comm::NULL_COPY_FN, MPI::Comm::NULL_DELETE_FN, NULL);
    int copied = MPI::Comm::Create_keyval(MPI::Comm::DUP_FN, MPI::Comm::NULL_DELETE_FN, NULL);
    comm = world().Dup();
    comm.Set_attr(plain, value);
    comm.Set_attr(copied, value);
    dup = comm.Dup();
    CHECK(!dup.Get_attr(plain, &got));
    CHECK(dup.Get_attr(copied, &got) && got == value);
    dup.Free();
    comm.Free();
    MPI::Comm::Free_keyval(plain);
    MPI::Comm::Free_keyval(copied);
}

#ifdef OPEN_MPI
typedef const void* copied_value; // MPI 2 has no const here
#else
typedef void* copied_value;
#endif

static int copy_type(const MPI::Datatype& type, int, void* extra, copied_value value, void* copy, bool& flag) {
    ++copies;
    CHECK(extra == &state && type.Get_size() == 8);
    *static_cast<copied_value*>(copy) = value;
    flag = true;
    return MPI::SUCCESS;
}
static int delete_type(MPI::Datatype& type, int, void*, void*) {
    ++deletes;
    CHECK(type.Get_size() == 8);
    return MPI::SUCCESS;
}

static void on_types() {
    copies = deletes = 0;
    int keyval = MPI::Datatype::Create_keyval(copy_type, delete_type, &state);
    MPI::Datatype pair = MPI::INT.Create_contiguous(2);
    void* got = NULL;
    opaque(pair).Set_attr(keyval, &state);
    MPI::Datatype dup = pair.Dup();
    CHECK(copies == 1 && opaque(dup).Get_attr(keyval, &got) && got == &state);
    opaque(dup).Delete_attr(keyval);
    CHECK(!dup.Get_attr(keyval, &got));
    dup.Free();
    pair.Free();
    CHECK(deletes == 2);
    MPI::Datatype::Free_keyval(keyval);
}

static int copy_win(const MPI::Win&, int, void*, void*, void*, bool& flag) { // windows are never copied
    flag = false;
    return MPI::SUCCESS;
}
static int delete_win(MPI::Win& win, int, void* value, void*) {
    ++deletes;
    CHECK(value == &state && win.Get_group().Get_size() == 2);
    return MPI::SUCCESS;
}

static void on_windows() {
    deletes = 0;
    int keyval = MPI::Win::Create_keyval(copy_win, delete_win, NULL), cell = 0;
    MPI::Win win = MPI::Win::Create(&cell, sizeof cell, 1, MPI::INFO_NULL, MPI::COMM_WORLD);
    void* got = NULL;
    opaque(win).Set_attr(keyval, &state);
    CHECK(opaque(win).Get_attr(keyval, &got) && got == &state);
    opaque(win).Delete_attr(keyval);
    CHECK(deletes == 1 && !win.Get_attr(keyval, &got));
    win.Free();
    MPI::Win::Free_keyval(keyval);
}

// ---- reductions ----

static void larger_digit(const void* in, void* inout, int count, const MPI::Datatype& type) {
    CHECK(type == MPI::INT);
    for (int n = 0; n < count; ++n)
        if (static_cast<const int*>(in)[n] % 10 > static_cast<int*>(inout)[n] % 10)
            static_cast<int*>(inout)[n] = static_cast<const int*>(in)[n];
}
static void append(const void* in, void* inout, int count, const MPI::Datatype& type) {
    CHECK(type.Get_size() == 4);
    for (int n = 0; n < count; ++n)
        static_cast<int*>(inout)[n] += 10 * static_cast<const int*>(in)[n];
}

static void reductions() {
    MPI::Op digit, order;
    digit.Init(larger_digit, true);
    opaque(order).Init(append, false);
    CHECK(opaque(digit).Is_commutative() && !opaque(order).Is_commutative());
    int value = rank_here == 0 ? 19 : 21, result = 0;
    world().Allreduce(&value, &result, 1, MPI::INT, digit);
    CHECK(result == 19);
    value = rank_here + 1;
    world().Allreduce(&value, &result, 1, MPI::INT, order);
    CHECK(result == 12);
    world().Scan(&value, &result, 1, MPI::INT, digit);
    CHECK(result == rank_here + 1);
    int local = 5;
    opaque(order).Reduce_local(&value, &local, 1, MPI::INT);
    CHECK(local == 5 + 10 * value);
    opaque(digit).Free();
    order.Free();
    CHECK(digit == MPI::OP_NULL);
    for (int round = 0; round < 2000; ++round) { // each round needs what the previous round freed
        MPI::Op again;
        again.Init(larger_digit, true);
        again.Free();
    }
}

// ---- error handlers ----

static int handled, handled_class;

static void comm_handler(MPI::Comm& comm, int* code, ...) {
    ++handled;
    handled_class = MPI::Get_error_class(*code);
    CHECK(comm.Get_size() == 2);
}
static void other_handler(MPI::Comm&, int*, ...) {
    handled += 100;
}
static void win_handler(MPI::Win& win, int* code, ...) {
    handled += win.Get_group().Get_size();
    handled_class = MPI::Get_error_class(*code);
}
static void file_handler(MPI::File& file, int* code, ...) {
    handled += MPI_File(file) == MPI_FILE_NULL ? 1 : 1000;
    handled_class = MPI::Get_error_class(*code);
}

static void error_handlers() {
    MPI::Errhandler mine = MPI::Comm::Create_errhandler(comm_handler);
    MPI::Errhandler others = MPI::Comm::Create_errhandler(other_handler);
    MPI::Intracomm comm = world().Dup(), second = world().Dup();
    opaque(comm).Set_errhandler(mine);
    second.Set_errhandler(others);
    int value = 0;
    opaque(comm).Send(&value, 1, MPI::INT, 77, 0);
    CHECK(handled == 1 && handled_class == MPI::ERR_RANK);
    comm.Call_errhandler(MPI::ERR_TAG);
    CHECK(handled == 2 && handled_class == MPI::ERR_TAG);
    second.Send(&value, 1, MPI::INT, 77, 0);
    CHECK(handled == 102);
    MPI::Errhandler current = opaque(comm).Get_errhandler();
    CHECK(current == mine);
    opaque(current).Free();
    mine.Free();
    CHECK(mine == MPI::ERRHANDLER_NULL);
    comm.Call_errhandler(MPI::ERR_TAG); // lives as long as its communicator
    CHECK(handled == 103);
    comm.Free();
    second.Free();

    handled = 0;
    int cell = 0;
    MPI::Win win = MPI::Win::Create(&cell, sizeof cell, 1, MPI::INFO_NULL, MPI::COMM_WORLD);
    MPI::Errhandler for_win = MPI::Win::Create_errhandler(win_handler);
    opaque(win).Set_errhandler(for_win);
    CHECK(opaque(win).Get_errhandler() == for_win);
    opaque(win).Call_errhandler(MPI::ERR_DISP);
    CHECK(handled == 2 && handled_class == MPI::ERR_DISP);
    win.Free();

    handled = 0;
    MPI::Errhandler for_file = MPI::File::Create_errhandler(file_handler);
    MPI::File null;
    null.Set_errhandler(for_file);
    MPI::File missing = MPI::File::Open(MPI::COMM_SELF, "no/such/folder/file", MPI::MODE_RDONLY, MPI::INFO_NULL);
    CHECK(handled == 1);
    null.Set_errhandler(MPI::ERRORS_RETURN);
}

// ---- generalized requests ----

static int queried, freed, cancelled;

static int query(void* extra, MPI::Status& status) {
    ++queried;
    CHECK(extra == &state);
    status.Set_elements(MPI::INT, 3);
    status.Set_cancelled(cancelled != 0);
    status.Set_source(7);
    status.Set_tag(8);
    return MPI::SUCCESS;
}
static int release(void*) {
    ++freed;
    return MPI::SUCCESS;
}
static int cancel(void*, bool completed) {
    CHECK(!completed);
    ++cancelled;
    return MPI::SUCCESS;
}

static MPI::Grequest started() {
    MPI::Grequest request; // MPICH's Start is not static
    return request.Start(query, release, cancel, &state);
}

static void generalized_requests() {
    MPI::Grequest request = started();
    MPI::Status status;
    CHECK(!opaque(request).Test());
    opaque(request).Complete();
    opaque(request).Wait(status);
    CHECK(queried == 1 && freed == 1 && status.Get_count(MPI::INT) == 3);
    CHECK(status.Get_source() == 7 && status.Get_tag() == 8);
    request = started();
    opaque(request).Cancel();
    CHECK(cancelled == 1);
    request.Complete();
    request.Wait(status);
    CHECK(status.Is_cancelled() && freed == 2);
}

int main(int argc, char** argv) {
    MPI::Init(argc, argv);
    join();
    on_communicators();
    on_types();
    on_windows();
    reductions();
    error_handlers();
    generalized_requests();
    return finish();
}
