// Two sessions, one after the other, without MPI_Init: objects that are created once are created again in the second
// session. Then a session that lives longer than MPI_Finalize.
#include <anympi/anympi.hpp>
#include <cstdio>

using anympi::count;
using anympi::tag;

namespace {

struct Pair {
    int first;
    double second;
};

bool works(const anympi::UserOp<Pair>& op, const anympi::UserOp<int>& other, const char* tag) {
    const auto session = anympi::Session::create();
    const auto comm = anympi::Comm::create_from_group(session.group("mpi://WORLD"), tag);
    const int size = comm.size(), rank = comm.rank();
    const auto sum = comm.allreduce(Pair{rank, 0.5}, op);
    const auto least =
        comm.allreduce(Pair{rank, 0.5}, [](const Pair& a, const Pair& b) { return a.first < b.first ? a : b; });
    const bool stopped = [&] {
        try {
            comm.send(1, size);
            return false;
        } catch (const anympi::Error& error) {
            return error.error_class() == anympi::ErrorClass::rank;
        }
    }();
    return sum.first == size * (size - 1) / 2 && sum.second == 0.5 * size && least.first == 0 && stopped &&
           comm.allreduce(rank, other) == size - 1;
}

// Counts the destroyed objects.
struct Counted {
    explicit Counted(int& gone) : gone(&gone) {}
    Counted(const Counted&) = default;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { ++*gone; }
    int* gone;
};

// Objects of a session can be used after MPI_Finalize, and are freed when they are destroyed.
bool outlives() {
    int gone = 0, before = 0;
    bool good = false;
    {
        // The session was created in C: the object that adopts it ends it.
        anympi::Session session(anympi::Session::create().release(), true);
        {
            auto comm = anympi::Comm::create_from_group(session.group("mpi://WORLD"), "typed.outlives");
            static_cast<void>(anympi::init());
            const auto key = anympi::AttributeKey<Counted>::create();
            key.set(comm, Counted(gone));
            auto receiving = comm.irecv<std::vector<int>>(comm.rank(), tag(1), count(3)); // no message comes
            good = anympi::is_finalized() && comm.allreduce(Pair{1, 0.5}, [](const Pair& a, const Pair& b) {
                                                     return Pair{a.first + b.first, a.second};
                                                 }).first == comm.size();
            before = gone;
        }
        good = good && gone == before + 1;
    }
    try {
        static_cast<void>(anympi::library_version());
    } catch (const anympi::Error&) {
        return good;
    }
    return false;
}

} // namespace

int main() {
    // Two states of one function, which only the attribute distinguishes.
    const auto adding = [](double scale) {
        return [scale](const Pair& a, const Pair& b) { return Pair{a.first + b.first, (a.second + b.second) * scale}; };
    };
    std::optional<anympi::UserOp<Pair>> op, unused;
    std::optional<anympi::UserOp<int>> other;
    {
        const auto session = anympi::Session::create();
        op = anympi::UserOp<Pair>::create(adding(1));
        unused = anympi::UserOp<Pair>::create(adding(2));
        int least = -1;
        other = anympi::UserOp<int>::create([least](int a, int b) { return std::max({a, b, least}); });
    }
    const bool good = works(*op, *other, "typed.first") && works(*op, *other, "typed.second") && outlives();
    std::puts(good ? "sessions: correct" : "sessions: wrong");
    return good ? 0 : 1;
}
