#include "command/run/obstacles.hpp"

#include "command/cli/files.hpp"
#include "command/cli/own_files.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/inspect/loader.hpp"
#include "command/inspect/mpi_names.hpp"

#include <algorithm>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;

std::string describe_own_mpi(const examination& program) {
    const auto interface = program.own_interface;
    return interface ? sentence_of(" ({})", runtime::title_of(*interface)) : "";
}

// A program that is linked with a static MPI needs a launcher of this MPI's family.
std::string judge_own_mpi_of(const examination& program, const runtime::library& chosen) {
    const auto interface = program.own_interface;
    if (interface && runtime::family_of(*interface) == chosen.lineage)
        return "";
    const std::string advice =
        interface ? sentence_of("choose an MPI of its family (`anympi run --mpi {}`), or link it with",
                                name_of(*interface))
                  : "start it with the launcher of its own MPI, or link it with";
    return sentence_of("{} holds an MPI of its own{}, linked statically: no library can be put in its place, and under "
                       "the launcher of {} each process would be a job of its own\n{} a shared MPI library",
                       program.own_mpi, describe_own_mpi(program), runtime::describe(chosen).text, advice);
}

std::string refuse_foreign(const examination& program) {
    const bool is_file = program.foreign.find('/') != program.foreign.npos;
    return sentence_of("{} was built for {}{}, whose ABI anympi does not know\nbuild it again, with anympi's mpicc, or "
                       "start it with the launcher of that MPI",
                       program.file.path, is_file ? "the MPI in " : "", program.foreign);
}

// Returns true if a process that executes the file gets rights of the file's owner or group. The kernel ignores the
// bits on some file systems, and for a process that has set PR_SET_NO_NEW_PRIVS.
bool gains_rights(const std::string& path) {
    struct stat file = {};
    struct statvfs place = {};
    if (stat(path.c_str(), &file) != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
        (statvfs(path.c_str(), &place) == 0 && (place.f_flag & ST_NOSUID)))
        return false;
    const bool sets_user = (file.st_mode & S_ISUID) && file.st_uid != getuid();
    const bool sets_group = (file.st_mode & S_ISGID) && (file.st_mode & S_IXGRP) && file.st_gid != getgid();
    const bool has_capabilities = getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
    return sets_user || sets_group || has_capabilities;
}

// The dynamic linker ignores anympi's variables for a program with more rights. Such a program must find the chosen
// library by itself.
std::string judge_rights(const examination& program, const runtime::library& chosen) {
    bool leads_to_chosen = program.interface == chosen.interface;
    bool names_library = false;
    for (const auto& [name, found] : find_mpis(program, "")) {
        const bool is_library = !is_companion(name);
        names_library = names_library || is_library;
        leads_to_chosen =
            leads_to_chosen && !found.empty() && (!is_library || real_path(found) == real_path(chosen.path));
    }
    if (leads_to_chosen && names_library)
        return "";
    return sentence_of(
        "{} gets more rights than its user has (set-user-ID, set-group-ID or file capabilities), so that "
        "the dynamic linker ignores what anympi sets, and it would not run on {}\nwrite a copy without "
        "these rights: `anympi adopt {} -o COPY`, or choose the MPI that it finds by itself",
        program.file.path, runtime::describe(chosen).text, program.file.path);
}

// The library for integers of 8 bytes works only with the library for C of the same installation.
std::string judge_ilp64(const examination& program, const runtime::library& chosen, const std::string& library_path) {
    const fs::path home = real_path(chosen.path).parent_path();
    const std::string path = join_list({fs::path(chosen.path).parent_path(), library_path}, ":");
    for (const auto& [name, found] : find_mpis(program, path))
        if (found.empty() || real_path(found).parent_path() != home)
            return sentence_of("{} is a Fortran program with integers of 8 bytes: it needs {} from the folder of the "
                               "MPI on which it runs, and with {} {}\nchoose the MPI for which it was built (`anympi "
                               "list`), or build it again, with integers of 4 bytes",
                               program.file.path, name, runtime::describe(chosen).text,
                               found.empty() ? "it is missing" : "it would load " + found);
    return "";
}

// Returns a name that the program uses and that the libraries of src/preload/older do not convert, or an empty text.
std::string find_unconverted(const examination& program) {
    if (program.older == difference::statuses && !program.uses.fortran.empty())
        return "Fortran procedures (" + *program.uses.fortran.begin() + ")";
    if (program.older == difference::combiners && program.uses.fortran.contains("mpi_type_get_envelope_"))
        return "mpi_type_get_envelope_";
    for (const std::string& name : program.uses.extensions)
        if (program.older == difference::statuses && name.starts_with("MPIX_Grequest_"))
            return name;
    for (const std::string& name : program.uses.functions) // these releases number the classes of variables differently
        if (program.older == difference::statuses && name.starts_with("MPI_T_pvar_get_in"))
            return name;
    return "";
}

// Judges programs of releases that had other structures or numbers.
std::string judge_older(const examination& program) {
    const older_release* const release =
        program.interface ? find_older_release(*program.interface, program.older) : nullptr;
    if (release == nullptr || program.uses.is_empty())
        return "";
    if (const std::string name = find_unconverted(program); !name.empty())
        return sentence_of(
            "{} was built for {} ({}) and calls {}: anympi converts the layout of other releases only for "
            "functions for C\n"
            "build it again, with anympi's mpicc or mpifort, or start it with the launcher of that MPI",
            program.file.path, release->title, release->soname, name);
    if (file_of_older(*program.interface, program.older).empty())
        return sentence_of("{} was built for {} ({}), and anympi's library for such programs is missing beside the "
                           "command (expected in {}/older): install anympi again",
                           program.file.path, release->title, release->soname, folder_of_fronts().string());
    return "";
}

std::string explain_adoption(const examination& program, const std::string& needed_by, const std::string& name) {
    if (needed_by == program.file.path)
        return sentence_of("write a copy that asks for the right file: `anympi adopt {} -o COPY`, and start that",
                           program.file.path);
    return sentence_of("let that library ask for the library's own name: `patchelf --replace-needed {} SONAME {}`",
                       name, needed_by);
}

// There are placeholders only for usual names. A placeholder must not hide a library of another ABI.
std::string judge_renamed(const examination& program, const runtime::library& chosen, const std::string& library_path) {
    const fs::path home = real_path(chosen.path).parent_path();
    const auto found = find_mpis(program, library_path);
    const bool is_native = program.interface && needs_no_front(*program.interface, chosen);
    for (const auto& [name, needed_by] : program.renamed) {
        if (is_native && !file_of_placeholder(name).empty())
            continue;
        const auto file = found.find(name);
        const std::string path = file == found.end() ? "" : file->second;
        const bool is_chosen = !path.empty() && (real_path(path) == real_path(chosen.path) ||
                                                 (is_companion(name) && real_path(path).parent_path() == home));
        if (!is_chosen)
            return sentence_of(
                "{} needs {}{}, an unusual name of an MPI library, under which anympi cannot put {} in place\n{}",
                needed_by, name, path.empty() ? "" : " (" + path + ")", runtime::describe(chosen).text,
                explain_adoption(program, needed_by, name));
    }
    return "";
}

} // namespace

bool has_more_rights(const examination& program) {
    return (program.interface || !program.uses.is_empty()) && gains_rights(program.file.path);
}

std::string find_obstacle(const examination& program, const runtime::library& chosen, const std::string& library_path) {
    if (!program.own_mpi.empty())
        return judge_own_mpi_of(program, chosen);
    if (!program.foreign.empty())
        return refuse_foreign(program);
    if (has_more_rights(program))
        return judge_rights(program, chosen);
    if (program.is_ilp64)
        return judge_ilp64(program, chosen, library_path);
    if (std::string older = judge_older(program); !older.empty())
        return older;
    return judge_renamed(program, chosen, library_path);
}

std::string find_obstacle_to_adoption(const examination& program) {
    const std::string& path = program.file.path;
    if (!program.own_mpi.empty())
        return sentence_of("{} holds an MPI of its own{}: no library can be put in its place", program.own_mpi,
                           describe_own_mpi(program));
    if (!program.foreign.empty())
        return refuse_foreign(program);
    if (program.is_ilp64)
        return sentence_of(
            "{} is a Fortran program with integers of 8 bytes (libmpi_ilp64), for which anympi has no "
            "front\nstart it with `anympi run` on the MPI for which it was built, or build it again, with "
            "integers of 4 bytes",
            path);
    if (std::string older = judge_older(program); !older.empty())
        return older;
    for (const auto& [name, needed_by] : program.renamed)
        if (needed_by != path)
            return sentence_of("{} needs {}, an unusual name of an MPI library, and only what {} needs itself can be "
                               "redirected\n{}",
                               needed_by, name, path, explain_adoption(program, needed_by, name));
    return "";
}

} // namespace anympi::command
