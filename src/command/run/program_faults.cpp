#include "command/run/program_faults.hpp"

#include "command/cli/files.hpp"
#include "command/cli/nearest.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/inspect/examination.hpp"
#include "command/inspect/loader.hpp"
#include "command/run/foreign_formats.hpp"
#include "command/run/launcher_arguments.hpp"
#include "command/run/scripts.hpp"
#include "runtime/environment.hpp"
#include "runtime/identify/mapped_file.hpp"
#include "runtime/launch/launcher.hpp"

#include <algorithm>
#include <cstdlib>
#include <elf.h>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;

// The bytes of a file as a text.
class file_text {
public:
    explicit file_text(const std::string& path) : mapped_(path.c_str()) {}
    std::string_view text() const { return {mapped_.bytes().characters(), mapped_.bytes().size()}; }
    runtime::byte_range bytes() const { return mapped_.bytes(); }
    bool is_read() const { return mapped_.result() == runtime::mapped_file::state::mapped; }

private:
    runtime::mapped_file mapped_;
};

bool is_elf(std::string_view text) {
    return text.starts_with(ELFMAG);
}

// Returns true if the text has a NUL character near its beginning. A script has no NUL character there.
bool is_binary(std::string_view text) {
    constexpr std::size_t beginning = 512;
    return text.substr(0, beginning).find('\0') != text.npos;
}

// --- programs that are not found ---

std::vector<std::string> programs_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code failure;
    for (fs::directory_iterator file(folder, failure), end; !failure && file != end; file.increment(failure))
        if (is_executable(file->path()))
            names.push_back(file->path().filename());
    return names;
}

std::string explain_absent(const std::string& file) {
    const fs::path folder = fs::path(file).parent_path();
    const std::string meant = nearest(fs::path(file).filename().string(), programs_in(folder));
    return meant.empty() ? sentence_of("{} does not exist\ncorrect the path, or build the program first", file)
                         : sentence_of("{} does not exist; did you mean `{}`?", file, (folder / meant).string());
}

std::string explain_unexecutable(const std::string& file) {
    if (is_folder(file))
        return sentence_of("{} is a folder\nname the program in it", file);
    const file_text content(file);
    if (is_elf(content.text()) || content.text().starts_with("#!"))
        return sentence_of("{} has no permission to be executed\ngive it the permission: `chmod +x {}`", file, file);
    if (fs::path(file).extension() == ".py")
        return sentence_of("{} is a script without permission to be executed\n"
                           "start it by its interpreter: `anympi run … python3 {}`",
                           file, file);
    return sentence_of("{} is not a program that can be executed\n"
                       "name the program, or for a script its interpreter: `anympi run … bash {}`",
                       file, file);
}

// Returns true if the launcher looks for programs in the same PATH as this process.
bool knows_path(const std::vector<std::string>& words) {
    const char* const path = std::getenv("PATH");
    const std::vector<std::string> folders = split_list(path ? path : "");
    const std::vector<std::string> variables = values_of_options(words, {"x", "env", "genv"});
    return std::all_of(folders.begin(), folders.end(), [](const auto& folder) { return folder.starts_with('/'); }) &&
           std::none_of(variables.begin(), variables.end(),
                        [](const auto& one) { return one == "PATH" || one.starts_with("PATH="); });
}

std::string explain_unfound_name(const std::string& name, bool searches_here) {
    if (is_executable(name))
        return searches_here ? "" : sentence_of("there is no program `{}` in PATH; did you mean `./{}`?", name, name);
    const std::string meant = nearest(name, programs_in("."));
    if (!meant.empty())
        return sentence_of("there is no program `{}` in PATH; did you mean `./{}`?", name, meant);
    return sentence_of("there is no program `{}` in PATH\nname it by its path, or load the module that brings it",
                       name);
}

// Returns true if the processes may start on other hosts, which may have other files. If SLURMD_NODENAME is not set,
// this host is a login node outside of Slurm's allocation.
bool starts_elsewhere(const std::vector<std::string>& words) {
    const bool is_on_login_node = runtime::is_in_slurm_allocation() && !runtime::read_variable("SLURMD_NODENAME");
    return is_on_login_node || !values_of_options(words, {"host", "hosts", "H", "hostfile", "machinefile", "f", "w",
                                                          "nodelist", "default-hostfile", "configfile"})
                                    .empty();
}

std::string explain_missing(const std::string& word, const std::vector<std::string>& words, bool searches_here) {
    const bool is_path = word.find('/') != word.npos;
    std::error_code failure;
    if (is_path && fs::exists(word, failure))
        return explain_unexecutable(word);
    if (starts_elsewhere(words))
        return "";
    if (is_path)
        return explain_absent(word);
    const bool searches_elsewhere = searches_here && !values_of_options(words, {"wdir", "wd"}).empty();
    return knows_path(words) && !searches_elsewhere ? explain_unfound_name(word, searches_here) : "";
}

// --- programs that cannot be started ---

// Returns true if the file ends before the end of a segment that the kernel would map.
bool is_cut_off(runtime::byte_range bytes) {
    const auto header = bytes.entry<Elf64_Ehdr>(0);
    if (!header)
        return true;
    const runtime::byte_range segments = bytes.from(header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum; i++) {
        const auto segment = segments.entry<Elf64_Phdr>(i);
        if (!segment || (segment->p_type == PT_LOAD && segment->p_filesz > 0 &&
                         bytes.from(segment->p_offset).size() < segment->p_filesz))
            return true;
    }
    return false;
}

// Returns the dynamic linker that the program names; empty if it names none.
std::string dynamic_linker_of(runtime::byte_range bytes) {
    const auto header = bytes.entry<Elf64_Ehdr>(0);
    const runtime::byte_range segments = header ? bytes.from(header->e_phoff) : runtime::byte_range();
    for (unsigned i = 0; header && i < header->e_phnum; i++)
        if (const auto segment = segments.entry<Elf64_Phdr>(i); segment && segment->p_type == PT_INTERP) {
            const runtime::byte_range name = bytes.from(segment->p_offset, segment->p_filesz);
            return std::string(name.characters(), strnlen(name.characters(), name.size()));
        }
    return "";
}

std::string judge_elf(const std::string& file, const file_text& content, bool is_elsewhere) {
    const auto kind = content.bytes().entry<unsigned char>(EI_CLASS);
    if (!kind || *kind != ELFCLASS64) // the kernel may run programs of 32 bits
        return "";
    const binary program = read_binary(content.bytes());
    if (!program.problem.empty() && has_registered_interpreter(file, content.text()))
        return "";
    if (!program.problem.empty()) // what follows a semicolon is advice for `anympi inspect`
        return sentence_of("{} {}\nbuild it on this machine, or copy it again", file,
                           program.problem.substr(0, program.problem.find(';')));
    if (is_cut_off(content.bytes()))
        return sentence_of("{} is damaged: its end is missing (an incomplete copy?)\nbuild it or copy it again", file);
    if (content.bytes().entry<Elf64_Ehdr>(0)->e_entry == 0)
        return sentence_of("{} is a shared library and not a program\nname the program that uses it", file);
    const std::string linker = dynamic_linker_of(content.bytes());
    if (!linker.empty() && !is_elsewhere && access(linker.c_str(), F_OK) != 0)
        return sentence_of("{} cannot start: the dynamic linker that it names, {}, does not exist here\n"
                           "build it on this machine, or start it in the container for which it was built",
                           file, linker);
    return "";
}

// Returns why the interpreter of a script cannot be started.
std::string judge_interpreter(const std::string& file, const std::vector<std::string>& interpreter, bool is_elsewhere) {
    if (interpreter.empty())
        return "";
    const std::string& program = interpreter[0];
    if (interpreter.back().ends_with('\r'))
        return sentence_of("{} has line ends of Windows, so that its first line names no program\n"
                           "convert it: `sed -i 's/\\r$//' {}`",
                           file, file);
    if (is_elsewhere)
        return "";
    if (program.starts_with('/') && !is_executable(program))
        return sentence_of("{} cannot start: its first line names {}, which cannot be executed here\n"
                           "correct the first line",
                           file, program);
    const bool is_env =
        fs::path(program).filename() == "env" && interpreter.size() > 1 && !interpreter[1].starts_with('-');
    if (is_env && interpreter[1].find_first_of("=/") == std::string::npos && find_program(interpreter[1]).empty())
        return sentence_of("{} cannot start: its first line names {}, which is not in PATH\n"
                           "install {}, or correct the first line",
                           file, interpreter[1], interpreter[1]);
    return "";
}

// Only faults of the file itself count if the program starts on other hosts.
std::string judge_file(const std::string& file, bool is_elsewhere) {
    std::error_code failure;
    if (fs::is_empty(file, failure) && !failure)
        return sentence_of("{} is empty\nbuild it or copy it again", file);
    const file_text content(file);
    if (!content.is_read()) // a program may be executable and not readable
        return "";
    if (is_elf(content.text()))
        return judge_elf(file, content, is_elsewhere);
    if (is_binary(content.text()) && has_registered_interpreter(file, content.text()))
        return "";
    if (is_binary(content.text()))
        return sentence_of("{} is neither a program nor a script\nname the program", file);
    return judge_interpreter(file, interpreter_of(content.text()), is_elsewhere);
}

// --- programs that start, but not as they should ---

std::string warn_of_launcher(const std::string& script, const job_part& part) {
    const file_text content(script);
    if (!content.is_read() || is_elf(content.text()))
        return "";
    const std::vector<std::string> interpreter = interpreter_of(content.text());
    const bool is_for_shell = std::any_of(interpreter.begin(), interpreter.end(), is_shell) || script != part.program;
    const started_launcher found =
        is_for_shell || interpreter.empty() ? find_started_launcher(content.text()) : started_launcher();
    if (found.name.empty())
        return "";
    const std::string advice = found.program.empty()
                                   ? "start its program with `anympi run`"
                                   : sentence_of("start its program: `anympi run … {}`", found.program);
    return sentence_of("{} starts `{}` itself (line {}): each process of this job would start a job of its own\n"
                       "start the script without `anympi run`, or ",
                       script, found.name, found.line) +
           advice;
}

// Warns if the program is itself a launcher: `anympi run -n 2 mpirun ./program`.
std::string warn_of_second_launcher(const job_part& part) {
    std::vector<std::string> words = {part.program};
    words.insert(words.end(), part.arguments.begin(), part.arguments.end());
    const started_launcher found = read_command(words);
    if (found.name.empty())
        return "";
    return sentence_of("`{}` is a launcher itself: each process of this job would start a job of its own\n"
                       "name the program instead of it: `anympi run … {}`",
                       found.name, found.program.empty() ? "PROGRAM" : found.program);
}

// Returns the script in `bash script`: the shell's first argument that is not an option.
std::string script_of(const job_part& part) {
    if (!is_shell(part.program))
        return part.program;
    const auto argument = std::find_if(part.arguments.begin(), part.arguments.end(),
                                       [](const std::string& word) { return !word.starts_with('-'); });
    const bool is_command = std::any_of(part.arguments.begin(), argument, [](const std::string& word) {
        return word.size() > 1 && word[1] != '-' && word.find('c') != word.npos; // -c, -lc
    });
    return argument == part.arguments.end() || is_command ? "" : *argument;
}

// Returns true for programs of the system (hostname, env), which are meant to run without MPI.
bool is_of_system(const std::string& program) {
    const std::string folder = real_path(program).parent_path();
    return folder == "/usr/bin" || folder == "/bin" || folder == "/usr/sbin" || folder == "/sbin";
}

// Returns true if a file calls functions by which a process opens libraries or starts programs.
bool may_lead_to_others(const binary& file) {
    constexpr std::string_view ways[] = {"dlopen", "dlmopen", "fork",   "vfork",  "posix_spawn", "posix_spawnp",
                                         "system", "popen",   "execv",  "execve", "execvp",      "execvpe",
                                         "execl",  "execlp",  "execle", "fexecve"};
    const runtime::mapped_file mapped(file.path.c_str());
    runtime::elf_file elf;
    runtime::elf_file::read(mapped.bytes(), elf, runtime::elf_file::wanted::programs_too);
    return std::any_of(std::begin(ways), std::end(ways), [&](std::string_view name) { return elf.imports(name); });
}

// Warns if a program without MPI is started in several processes: each process would compute everything.
std::string warn_of_serial_program(const job_part& part, const std::string& library_path) {
    if (is_of_system(part.program))
        return "";
    const examination program = examine(part.program, library_path);
    const bool may_use_mpi = program.verdict != examination::answer::no_mpi || program.file.is_static ||
                             !program.file.is_program || !program.not_found.empty() || !program.own_mpi.empty() ||
                             !program.foreign.empty() || !program.uses.is_empty();
    if (may_use_mpi)
        return "";
    const loaded_files parts = follow_dependencies(program.file, library_path);
    if (std::any_of(parts.files.begin(), parts.files.end(),
                    [](const loaded_file& one) { return may_lead_to_others(one.file); }))
        return "";
    return sentence_of("{} does not use MPI: its processes run side by side and exchange no messages\n"
                       "if it should use MPI, build it with anympi's mpicc, mpicxx or mpifort",
                       part.program);
}

} // namespace

program_faults find_program_faults(const std::vector<std::string>& words, int ranks, bool searches_here,
                                   const std::string& library_path) {
    program_faults found;
    for (const job_part& part : find_programs_among(words)) {
        if (!part.missing.empty())
            found.problem = explain_missing(part.missing, words, searches_here);
        else if (!part.program.empty())
            found.problem = judge_file(part.program, starts_elsewhere(words));
        if (!found.problem.empty())
            return found;
        if (part.program.empty() || !part.missing.empty() || !found.warning.empty())
            continue;
        found.warning = warn_of_second_launcher(part);
        if (const std::string script = script_of(part); found.warning.empty() && !script.empty())
            found.warning = warn_of_launcher(script, part);
        if (found.warning.empty() && ranks != 1)
            found.warning = warn_of_serial_program(part, library_path);
    }
    return found;
}

} // namespace anympi::command
