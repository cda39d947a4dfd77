#include "command/adopt/adopt.hpp"

#include "command/adopt/draft_file.hpp"
#include "command/cli/files.hpp"
#include "command/cli/output.hpp"
#include "command/cli/own_files.hpp"
#include "command/inspect/examination.hpp"
#include "command/inspect/mpi_names.hpp"
#include "command/run/child.hpp"
#include "command/run/interruption.hpp"
#include "command/run/obstacles.hpp"
#include "runtime/message.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;
using word_list = std::vector<std::string>;

class refused : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

void check(const examination& program) {
    const std::string& path = program.file.path;
    if (program.verdict == examination::answer::unreadable)
        throw refused(sentence_of("{} {}", path, program.file.problem));
    // A library of the program may be an adopted copy although the program is not.
    const std::vector<std::string>& needed = program.file.needed;
    const bool is_adopted =
        program.interface && std::find(needed.begin(), needed.end(), file_of_front(*program.interface)) != needed.end();
    if (program.file.has_front || is_adopted)
        throw refused(sentence_of("{} has anympi in it already", path));
    if (const std::string obstacle = find_obstacle_to_adoption(program); !obstacle.empty())
        throw refused(obstacle);
    if (program.file.is_static)
        throw refused(sentence_of("{} is linked statically: a copy cannot use another library", path));
    if (program.verdict == examination::answer::several)
        throw refused(sentence_of("{}: {}", path, program.remarks.back()));
    if (program.is_draft)
        throw refused(sentence_of("{} was built for a draft of the standard ABI, which has other values: build it "
                                  "again with anympi's mpicc",
                                  path));
    if (!program.interface)
        throw refused(sentence_of("{} {}: there is nothing to redirect", path, explain_no_mpi(program)));
    if (file_of_front(*program.interface).empty())
        throw refused(sentence_of("anympi's front for such programs is missing beside the command (expected: {})",
                                  (folder_of_fronts() / name_of(*program.interface)).string()));
}

// Returns our library for a name: the front, one of its companions, or an empty text.
std::string replacement_for(const examination& program, const std::string& name) {
    const abi interface = *program.interface;
    if (!find_mpi_soname(name) && !program.renamed.contains(name))
        return "";
    return is_companion(name) ? file_of_companion(interface, name) : file_of_front(interface);
}

// The copy names our libraries by path, so that RPATHs and library paths have no effect. The program's own libraries
// find them in the process by soname. Placeholders have the other names of the same library.
std::vector<word_list> changes_for(const examination& program) {
    const std::string front = file_of_front(*program.interface);
    const std::string older = file_of_older(*program.interface, program.older);
    std::vector<word_list> changes;
    bool has_front = false;
    for (const std::string& name : program.file.needed) {
        const std::string ours = replacement_for(program, name);
        if (ours.empty())
            continue;
        // Some wrappers make programs that name the library twice. One entry is enough.
        if (ours == front && has_front)
            changes.push_back({"--remove-needed", name});
        else
            changes.push_back({"--replace-needed", name, ours});
        has_front = has_front || ours == front;
    }
    if (!has_front)
        changes.push_back({"--add-needed", front});
    for (const auto& [name, file] : program.mpis)
        if (const std::string placeholder = file_of_placeholder(fs::path(name).filename());
            !placeholder.empty() && !program.renamed.contains(name) &&
            fs::path(name).filename() != fs::path(front).filename() &&
            fs::path(name).filename() != fs::path(older).filename())
            changes.push_back({"--add-needed", placeholder});
    // The library that converts must come before the front. It is added last, because patchelf adds in front of all
    // entries.
    if (!older.empty())
        changes.push_back({"--add-needed", older});
    return changes;
}

std::string find_patchelf() {
    std::string patchelf = find_program("patchelf");
    if (patchelf.empty())
        throw refused("patchelf is needed, which changes such files, and is not in PATH\ninstall it (Debian: apt "
                      "install patchelf)");
    return patchelf;
}

// Runs patchelf for one change. patchelf 0.14 confuses the names if it replaces and adds in one run.
void patch(const std::string& patchelf, const word_list& change, const draft_file& draft) {
    constexpr std::chrono::seconds limit(60);
    word_list words = {patchelf};
    words.insert(words.end(), change.begin(), change.end());
    words.emplace_back(draft_file::name);
    child patching(child::errors::hidden, [&](int answer) {
        dup2(answer, STDERR_FILENO);
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        return draft.enter_folder() ? execv(arguments[0], arguments.data()) : 1;
    });
    const child_end end = patching.wait(std::chrono::steady_clock::now() + limit);
    if (interruption::has_come())
        throw refused("interrupted");
    if (!end.is_good())
        throw refused(sentence_of("{} {}: {}", patchelf, explain(end, limit), end.answer));
}

// Returns the mode of the original without set-ID bits: a set-user-ID program trusts its libraries, and the copy loads
// other libraries.
mode_t write_copy(const examination& program, const fs::path& copy) {
    const std::string patchelf = find_patchelf();
    const interruption held_back; // a signal ends the process only after the draft is removed
    try {
        struct stat original = {};
        if (stat(program.file.path.c_str(), &original) != 0)
            throw fs::filesystem_error("", std::error_code(errno, std::generic_category()));
        const draft_file draft(copy);
        draft.fill_from(program.file.path);
        for (const word_list& change : changes_for(program))
            patch(patchelf, change, draft);
        draft.finish(original.st_mode & 0777);
        return original.st_mode;
    } catch (const fs::filesystem_error& error) {
        throw refused(sentence_of("{} cannot be written: {}", copy.string(), error.code().message()));
    }
}

} // namespace

int adopt(const std::string& file, const std::string& copy) {
    try {
        const examination program = examine(file);
        check(program);
        if (is_folder(copy))
            throw refused(sentence_of("{} is a folder; give the name of the copy", copy));
        if (real_path(copy) == real_path(program.file.path))
            throw refused(sentence_of("the copy would take the place of {}; give it another name", file));
        if (write_copy(program, copy) & (S_ISUID | S_ISGID))
            runtime::say("%s is set-user-ID or set-group-ID; the copy is made without these bits, because it loads "
                         "other libraries",
                         file.c_str());
        show("{} loads {} and runs on the MPI whose launcher starts it\n", copy, file_of_front(*program.interface));
        return 0;
    } catch (const refused& reason) {
        runtime::say_lines(reason.what());
        return 1;
    }
}

} // namespace anympi::command
