#include "command/installed.hpp"

#include "command/files.hpp"
#include "runtime/search.hpp"

#include <algorithm>
#include <cstdlib>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

namespace anympi::command {
namespace {

void add_once(std::vector<runtime::library>& libraries, const runtime::library& mpi) {
    const auto real = real_path(mpi.path);
    const bool is_there = std::any_of(libraries.begin(), libraries.end(),
                                      [&](const runtime::library& other) { return real_path(other.path) == real; });
    if (!is_there)
        libraries.push_back(mpi);
}

std::vector<runtime::library> find_libraries() {
    std::vector<runtime::library> libraries;
    runtime::visit_places({}, [&](const runtime::place& where) {
        runtime::list_in(where, [&](const runtime::library& mpi) { add_once(libraries, mpi); });
        return false;
    });
    return libraries;
}

[[noreturn]] void choose_and_tell(int pipe_end) {
    const runtime::choice chosen = runtime::choose();
    const bool told = write(pipe_end, &chosen, sizeof chosen) == static_cast<ssize_t>(sizeof chosen);
    std::_Exit(told ? EXIT_SUCCESS : EXIT_FAILURE);
}

// choose() ends its process where nothing can be chosen, and a list is most wanted just then: so it runs in a child.
// That its answer is smaller than a pipe's buffer lets the child end before anybody reads.
std::optional<runtime::choice> try_to_choose() {
    static_assert(std::is_trivially_copyable_v<runtime::choice> && sizeof(runtime::choice) < 65536);
    int ends[2];
    if (pipe(ends) != 0)
        return std::nullopt;
    const pid_t child = fork();
    if (child == 0)
        choose_and_tell(ends[1]);
    close(ends[1]);
    runtime::choice chosen;
    int status = EXIT_FAILURE;
    const bool ended_well = child > 0 && waitpid(child, &status, 0) == child && status == EXIT_SUCCESS;
    const bool is_complete = ended_well && read(ends[0], &chosen, sizeof chosen) == static_cast<ssize_t>(sizeof chosen);
    close(ends[0]);
    return is_complete ? std::optional(chosen) : std::nullopt;
}

} // namespace

survey look_around() {
    survey machine{find_libraries(), try_to_choose()};
    // ANYMPI_MPI or the configuration may name a library where no search would come.
    if (machine.chosen)
        add_once(machine.libraries, machine.chosen->mpi);
    return machine;
}

} // namespace anympi::command
