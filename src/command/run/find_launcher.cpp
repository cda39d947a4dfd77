#include "command/run/find_launcher.hpp"

#include "command/cli/files.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/this_machine.hpp"
#include "command/run/child.hpp"
#include "runtime/environment.hpp"
#include "runtime/find/search.hpp"
#include "runtime/launch/launcher.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;
using runtime::family;

// Debian uses names with a suffix, since all its MPIs share /usr/bin and the plain names lead to one of them. Open
// MPI's orterun and prterun come last: in a moved installation mpirun is a wrapper that tells them the new folder.
const std::vector<std::string> names_of_mpich = {"mpiexec.hydra", "mpiexec.mpich", "mpiexec", "mpirun"};
const std::vector<std::string> names_of_openmpi = {"mpirun.openmpi", "mpirun", "mpiexec", "prterun", "orterun"};

std::vector<std::string> names_for(family lineage) {
    switch (lineage) {
    case family::mpich:
        return names_of_mpich;
    case family::openmpi:
        return names_of_openmpi;
    case family::unknown:
        break;
    }
    std::vector<std::string> all = names_of_mpich;
    all.insert(all.end(), names_of_openmpi.begin(), names_of_openmpi.end());
    return all;
}

// Returns true if the library is in lib, lib64 … of this prefix, however deep, or directly in it. /usr/local is not
// the installation of /usr/local/mpich/lib/libmpi.so.12.
bool is_installation_of(const fs::path& prefix, const fs::path& library) {
    const fs::path inside = library.lexically_relative(prefix);
    return prefix.has_relative_path() && !inside.empty() && inside.begin()->string().starts_with("lib");
}

bool holds_another_family(const fs::path& prefix, family lineage) {
    runtime::place where;
    where.path.append("%s", prefix.c_str());
    bool found = false;
    runtime::list_in(where, [&](const runtime::library& mpi) {
        found = found || (mpi.lineage != family::unknown && mpi.lineage != lineage);
    });
    return found;
}

// Returns the family of a launcher by the name of its real file. A script of the site may have any name.
family family_of(const fs::path& real) {
    const runtime::launcher_program* known = runtime::find_launcher_program(real.c_str());
    return known ? known->serves : family::unknown;
}

bool is_of_another_family(const fs::path& real, const runtime::library& mpi) {
    const family serves = family_of(real);
    return serves != family::unknown && mpi.lineage != family::unknown && serves != mpi.lineage;
}

} // namespace

bool is_anympi(const fs::path& executable) {
    const fs::path real = real_path(executable);
    return real.filename() == "anympi" || real == real_path("/proc/self/exe");
}

// If several MPIs share a folder, the name of the real file tells the family (Debian: mpirun -> … -> orterun). If the
// real file is called mpiexec, the installation must have only one family.
bool is_launcher_of(const fs::path& executable, const runtime::library& mpi) {
    const fs::path real = real_path(executable);
    if (is_anympi(real) || is_of_another_family(real, mpi)) // anympi would start itself forever
        return false;
    // A site may link mpiexec to its own script. Therefore the installation around the link is looked at, too.
    for (const fs::path& file : {real, real_path(executable.parent_path()) / executable.filename()}) {
        const fs::path prefix = file.parent_path().parent_path();
        const bool is_clear = family_of(real) != family::unknown || !holds_another_family(prefix, mpi.lineage);
        if (is_clear && (is_installation_of(prefix, real_path(mpi.path)) || is_installation_of(prefix, mpi.path)))
            return true;
    }
    return false;
}

namespace {

// Skips a link to a folder in the list (Debian: /bin), which would only make messages longer.
void add_once(std::vector<std::string>& folders, const fs::path& folder) {
    const bool is_there = std::any_of(folders.begin(), folders.end(),
                                      [&](const std::string& other) { return real_path(other) == real_path(folder); });
    if (!is_there && is_folder(folder))
        folders.push_back(folder);
}

// Returns the folder `bin` in every folder around the library, the nearest first, then the folders of PATH.
std::vector<std::string> folders_for(const runtime::library& mpi) {
    std::vector<std::string> folders;
    for (const fs::path& library : {fs::path(mpi.path), real_path(mpi.path)})
        for (fs::path around = library.parent_path(); around.has_relative_path(); around = around.parent_path())
            add_once(folders, around / "bin");
    for (const std::string& folder : folders_in_path())
        add_once(folders, folder);
    return folders;
}

std::string configured_launcher(const runtime::library& mpi, const settings& configured) {
    const std::string key = fmt::format("launcher.{}", runtime::name_of(mpi));
    std::string file = configured.text(key);
    if (!file.empty() && !is_executable(file))
        throw settings_error(
            sentence_of("{}: {} = \"{}\" is not a program that can be started", configured.origin(key), key, file));
    if (is_of_another_family(real_path(file), mpi))
        throw settings_error(
            sentence_of("{}: {} = \"{}\" is a launcher of another MPI ({}): N processes would be N separate jobs",
                        configured.origin(key), key, file, real_path(file).filename().string()));
    return file;
}

} // namespace

launcher_search find_launcher(const runtime::library& mpi, const settings& configured) {
    launcher_search search;
    search.executable = configured_launcher(mpi, configured);
    if (!search.executable.empty())
        return search;
    search.names = names_for(mpi.lineage);
    search.folders = folders_for(mpi);
    for (const std::string& folder : search.folders) {
        for (const std::string& name : search.names) {
            const fs::path executable = fs::path(folder) / name;
            if (!is_executable(executable))
                continue;
            if (is_launcher_of(executable, mpi)) {
                search.executable = executable;
                return search;
            }
            search.left_out.push_back(executable);
        }
    }
    return search;
}

std::string find_srun(const settings& configured) {
    const bool is_to_start = configured.flag("run.slurm") && runtime::is_in_slurm_allocation() &&
                             !is_srun(runtime::detect_launcher(this_machine()).kind);
    return is_to_start ? find_program("srun") : "";
}

namespace {

// Returns the output of a program of Slurm, from its standard output and its standard error.
std::string ask_slurm(const std::string& program, const char* word, const char* second) {
    constexpr std::chrono::seconds limit(5);
    if (program.empty())
        return "";
    child asked(child::errors::hidden, [&](int answer) {
        dup2(answer, STDOUT_FILENO);
        dup2(answer, STDERR_FILENO);
        return execl(program.c_str(), program.c_str(), word, second, nullptr);
    });
    return asked.wait(std::chrono::steady_clock::now() + limit).answer;
}

} // namespace

std::string ask_slurm_for_default() {
    std::istringstream words(ask_slurm(find_program("scontrol"), "show", "config"));
    for (std::string word, equals, value; words >> word;)
        if (word == "MpiDefault" && words >> equals >> value)
            return value;
    return "";
}

bool offers_with_srun(const std::string& type) {
    if (!read_settings().flag("run.slurm") || !runtime::is_in_slurm_allocation())
        return false;
    // "specific pmix plugin versions available: pmix_v4,pmix_v5"
    std::string listed = ask_slurm(find_program("srun"), "--mpi=list", nullptr);
    std::replace(listed.begin(), listed.end(), ',', ' ');
    std::istringstream words(listed);
    for (std::string word; words >> word;)
        if (word == type)
            return true;
    return false;
}

} // namespace anympi::command
