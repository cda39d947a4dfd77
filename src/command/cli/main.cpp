#include "command/cli/command_line.hpp"
#include "runtime/message.hpp"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace {

// Under the name mpiexec the command is `anympi run`. Build systems look for this name and start their tests with it.
// CMake's FindMPI takes the mpicc in the same folder.
std::vector<std::string> words_of(int count, char** words) {
    std::vector<std::string> all(words + std::min(count, 1), words + count);
    if (count > 0 && std::filesystem::path(words[0]).filename() == "mpiexec")
        all.insert(all.begin(), "run");
    return all;
}

// Opens /dev/null for a standard stream that the caller has closed: the first file that the command opens would take
// its number. Writing to such a standard output fails, as it should. If the command becomes a launcher, the stream is
// closed again.
void occupy_closed_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) < 0)
            open("/dev/null", (stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

} // namespace

int main(int count, char** words) {
    using namespace anympi;
    occupy_closed_streams();
    try {
        const int code = command::parse_and_run(words_of(count, words));
        if (std::fflush(stdout) == 0)
            return code;
        runtime::say("the output could not be written: %m");
    } catch (const std::exception& error) {
        runtime::say_lines(error.what());
    }
    return 1;
}
