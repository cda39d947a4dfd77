#include "command/list/installed.hpp"

#include "command/cli/files.hpp"
#include "command/cli/this_machine.hpp"
#include "command/run/child.hpp"
#include "runtime/find/search.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
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

int choose_and_tell(int answer) {
    dup2(answer, STDERR_FILENO); // the messages also go through the pipe, before the choice
    const runtime::choice chosen = runtime::choose(this_machine());
    return write(answer, &chosen, sizeof chosen) == static_cast<ssize_t>(sizeof chosen) ? 0 : 1;
}

// Finds the chosen library. choose() ends its process if nothing can be chosen. It runs in a child, so that the list is
// printed nevertheless.
void choose_for(survey& machine) {
    static_assert(std::is_trivially_copyable_v<runtime::choice>);
    constexpr std::chrono::seconds limit(60); // a file system may be slow
    child asked(child::errors::shown, [](int answer) { return choose_and_tell(answer); });
    const child_end end = asked.wait(std::chrono::steady_clock::now() + limit);
    machine.message = end.answer;
    if (!end.is_good() || end.answer.size() < sizeof(runtime::choice))
        return;
    machine.message.resize(end.answer.size() - sizeof(runtime::choice));
    std::memcpy(static_cast<void*>(&machine.chosen.emplace()), end.answer.data() + machine.message.size(),
                sizeof(runtime::choice));
}

} // namespace

std::vector<runtime::library> find_libraries() {
    std::vector<runtime::library> libraries;
    runtime::visit_places(this_machine(), [&](const runtime::place& where) {
        runtime::list_in(where, [&](const runtime::library& mpi) { add_once(libraries, mpi); });
        return false;
    });
    return libraries;
}

bool survey::is_chosen(const runtime::library& mpi) const {
    return chosen && real_path(chosen->mpi.path) == real_path(mpi.path);
}

survey survey_machine() {
    survey machine;
    machine.libraries = find_libraries();
    machine.found_by_search = machine.libraries.size();
    choose_for(machine);
    // ANYMPI_MPI or the configuration may name a library that the search does not find.
    if (machine.chosen)
        add_once(machine.libraries, machine.chosen->mpi);
    return machine;
}

} // namespace anympi::command
