#include "front/step_aside.hpp"

#include "runtime/environment.hpp"
#include "runtime/image.hpp"
#include "runtime/message.hpp"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace anympi {

namespace {

constexpr const char* mark = "ANYMPI_STEPPED_ASIDE"; ///< the program was started once more already

/// The folder of this front, with a slash at its end.
void own_folder(char (&folder)[PATH_MAX]) {
    std::snprintf(folder, sizeof folder, "%s", runtime::own_file());
    if (char* const slash = std::strrchr(folder, '/'))
        slash[1] = '\0';
}

/// `folder` ends with a slash, an entry of the library path may.
bool is_folder(const char* entry, std::size_t size, const char* folder) {
    const std::size_t length = std::strlen(folder);
    return (size == length || size + 1 == length) && std::strncmp(entry, folder, size) == 0;
}

/// Takes the folder of this front from the library path, where the companions of the real library would not be found
/// behind ours.
void leave_library_path(const char* folder) {
    const char* const path = std::getenv("LD_LIBRARY_PATH");
    auto* const rest = path != nullptr ? static_cast<char*>(std::calloc(std::strlen(path) + 2, 1)) : nullptr;
    if (rest == nullptr)
        return;
    for (const char* entry = path; entry != nullptr;) {
        const char* const end = std::strchr(entry, ':');
        const std::size_t size = end != nullptr ? static_cast<std::size_t>(end - entry) : std::strlen(entry);
        if (!is_folder(entry, size, folder)) {
            std::strncat(rest, entry, size);
            std::strcat(rest, ":");
        }
        entry = end != nullptr ? end + 1 : nullptr;
    }
    if (const std::size_t size = std::strlen(rest); size != 0)
        rest[size - 1] = '\0';
    setenv("LD_LIBRARY_PATH", rest, 1);
    std::free(rest);
}

/// Before all others, so that it has the place of our library by its soname, and its names come first in any case.
void preload(const char* library) {
    const char* const others = std::getenv("LD_PRELOAD");
    char* list = nullptr;
    if (asprintf(&list, "%s%s%s", library, others != nullptr ? ":" : "", others != nullptr ? others : "") > 0)
        setenv("LD_PRELOAD", list, 1);
    std::free(list);
}

/// The arguments that this process was started with. They live until the process is another.
char** arguments() {
    const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    char* text = nullptr;
    std::size_t length = 0;
    for (ssize_t got = 1; file >= 0 && got > 0; length += static_cast<std::size_t>(got)) {
        constexpr std::size_t step = 4096;
        auto* const more = static_cast<char*>(std::realloc(text, length + step));
        if (more == nullptr)
            return nullptr;
        text = more;
        got = read(file, text + length, step);
        if (got < 0)
            return nullptr;
    }
    if (file < 0)
        return nullptr;
    close(file);
    auto** const list =
        static_cast<char**>(std::calloc(length + 1, sizeof(char*))); // no argument is shorter than its zero
    for (std::size_t i = 0, count = 0; list != nullptr && i < length; i += std::strlen(text + i) + 1)
        list[count++] = text + i;
    return list;
}

} // namespace

void step_aside(const runtime::library& mpi) {
    char folder[PATH_MAX];
    own_folder(folder);
    char** const words = arguments();
    if (runtime::setting(mark) != nullptr || words == nullptr)
        runtime::stop("this program was built for the family of %s, which is chosen, and needs no front,\n"
                      "but has loaded the one in %s. Start it without that folder in LD_LIBRARY_PATH.",
                      mpi.path, folder);
    setenv(mark, "1", 1);
    leave_library_path(folder);
    preload(mpi.path);
    execv("/proc/self/exe", words);
    runtime::stop("the program cannot be started once more with %s: %s", mpi.path, std::strerror(errno));
}

} // namespace anympi
