// Mistakes whose end is promised: an exception in an operation, one in one process, and calls after the end of MPI.
#include <anympi/anympi.hpp>
#include <cstdio>
#include <string_view>

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

// They end after everything that is made at first use.
anympi::Comm kept;
std::optional<anympi::UserOp<int>> op;

/// `call` says that it is too late.
template <class Call>
bool is_refused(const Call& call) {
    try {
        static_cast<void>(call());
    } catch (const anympi::Error& error) {
        std::puts(error.what());
        return std::string_view(error.what()).find("MPI has been finalized already") != std::string_view::npos;
    }
    return false;
}

/// Also where a datatype or an operation would have to be made first, which was not or went with MPI.
bool all_are_refused() {
    using anympi::Datatype;
    const anympi::NeighbourComm neighbours(kept.handle(), false);
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
    refused &= is_refused([&] { return anympi::broadcast_object(kept, std::string("text"), 0); });
    refused &= is_refused([&] { return neighbours.degrees(); });
    refused &= is_refused([&] { return Datatype::contiguous(3, Datatype::of<int>()); });
    refused &= is_refused([&] { return Datatype::vector(3, 1, 2, Datatype::of<Light>()); });
    return refused;
}

/// The others wait for the first process.
void leave_with_exception() {
    const auto mpi = anympi::init();
    if (mpi.world().rank() == 0)
        mpi.world().send(1, 99);
    mpi.world().barrier();
}

} // namespace

int main(int, char** arguments) {
    if (std::string_view(arguments[1]) == "unwinding") {
        try {
            leave_with_exception();
        } catch (const anympi::Error&) {
        }
        return 0;
    }
    {
        const auto mpi = anympi::init();
        if (std::string_view(arguments[1]) == "exception")
            static_cast<void>(mpi.world().allreduce(1, throwing));
        kept = mpi.world().duplicate();
        op = anympi::UserOp<int>::create([bits = 7](int a, int b) { return (a | b) & bits; });
        const auto last = [](const Particle&, const Particle& b) { return b; };
        if (kept.allreduce(1, *op) != 1 || kept.allreduce(Particle{1, 2}, last).charge != 2)
            return 1;
    }
    return all_are_refused() ? 0 : 1;
}
