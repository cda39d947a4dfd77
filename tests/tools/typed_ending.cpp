// Mistakes whose end is promised: an exception in an operation, and a call after the end of MPI.
#include <anympi/anympi.hpp>
#include <cstdio>
#include <string_view>

namespace {

int throwing(int, int) {
    throw std::runtime_error("too much");
}

} // namespace

int main(int, char** arguments) {
    anympi::Comm kept;
    {
        const auto mpi = anympi::init();
        kept = mpi.world().duplicate();
        if (std::string_view(arguments[1]) == "exception")
            static_cast<void>(kept.allreduce(1, throwing));
    }
    try {
        kept.send(1, 0);
    } catch (const anympi::Error& error) {
        std::puts(error.what());
        return 0;
    }
    return 1;
}
