// `start_program PROGRAM ARGUMENTS…`: the launcher starts this program for `anympi run` instead of the user's program.
//
// On a host without this installation of anympi the user's program would find another MPI, and each process would
// silently be a separate job. On such a host this file is missing as well, which every launcher reports. If this file
// exists, it checks the MPI library before it executes the program: the library must exist, and must be the same as on
// the host of `anympi run`.

#include "runtime/environment.hpp"
#include "runtime/identify/fingerprint.hpp"
#include "runtime/identify/identify.hpp"
#include "runtime/launch/same_library.hpp"
#include "runtime/message.hpp"

#include <cerrno>
#include <climits>
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

const char* last_part(const char* path) {
    const char* const slash = std::strrchr(path, '/');
    return slash != nullptr ? slash + 1 : path;
}

// Returns the words separated by spaces; nullptr if memory is lacking.
char* join(char** words) {
    std::size_t size = 1;
    for (char** word = words; *word != nullptr; ++word)
        size += std::strlen(*word) + 1;
    char* const text = static_cast<char*>(std::malloc(size));
    if (text == nullptr)
        return nullptr;
    char* end = text;
    for (char** word = words; *word != nullptr; ++word) {
        end = stpcpy(end, word == words ? "" : " ");
        end = stpcpy(end, *word);
    }
    *end = '\0';
    return text;
}

// Puts the name of the user's program into the variable in which Open MPI's launchers name the started command, in the
// form in which this file was named. Libraries up to version 4 answer MPI_INFO_ENV with this variable. Returns false if
// another launcher has started this process, perhaps inside a job of Open MPI.
bool name_program(char** words, const char* own_name) {
    const char* const told = runtime::read_variable("OMPI_COMMAND");
    if (told == nullptr || std::strcmp(last_part(told), last_part(own_name)) != 0)
        return false;
    const bool has_folder = std::strchr(told, '/') != nullptr; // since version 5
    char* const arguments = join(words + 1);
    if (arguments == nullptr)
        return true;
    setenv("OMPI_COMMAND", has_folder ? words[0] : last_part(words[0]), 1);
    if (has_folder || words[1] != nullptr)
        setenv("OMPI_ARGV", arguments, 1);
    else
        unsetenv("OMPI_ARGV");
    std::free(arguments);
    return true;
}

// Executes the program if it is a name without a folder and a file in one of the folders, which are separated by
// colons.
void execute_in(const char* folders, char** words) {
    for (const char* folder = folders; *folder != '\0' && std::strchr(words[0], '/') == nullptr;) {
        const std::size_t size = std::strcspn(folder, ":");
        bounded_text<PATH_MAX> file;
        file.append("%.*s/%s", static_cast<int>(size), folder, words[0]);
        if (size != 0 && !file.cut)
            execv(file.text, words);
        folder += size + (folder[size] != '\0' ? 1 : 0);
    }
}

// Looks for a name without a folder in the working directory if PATH does not have it, as Open MPI's launchers do.
void execute_here(char** words) {
    if (errno != ENOENT || std::strchr(words[0], '/') != nullptr)
        return;
    bounded_text<PATH_MAX> file;
    file.append("./%s", words[0]);
    execv(file.text, words);
}

} // namespace
} // namespace anympi

// For processes that Open MPI spawns: `start_program -x NAME=VALUE … -- PROGRAM ARGUMENTS…` sets variables first. With
// `-p FOLDERS` it looks for the program in these folders, as the info key `path` requests.
int main(int, char** words) {
    const char* const own_name = *words++;
    const char* folders = "";
    const bool has_variables = *words != nullptr && std::strcmp(*words, "-x") == 0;
    for (; has_variables && words[0] != nullptr && words[1] != nullptr && std::strcmp(*words, "--") != 0; words += 2)
        if (std::strcmp(words[0], "-p") == 0)
            folders = words[1];
        else
            putenv(words[1]);
    if (has_variables && *words != nullptr) // "--"
        ++words;
    if (*words == nullptr)
        return 2;
    anympi::check_library();
    const bool is_started_by_openmpi = anympi::name_program(words, own_name) || has_variables;
    anympi::execute_in(folders, words);
    execvp(words[0], words);
    if (is_started_by_openmpi)
        anympi::execute_here(words);
    anympi::runtime::stop("%s cannot be started: %m", words[0]);
}
