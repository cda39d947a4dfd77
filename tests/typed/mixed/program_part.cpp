// Errors and objects are passed between the parts, and each part checks as it was compiled.
#include "parts.hpp"

#include <cstdio>

namespace {
int looks = 0;
} // namespace

extern "C" PARTS_EXPORT int MPI_Finalized(int* flag) {
    ++looks;
    return PMPI_Finalized(flag);
}

int main() {
    const auto mpi = anympi::init();
    std::string wrong;
    const auto expect = [&](bool good, const char* what) { wrong += good ? "" : std::string(what) + "; "; };
    expect(parts::library_checks() == !ANYMPI_CHECKS, "both parts are compiled alike");
    try {
        parts::fail(mpi.world());
        expect(false, "nothing was thrown");
    } catch (const anympi::Error& error) {
        expect(error.error_class() == anympi::ErrorClass::rank && error.operation() == "MPI_Send", error.what());
    }
    const auto own_failure = [&] { mpi.world().send(1, mpi.world().size()); };
    expect(parts::text_of_error(own_failure).starts_with("MPI_Send: "), "an error of the program");

    const anympi::Comm copy = parts::duplicate(mpi.world());
    auto receiving = parts::receive(copy, std::vector<int>(9));
    copy.send(std::vector{1, 2, 3}, copy.rank());
    expect(receiving.wait() == std::vector{1, 2, 3}, "a request of the library");
    const auto count = [] { return looks; };
    wrong += calls_of_this_part(copy, count) + parts::calls_of_library(copy, count);
    std::printf("mixed: %s\n", wrong.empty() ? "correct" : wrong.c_str());
}
