// More functions than a table of fixed size would hold. Each reduction and each error handler calls its own.
// ranks: 2
#include "check.hpp"

enum { different = 300 };

static MPI::User_function* reductions[different];
static MPI::Comm::Errhandler_function* comm_handlers[different];
static MPI::Win::Errhandler_function* win_handlers[different];
static int handled;

template <int Number>
struct functions_until {
    static void reduce(const void* in, void* inout, int, const MPI::Datatype&) {
        *static_cast<int*>(inout) += Number * *static_cast<const int*>(in);
    }
    static void handle_comm(MPI::Comm&, int*, ...) { handled = Number; }
    static void handle_win(MPI::Win&, int*, ...) { handled = -Number; }

    static void list() {
        reductions[Number - 1] = reduce;
        comm_handlers[Number - 1] = handle_comm;
        win_handlers[Number - 1] = handle_win;
        functions_until<Number - 1>::list();
    }
};
template <>
struct functions_until<0> {
    static void list() {}
};

int main(int argc, char** argv) {
    MPI::Init(argc, argv);
    join();
    functions_until<different>::list();
    static MPI::Op ops[different];
    static MPI::Errhandler of_comm[different], of_win[different];
    for (int n = 0; n < different; ++n) {
        ops[n].Init(reductions[n], true);
        of_comm[n] = MPI::Comm::Create_errhandler(comm_handlers[n]);
        of_win[n] = MPI::Win::Create_errhandler(win_handlers[n]);
    }
    int cell = 0;
    MPI::Intracomm comm = world().Dup();
    MPI::Win win = MPI::Win::Create(&cell, sizeof cell, 1, MPI::INFO_NULL, comm);
    for (int n = 0; n < different; ++n) {
        int value = 2, result = 1;
        ops[n].Reduce_local(&value, &result, 1, MPI::INT);
        CHECK(result == 1 + 2 * (n + 1));
        comm.Set_errhandler(of_comm[n]);
        comm.Call_errhandler(MPI::ERR_OTHER);
        CHECK(handled == n + 1);
        win.Set_errhandler(of_win[n]);
        win.Call_errhandler(MPI::ERR_OTHER);
        CHECK(handled == -(n + 1));
        ops[n].Free();
        of_comm[n].Free();
        of_win[n].Free();
    }
    win.Free();
    comm.Free();
    return finish();
}
