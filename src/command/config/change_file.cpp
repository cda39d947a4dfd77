#include "command/config/change_file.hpp"

#include "command/adopt/draft_file.hpp"
#include "command/cli/files.hpp"
#include "command/cli/output.hpp"
#include "command/cli/this_machine.hpp"
#include "command/config/settings.hpp"
#include "runtime/find/configuration.hpp"
#include "runtime/message.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;
using runtime::whose;

// An editor shows this text if the file does not exist.
constexpr char template_text[] =
    R"(# The configuration of anympi. `anympi config` shows all keys with their values.
# mpi = "openmpi"                  # a name, the folder of an installation or a library file
# search = ["/apps/openmpi-5"]     # folders of further installations

# [run]
# allow_root = true                # let Open MPI's launcher run as root
# oversubscribe = true             # more processes than cores with Open MPI's launcher

# [options]
# openmpi = ["--mca", "btl", "self,vader"]
)";

bool is_of_site(const std::string& path) {
    return path.starts_with(runtime::site_configuration_file(this_machine()).text); // or its draft
}

[[noreturn]] void fail(const std::string& path, const fs::filesystem_error& failure) {
    const int error = failure.code().value();
    const bool is_forbidden = error == EACCES || error == EPERM || error == EROFS;
    const char* const reason =
        is_forbidden && is_of_site(path) && geteuid() != 0 ? "\nthe site's file belongs to the administrator" : "";
    throw std::runtime_error(sentence_of("{} cannot be written: {}", failure.path1().string(), std::strerror(error)) +
                             reason);
}

// Makes a folder that not everybody can write to, whatever the umask is. anympi ignores a configuration file in a
// folder that everybody can write to.
void make_folder(const fs::path& folder) {
    if (is_folder(folder) || folder.empty())
        return;
    make_folder(folder.parent_path());
    if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST)
        throw fs::filesystem_error("", folder, std::error_code(errno, std::generic_category()));
}

mode_t mode_of(const std::string& path) {
    struct stat status = {};
    constexpr mode_t permissions = 07777;
    return stat(path.c_str(), &status) == 0 ? status.st_mode & permissions : 0644;
}

void make_folder_of(const std::string& path) {
    try {
        make_folder(real_path(path).parent_path());
    } catch (const fs::filesystem_error& failure) {
        fail(path, failure);
    }
}

void write_file(const std::string& path, const std::string& text, mode_t mode) {
    make_folder_of(path);
    try {
        const draft_file draft(real_path(path));
        draft.fill_with(text);
        draft.finish(mode);
    } catch (const fs::filesystem_error& failure) {
        fail(path, failure);
    }
}

std::string find_editor() {
    for (const char* name : {"VISUAL", "EDITOR"})
        if (const char* editor = std::getenv(name); editor != nullptr && *editor != '\0')
            return editor;
    for (const char* name : {"editor", "nano", "vi"})
        if (!find_program(name).empty())
            return name;
    throw std::runtime_error("there is no editor here\nset EDITOR, or use `anympi config set KEY VALUE`");
}

// Ignores SIGINT and SIGQUIT in this process while the editor runs, as system() does.
class ignored_interruptions {
public:
    ignored_interruptions() = default;
    ignored_interruptions(const ignored_interruptions&) = delete;
    ignored_interruptions& operator=(const ignored_interruptions&) = delete;
    ~ignored_interruptions() { restore(); }

    void restore() const {
        std::signal(SIGINT, interrupt_);
        std::signal(SIGQUIT, quit_);
    }

private:
    void (*interrupt_)(int) = std::signal(SIGINT, SIG_IGN);
    void (*quit_)(int) = std::signal(SIGQUIT, SIG_IGN);
};

// Starts the editor by a shell, because the variable may contain options of the editor. Returns the exit code.
int start_editor(const std::string& editor, const std::string& path) {
    const std::string command = editor + " \"$1\"";
    std::fflush(nullptr);
    const ignored_interruptions ignored;
    const pid_t process = fork();
    if (process == 0) {
        ignored.restore();
        execlp("sh", "sh", "-c", command.c_str(), "sh", path.c_str(), nullptr);
        std::_Exit(127);
    }
    int status = 0;
    while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return process > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// Reports all lines of a text that would be ignored. Returns false if there are any.
bool check_text(const std::string& text, whose owner, const std::string& path) {
    if (text.size() >= runtime::longest_configuration) {
        runtime::say("%s is too long: at most %zu bytes are read", path.c_str(), runtime::longest_configuration - 1);
        return false;
    }
    settings checked;
    checked.add_text(text, owner, path);
    for (const ignored_line& line : checked.ignored())
        runtime::say("%s:%d: %s", line.file.c_str(), line.number, line.reason.c_str());
    return checked.ignored().empty();
}

void keep_draft(const std::string& path, const std::string& draft, whose owner) {
    runtime::say("%s is unchanged. Your text is in %s\n`anympi config edit%s` goes on with it", path.c_str(),
                 draft.c_str(), owner == whose::sites ? " --site" : "");
}

} // namespace

std::string path_of_configuration(whose owner) {
    std::string path = owner == whose::sites ? runtime::site_configuration_file(this_machine()).text
                                             : runtime::user_configuration_file().text;
    if (path.empty())
        throw std::runtime_error("there is no place for your configuration\nset HOME to the path of your folder");
    return path;
}

std::string text_of_configuration(const std::string& path) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (!fs::exists(status))
        return "";
    if (!fs::is_regular_file(status))
        throw std::runtime_error(sentence_of("{} is not a regular file", path));
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw std::runtime_error(sentence_of("{} cannot be read: {}", path, std::strerror(errno)));
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_configuration(const std::string& path, const std::string& text) {
    write_file(path, text, mode_of(path));
}

configuration_lock::configuration_lock(const std::string& path) {
    make_folder_of(path);
    folder_ = open(real_path(path).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (folder_ >= 0 && flock(folder_, LOCK_EX) != 0 && errno == EINTR) {
    }
}

configuration_lock::~configuration_lock() {
    if (folder_ >= 0)
        close(folder_);
}

int edit_configuration(const std::string& path, whose owner) {
    const std::string editor = find_editor();
    const std::string draft = path + ".draft";
    const std::string before = text_of_configuration(path);
    const std::string first = before.empty() ? template_text : before;
    if (!text_of_configuration(draft).empty())
        runtime::say("the editor shows the text of %s, which is not in use yet", draft.c_str());
    else
        write_file(draft, first, mode_of(path));
    const int code = start_editor(editor, draft);
    const std::string text = text_of_configuration(draft);
    if (text == first || text == before) {
        unlink(draft.c_str());
        runtime::say("%s is unchanged", path.c_str());
        return code == 0 ? 0 : 1;
    }
    const configuration_lock lock(path);
    const bool is_same = text_of_configuration(path) == before;
    if (code != 0)
        runtime::say("the editor (%s) ended with code %d", editor.c_str(), code);
    else if (!is_same)
        runtime::say("%s was changed by another program meanwhile", path.c_str());
    if (code != 0 || !is_same || !check_text(text, owner, draft)) {
        keep_draft(path, draft, owner);
        return 1;
    }
    write_configuration(path, text);
    unlink(draft.c_str());
    show("{} is written\n", path);
    return 0;
}

} // namespace anympi::command
