// `start_program PROGRAM ARGUMENTS…`: what `anympi run` lets the launcher start in the place of the program.
//
// On a host without this installation of anympi the program would find another MPI, and each process would be a job of
// its own, without a word. This file is missing there as well, which every launcher reports. Where the file is there,
// it looks at the MPI library before it executes the program: the library must be there, and the same as on the host of
// `anympi run`.

#include "runtime/identify/fingerprint.hpp"
#include "runtime/identify/identify.hpp"
#include "runtime/launch/same_library.hpp"
#include "runtime/message.hpp"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace anympi {
namespace {

void check_library() {
    const char* const file = runtime::read_variable("ANYMPI_MPI");
    const char* const expected = runtime::read_variable(runtime::fingerprint_variable);
    if (file == nullptr || expected == nullptr)
        return;
    runtime::library mpi;
    const runtime::identification answer = runtime::identify(file, mpi);
    if (answer != runtime::identification::mpi)
        runtime::stop("the MPI chosen, %s, %s\ninstall the same MPI on all hosts of the job", file,
                      runtime::explain(answer));
    runtime::expect_same_library(mpi, expected, "on the host of `anympi run`");
}

} // namespace
} // namespace anympi

// For processes that MPI starts: `start_program -x NAME=VALUE … -- PROGRAM ARGUMENTS…` sets variables first.
int main(int, char** words) {
    ++words;
    const bool has_variables = *words != nullptr && std::strcmp(*words, "-x") == 0;
    for (; has_variables && words[0] != nullptr && words[1] != nullptr && std::strcmp(*words, "-x") == 0; words += 2)
        putenv(words[1]);
    if (has_variables && *words != nullptr) // "--"
        ++words;
    if (*words == nullptr)
        return 2;
    anympi::check_library();
    execvp(words[0], words);
    anympi::runtime::stop("%s cannot be started: %m", words[0]);
}
