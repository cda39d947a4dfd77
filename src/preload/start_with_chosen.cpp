#include "preload/start_with_chosen.hpp"

#include "preload/before_binding.hpp"
#include "preload/lacking_functions.hpp"
#include "runtime/find/sonames.hpp"
#include "runtime/identify/identify.hpp"
#include "runtime/message.hpp"
#include "runtime/open/image.hpp"
#include "runtime/open/linker_variables.hpp"
#include "runtime/open/restore_variables.hpp"

#include <cerrno>
#include <cstring>
#include <initializer_list>
#include <unistd.h>

namespace anympi {
namespace {

constexpr const char* mark_variable = "ANYMPI_STARTED_WITH_CHOSEN"; // holds the number of the process

bool has_mpi(const char* file, runtime::library& mpi) {
    return runtime::identify(file, mpi) == runtime::identification::mpi && !runtime::is_draft(mpi);
}

// The files to preload, in the form of LD_PRELOAD.
class preload_list {
public:
    explicit preload_list(const char* users = "") { files_.append("%s", users); }

    void add(const char* file) {
        can_be_preloaded_ = can_be_preloaded_ && *file != '\0' && runtime::can_be_preloaded(file);
        files_.append("%s%s", files_.length != 0 ? ":" : "", file);
    }
    bool is_complete() const { return can_be_preloaded_ && !files_.cut; }
    const char* text() const { return files_.text; }

private:
    long_text<std::size_t{1} << 16> files_;
    bool can_be_preloaded_ = true;
};

// Adds the libraries that programs of an ABI need on the chosen MPI. anympi's libraries for Fortran and C++ call the
// library that is loaded before them. A placeholder replaces a library that has another soname.
void add_libraries(preload_list& files, abi program, const runtime::library& chosen, const foreign_libraries& foreign) {
    const bool is_native = runtime::needs_no_front(program, chosen);
    const char* const name_of_front = runtime::soname_of(program);
    const path_text front = own_file_in(name_of(program), name_of_front);
    if (is_native)
        files.add(chosen.path);
    if (!is_native || foreign.companion_count != 0)
        files.add(front.text);
    if (foreign.file != nullptr && std::strcmp(foreign.name, is_native ? chosen.soname : name_of_front) != 0)
        files.add(own_file_in("placeholders", foreign.name).text);
    for (std::size_t i = 0; i < foreign.companion_count; ++i)
        files.add(own_file_in(name_of(program), foreign.companions[i]).text);
}

// Starts the program again; returns with a message if the start fails. `is_bound_early` is true if before_binding.so
// has already started the process because of missing names; that start is not repeated.
void start_with(const preload_list& files, const char* chosen, char* const* environment, bool is_bound_early = false) {
    if (!files.is_complete())
        return;
    runtime::changes different;
    runtime::keep_for_putting_back(different, environment);
    different.add({mark_variable, "=", runtime::own_process_number().text});
    if (is_bound_early)
        different.add({bound_early_variable, "=", runtime::own_process_number().text});
    different.add({runtime::preload_variable, "=", files.text()});
    const int reason = runtime::start_again(environment, different);
    runtime::say("%s cannot be started again with %s: %s", program_invocation_name, chosen, std::strerror(reason));
}

void add_each(preload_list& files, const char* list) {
    while (*list != '\0') {
        path_text one;
        one.append("%.*s", static_cast<int>(std::strcspn(list, ": ")), list);
        if (one.length != 0)
            files.add(one.text);
        list += one.length + (list[one.length] != '\0' ? 1 : 0);
    }
}

// Returns the files that are preloaded already. They come first, because a tool of the user must see the program's
// calls.
const char* preloaded(char* const* environment) {
    const char* const present = runtime::find_variable(environment, runtime::preload_variable);
    return present != nullptr ? present : "";
}

} // namespace

path_text own_file_in(const char* folder, const char* name) {
    const char* const own = runtime::own_file();
    const char* const slash = std::strrchr(own, '/');
    path_text file;
    file.append("%.*s/%s/%s", slash != nullptr ? static_cast<int>(slash - own) : 0, own, folder, name);
    return !file.cut && access(file.text, R_OK) == 0 ? file : path_text{};
}

earlier_starts find_earlier_starts(char** environment) {
    const char* const process = runtime::find_variable(environment, mark_variable);
    const char* const bound = runtime::find_variable(environment, bound_early_variable);
    earlier_starts found;
    found.with_chosen = process != nullptr && runtime::names_this_process(process);
    if (bound != nullptr && runtime::names_this_process(bound))
        if (const char* const files = std::strchr(bound, ' '))
            found.preloaded_for_binding = files + 1;
    runtime::put_back_after_stepping_aside(environment);
    for (char** const list : {environment, __environ}) // an earlier constructor may have created another list
        for (const char* const variable : {mark_variable, bound_early_variable})
            runtime::remove_variable(list, variable);
    return found;
}

void start_with_chosen(const char* chosen, const foreign_libraries& foreign, char* const* environment) {
    runtime::library mpi;
    runtime::library other;
    if (runtime::is_privileged() || !has_mpi(chosen, mpi) || !has_mpi(foreign.some_file(), other))
        return;
    preload_list files(preloaded(environment));
    add_libraries(files, other.interface, mpi, foreign);
    start_with(files, chosen, environment);
}

void start_with_supplement(const char* chosen, char* const* environment) {
    runtime::library mpi;
    if (runtime::is_privileged() || !calls_undefined_function() || !has_mpi(chosen, mpi))
        return;
    const path_text front = own_file_in(name_of(mpi.interface), runtime::soname_of(mpi.interface));
    if (front.length == 0 || !calls_function_of(front.text))
        return;
    const char* const interposers = ask_for_interposers(front.text, chosen);
    if (interposers == nullptr)
        return;
    preload_list files(preloaded(environment));
    add_each(files, interposers);
    files.add(chosen);
    for_each_file_with_objects(front.text, chosen, [&](const char* file) { files.add(file); });
    files.add(front.text);
    start_with(files, chosen, environment);
}

void start_with_interposers(const char* chosen, const char* preloaded, char* const* environment) {
    runtime::library mpi;
    if (!has_mpi(chosen, mpi))
        return;
    const path_text front = own_file_in(name_of(mpi.interface), runtime::soname_of(mpi.interface));
    const char* const interposers = ask_for_interposers(front.text, chosen);
    if (interposers == nullptr || *interposers == '\0')
        return;
    const char* const library = std::strstr(preloaded, chosen);
    path_text before;
    before.append("%.*s", library != nullptr ? static_cast<int>(library - preloaded) : 0, preloaded);
    preload_list files;
    add_each(files, before.text);
    add_each(files, interposers);
    add_each(files, preloaded + before.length);
    if (!before.cut)
        start_with(files, chosen, environment, true);
}

} // namespace anympi
