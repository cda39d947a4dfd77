// Chooses an MPI on the machine in the folder that is named, and prints it. The two calls of access() mark in a system
// call trace where the choice begins and ends.

#include "runtime/choose.hpp"

#include <cstdio>
#include <unistd.h>

int main(int, char** arguments) {
    using namespace anympi::runtime;
    [[maybe_unused]] const int begin = access("/begin-of-choice", F_OK);
    const choice result = choose({arguments[1]});
    [[maybe_unused]] const int end = access("/end-of-choice", F_OK);
    std::printf("%s\n%s\n", result.mpi.path, result.reason.text);
    return 0;
}
