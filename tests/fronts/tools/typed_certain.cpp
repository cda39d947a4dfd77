// Uses the rank of no communicator as a number: the job ends with the error.
#define ANYMPI_RESULTS
#include <anympi/anympi.hpp>

int main() {
    const auto mpi = anympi::init();
    const int rank = anympi::Comm().rank();
    return rank;
}
