// Chooses an MPI on the machine in the given folder, and prints it. Two calls of access() mark the beginning and the
// end of the choice in a system call trace.

#include "runtime/find/choose.hpp"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

int main(int, char** arguments) {
    using namespace anympi::runtime;
    [[maybe_unused]] const int begin = access("/begin-of-choice", F_OK);
    const choice result = choose({arguments[1]});
    [[maybe_unused]] const int end = access("/end-of-choice", F_OK);
    std::printf("%s\n%s\n", result.mpi.path, result.reason.text);
    std::fflush(stdout);
    std::_Exit(0); // a sanitizer's leak check at exit fails under strace and in a set-user-ID process
}
