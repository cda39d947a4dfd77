// Mistakes whose outcome is documented: an exception in an operation, an exception in one process, calls after the end
// of MPI, and null communicators on libraries that do not check arguments.
#include <anympi/anympi.hpp>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using anympi::tag;

namespace {

struct Particle {
    double mass;
    int charge;
};
struct Light {
    double energy;
};

int throwing(int, int) {
    throw std::runtime_error("too much");
}

// These objects are destroyed after all objects that are created at first use.
anympi::Comm kept;
std::optional<anympi::UserOp<int>> op;
anympi::Status came;

// An object with the interface of a std::mdspan with one element.
struct OneElement {
    using element_type = int;
    int* element;
    int* data_handle() const { return element; }
    static std::size_t extent(std::size_t) { return 1; }
    static std::size_t stride(std::size_t) { return 1; }
    static constexpr std::size_t rank() { return 1; }
};

// Returns true if `call` fails with this reason.
template <class Call>
bool is_refused(const Call& call, std::string_view why = "MPI has been finalized already") {
    try {
        static_cast<void>(call());
    } catch (const anympi::Error& error) {
        std::puts(error.what());
        return std::string_view(error.what()).find(why) != std::string_view::npos;
    }
    return false;
}

bool null_is_refused() {
    const anympi::Comm none;
    const char* why = "the communicator is null";
    int number = 0;
    bool refused = is_refused([&] { return none.send(1, 0), 0; }, why);
    refused &= is_refused([&] { return none.recv(number, 0); }, why);
    refused &= is_refused([&] { return none.recv<int>(0); }, why);
    refused &= is_refused([&] { return none.isend(number, 0); }, why);
    refused &= is_refused([&] { return none.recv_init(number, 0); }, why);
    refused &= is_refused([&] { return none.isendrecv(1, 0, tag(0), number, 0, tag(0)); }, why);
    return refused;
}

// Also calls that would first have to create a datatype or an operation, which was never created or has ended with MPI.
bool all_are_refused() {
    using anympi::Datatype;
    const anympi::NeighborComm neighbors(kept.handle(), false);
    const auto either = [](int a, int b) { return a | b; };
    const auto with_state = [bits = 7](int a, int b) { return (a | b) & bits; };
    Light light{};
    bool refused = is_refused([&] { return kept.send(1, 0), 0; });
    refused &= is_refused([&] { return kept.send(Particle{}, 0), 0; });
    refused &= is_refused([&] { return kept.recv(light, 0); });
    refused &= is_refused([&] { return kept.recv<std::vector<Light>>(0); });
    refused &= is_refused([&] { return kept.isend(Light{}, 0); });
    refused &= is_refused([&] { return kept.allreduce(1, either); });
    refused &= is_refused([&] { return kept.allreduce(1, with_state); });
    refused &= is_refused([&] { return kept.allreduce(1, *op); });
    refused &= is_refused([&] { return anympi::UserOp<int>::create(with_state); });
    refused &= is_refused([&] { return kept.broadcast_object(std::string("text"), 0); });
    refused &= is_refused([&] { return neighbors.degrees(); });
    refused &= is_refused([&] { return Datatype::contiguous(3, Datatype::of<int>()); });
    refused &= is_refused([&] { return Datatype::vector(3, 1, 2, Datatype::of<Light>()); });
    int element = 0;
    refused &= is_refused([&] { return anympi::view(OneElement{&element}); });
    // Functions that cannot fail return empty results.
    return refused && !came.count<int>() && !came.count<Light>() && !came.cancelled() && !op->is_commutative();
}

// The second process gets a lower thread level than it requires. All processes get the error, and MPI has ended.
bool level_is_refused() {
    try {
        static_cast<void>(anympi::init_at_least(anympi::ThreadLevel::multiple));
    } catch (const anympi::Error& error) {
        std::puts(error.what());
        return anympi::is_finalized();
    }
    return false;
}

// The other processes wait for the first one.
void leave_with_exception() {
    const auto mpi = anympi::init();
    if (mpi.world().rank() == 0)
        mpi.world().send(1, 99);
    mpi.world().barrier();
}

} // namespace

// Replaces the library's function, which provides every level.
extern "C" int MPI_Init_thread(int* count, char*** arguments, int wanted, int* granted) {
    const int code = PMPI_Init_thread(count, arguments, wanted, granted);
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        *granted = MPI_THREAD_FUNNELED;
    return code;
}

int main(int, char** arguments) {
    const std::string_view mistake = arguments[1];
    if (mistake == "unwinding") {
        try {
            leave_with_exception();
        } catch (const anympi::Error&) {
        }
        return 0;
    }
    if (mistake == "level")
        return level_is_refused() ? 0 : 1;
    if (mistake == "null")
        setenv("OMPI_MCA_mpi_param_check", "0", 1);
    {
        const auto mpi = anympi::init();
        if (mistake == "null")
            return null_is_refused() ? 0 : 1;
        if (mistake == "exception")
            static_cast<void>(mpi.world().allreduce(1, throwing));
        kept = mpi.world().duplicate();
        op = anympi::UserOp<int>::create([bits = 7](int a, int b) { return (a | b) & bits; });
        int room = 0;
        const auto last = [](const Particle&, const Particle& b) { return b; };
        came = kept.sendrecv(1, kept.rank(), tag(0), room, kept.rank(), tag(0));
        if (came.count<int>() != 1U || !op->is_commutative())
            return 1;
        if (kept.allreduce(1, *op) != 1 || kept.allreduce(Particle{1, 2}, last).charge != 2)
            return 1;
    }
    return all_are_refused() ? 0 : 1;
}
