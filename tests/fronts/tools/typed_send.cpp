// 1000 sends in C or with the typed API, to a library that does nothing, so that only the cost of the calls counts.
#include <anympi/anympi.hpp>
#include <cstring>

// Weak, so that the compiler cannot assume this definition and must call it.
extern "C" [[gnu::weak]] int MPI_Send_c(const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm) {
    return MPI_SUCCESS;
}

namespace {

constexpr int rounds = 1000;

} // namespace

extern "C" {

[[gnu::noinline]] void loop_empty(std::span<const double>, int, int, const anympi::Comm&) {}

[[gnu::noinline]] void loop_c(std::span<const double> data, int destination, int tag, MPI_Comm comm) {
    for (int round = 0; round < rounds; ++round)
        MPI_Send_c(data.data(), static_cast<MPI_Count>(data.size()), MPI_DOUBLE, destination, tag, comm);
}

[[gnu::noinline]] void loop_typed(std::span<const double> data, int destination, int tag, const anympi::Comm& comm) {
    for (int round = 0; round < rounds; ++round)
        comm.send(data, destination, anympi::tag(tag));
}
}

int main(int, char** arguments) {
    const double data[3] = {};
    const anympi::Comm comm = anympi::Comm::borrow(MPI_COMM_WORLD);
    if (std::strcmp(arguments[1], "c") == 0)
        loop_c(data, 1, 2, comm.handle());
    else if (std::strcmp(arguments[1], "typed") == 0)
        loop_typed(data, 1, 2, comm);
    else
        loop_empty(data, 1, 2, comm);
}
