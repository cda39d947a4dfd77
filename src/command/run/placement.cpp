#include "command/run/placement.hpp"

#include "command/cli/files.hpp"
#include "command/cli/own_files.hpp"
#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/inspect/mpi_names.hpp"
#include "command/run/companions.hpp"
#include "command/run/lacking_names.hpp"
#include "command/run/linked_tools.hpp"
#include "command/run/obstacles.hpp"
#include "runtime/identify/identify.hpp"
#include "runtime/open/linker_variables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

namespace anympi::command {
namespace {

std::string refuse_vendor_abi(const examination& program, const runtime::library& chosen) {
    return sentence_of("{} was built for {}, and the MPI chosen is {}\n"
                       "anympi's front for such programs is missing beside the command (expected: {}): install anympi "
                       "again, or choose an MPI of the program's ABI (`anympi run --mpi {}`; `anympi list` shows what "
                       "there is)",
                       program.file.path, runtime::title_of(*program.interface), runtime::describe(chosen).text,
                       (folder_of_fronts() / name_of(*program.interface)).string(), name_of(*program.interface));
}

std::string refuse_draft(const examination& program) {
    return sentence_of("{} was built for a draft of the standard ABI ({}): some constants have other values there, and "
                       "it would compute rubbish without an error\nbuild it again, with anympi's mpicc",
                       program.file.path, program.mpis.empty() ? "libmpi_abi" : program.mpis.begin()->first);
}

std::string refuse_name(const examination& program, const std::string& soname, const std::string& target) {
    return sentence_of("{} needs {}, a name under which anympi cannot put {} in place\nwrite a copy that asks for the "
                       "right file: `anympi adopt {} -o COPY`, and start that",
                       program.file.path, soname, target, program.file.path);
}

std::string refuse_preload(const examination& program, const std::string& found, const std::string& file) {
    return sentence_of("{} leads by RPATH to {}, and {} cannot be preloaded before it: there is a space or a colon in "
                       "that name\nremove the RPATH (`patchelf --remove-rpath`), or write a copy without it: "
                       "`anympi adopt {} -o COPY`",
                       program.file.path, found.empty() ? "nothing" : found, file, program.file.path);
}

std::string refuse_supplement(const examination& program, const runtime::library& chosen, const std::string& file) {
    return sentence_of("{} calls functions that {} lacks, and {}, which is needed for them, cannot be preloaded: there "
                       "is a space or a colon in that name\nchoose a newer library (`anympi list` shows what there "
                       "is), or install anympi and the library in folders without such characters",
                       program.file.path, runtime::describe(chosen).text, file);
}

std::string refuse_tool(const examination& program, const std::string& tool) {
    return sentence_of(
        "{} was linked with {}, which must come before the libraries that anympi preloads, and cannot be "
        "preloaded itself: there is a space or a colon in that name\n"
        "put it into a folder without such characters",
        program.file.path, tool);
}

// Preloads a file. The dynamic linker then searches no other file for its soname.
void preload(placement& result, const examination& program, const std::string& found, const std::string& file) {
    if (!runtime::can_be_preloaded(file.c_str()))
        result.refusal = refuse_preload(program, found, file);
    else if (std::find(result.preloads.begin(), result.preloads.end(), file) == result.preloads.end())
        result.preloads.push_back(file);
}

// Preloads a file for a name. If the file's soname is another name, a placeholder with the name is preloaded, too.
void preload_as(placement& result, const examination& program, const std::string& name, const std::string& found,
                const std::string& file) {
    preload(result, program, found, file);
    const auto has_name = [&](const std::string& preloaded) { return read_binary(preloaded).soname == name; };
    if (name.find('/') != name.npos || std::any_of(result.preloads.begin(), result.preloads.end(), has_name))
        return; // a path: an adopted program
    if (const std::string placeholder = file_of_placeholder(name); !placeholder.empty())
        preload(result, program, found, placeholder);
    else
        result.refusal = refuse_name(program, name, file);
}

// Preloads `target` if the program would find another MPI library, for instance by an RPATH. A process must not load
// two MPI libraries.
void preload_where_needed(placement& result, const examination& program, const std::string& library_path,
                          const std::string& target) {
    for (const auto& [name, found] : find_mpis(program, library_path)) {
        if (!find_mpi_soname(name) || is_companion(name) || is_same_file(found, target))
            continue;
        if (*program.interface == abi::standard &&
            runtime::is_own_front(found.c_str())) // perhaps a front of another installation
            continue;
        preload_as(result, program, name, found, target);
    }
}

// Preloads the library for programs of an older release. Its functions convert, so they must come before the functions
// of the MPI library.
void preload_older(placement& result, const examination& program) {
    if (const std::string file = file_of_older(*program.interface, program.older); !file.empty())
        preload(result, program, "", file);
}

// Preloads the front's companions if an RPATH leads to the vendor's libraries. Otherwise the library path leads to the
// front's companions.
void preload_companions(placement& result, const examination& program, const std::string& library_path) {
    for (const auto& [name, found] : find_mpis(program, library_path)) {
        const std::string ours = file_of_companion(*program.interface, name);
        if (!ours.empty() && !is_same_file(found, ours))
            preload_as(result, program, name, found, ours);
    }
}

// Preloads placeholders for libraries that the program names but does not use, and that are not installed.
void preload_unused(placement& result, const examination& program, const std::string& library_path) {
    for (const std::string& name : program.file.needed)
        if (const std::string placeholder = file_of_placeholder(name);
            !placeholder.empty() && !find_mpi_soname(name) && find_library(name, library_path).empty())
            preload(result, program, name, placeholder);
}

std::string refuse_companion(const examination& program, const runtime::library& chosen, const std::string& name) {
    return sentence_of("{} needs {}, which {} does not have beside {}, and neither has anympi\nchoose an MPI that has "
                       "it (`anympi list` shows what there is)",
                       program.file.path, name, runtime::describe(chosen).text, chosen.path);
}

// Preloads the tools that were linked with the program: they must also come before preloaded MPI libraries.
void preload_tools(placement& result, const examination& program, const std::string& library_path) {
    const std::vector<std::string> tools = find_linked_tools(program, library_path);
    for (const std::string& tool : tools)
        if (!runtime::can_be_preloaded(tool.c_str()))
            result.refusal = refuse_tool(program, tool);
    result.preloads.insert(result.preloads.begin(), tools.begin(), tools.end());
}

// Returns the chosen library and the library that has its objects (Open MPI 6). The front must come after both.
std::vector<std::string> files_with_objects(const runtime::library& chosen, const std::string& library_path) {
    std::vector<std::string> files = {chosen.path};
    const loaded_files loaded = follow_dependencies(read_binary(chosen.path), library_path);
    for (auto part = loaded.files.begin() + 1; part != loaded.files.end(); ++part)
        if (!is_part_of_mpi(*part) && has_objects(part->file))
            files.push_back(part->file.path);
    return files;
}

// Preloads anympi's libraries for Fortran and C++, which call the chosen library. They come before it, because the
// libraries for C++ define functions for C that must win. The front comes last, for functions that the chosen library
// lacks.
void preload_over_chosen(placement& result, const examination& program, const runtime::library& chosen,
                         const companions& ours, const std::string& library_path) {
    for (const auto& [name, file] : ours.files)
        preload_as(result, program, name, file, file);
    for (const std::string& file : files_with_objects(chosen, library_path))
        preload(result, program, file, file);
    preload(result, program, chosen.path, file_of_front(*program.interface));
}

// Preloads the companions that fit the chosen library. Companions of another installation would load their own library
// for C, or call functions that the chosen library lacks.
void preload_native_companions(placement& result, const examination& program, const runtime::library& chosen,
                               const companions& needed, const std::string& library_path) {
    const auto found = find_mpis(program, library_path);
    switch (needed.from) {
    case companions::source::in_place:
        break;
    case companions::source::chosen:
        for (const auto& [name, file] : needed.files)
            if (const auto place = found.find(name); place == found.end() || !is_same_file(place->second, file))
                preload(result, program, name, file);
        if (!needed.bring_library)
            preload(result, program, chosen.path, chosen.path);
        break;
    case companions::source::ours:
        preload_over_chosen(result, program, chosen, needed, library_path);
        break;
    case companions::source::nowhere:
        for (const auto& [name, file] : needed.files)
            if (file.empty())
                result.refusal = refuse_companion(program, chosen, name);
        break;
    }
}

// Adds the interposers and the front for functions that the program calls and the library lacks. The front comes after
// the library.
void preload_supplement(placement& result, const examination& program, const runtime::library& chosen,
                        const std::vector<companions>& needed, const std::string& library_path) {
    const std::vector<std::string> library = files_with_objects(chosen, library_path);
    std::vector<std::string> files = library;
    bool has_our_companion = false;
    for (const companions& each : needed)
        if (each.from == companions::source::ours)
            has_our_companion = true;
        else
            for (const auto& [name, file] : each.files)
                files.push_back(file);
    std::erase(files, "");
    for (const std::string& file :
         supplement_for(program, library, find_lacking_names(program, files, has_our_companion)))
        if (!runtime::can_be_preloaded(file.c_str()))
            result.refusal = refuse_supplement(program, chosen, file);
        else
            result.supplement.push_back(file);
}

placement place_natively(const examination& program, const runtime::library& chosen, const std::string& library_path) {
    placement result;
    result.is_native = true;
    const auto is_right = [&](const auto& mpi) {
        return is_companion(mpi.first) || is_same_file(mpi.second, chosen.path);
    };
    const auto is_in_place = [](const companions& each) { return each.from == companions::source::in_place; };
    const auto found = find_mpis(program, library_path);
    const std::vector<companions> needed = choose_companions(program, chosen, library_path);
    preload_supplement(result, program, chosen, needed, library_path);
    if (program.older == difference::nothing && std::all_of(found.begin(), found.end(), is_right) &&
        std::all_of(needed.begin(), needed.end(), is_in_place)) {
        preload_unused(result, program, library_path);
        return result;
    }
    result.needs_own_folder = true;
    const std::string path = library_path_for(result, chosen, library_path);
    preload_older(result, program);
    if (program.older != difference::nothing) // the older release's soname may be a link to the library
        preload(result, program, "", chosen.path);
    for (const companions& each : needed)
        preload_native_companions(result, program, chosen, each, path);
    preload_where_needed(result, program, path, chosen.path);
    preload_unused(result, program, path);
    return result;
}

placement put_fronts_at_hand(const runtime::library& chosen, const std::string& library_path) {
    placement result;
    result.needs_fronts = true;
    // The soname of the chosen library must lead to this library, and not to another file of the same name.
    result.needs_own_folder =
        chosen.interface != abi::standard && !is_same_file(find_library(chosen.soname, library_path), chosen.path);
    if (file_of_front(abi::standard).empty())
        result.warning =
            sentence_of("anympi's front is missing beside the command (expected: {}/standard); the program "
                        "finds it only by itself",
                        folder_of_fronts().string());
    return result;
}

placement place_by_front(const examination& program, const runtime::library& chosen, const std::string& library_path) {
    placement result = put_fronts_at_hand(chosen, library_path);
    const std::string front = file_of_front(*program.interface);
    if (front.empty() && *program.interface != abi::standard)
        result.refusal = refuse_vendor_abi(program, chosen);
    if (front.empty())
        return result;
    const std::string path = library_path_for(result, chosen, library_path);
    preload_older(result, program);
    preload_where_needed(result, program, path, front);
    preload_companions(result, program, path);
    preload_unused(result, program, path);
    return result;
}

// Changes nothing for a program into which an MPI is linked: that MPI cannot be replaced.
placement leave_alone(const examination& program, const runtime::library& chosen) {
    placement result;
    if (!program.own_mpi.empty())
        result.warning = sentence_of("{} holds an MPI of its own, linked statically: it runs on that one, started by "
                                     "the launcher of {}",
                                     program.own_mpi, runtime::describe(chosen).text);
    return result;
}

// Nothing is preloaded: the library for integers of 8 bytes must come before the library for C.
placement place_ilp64() {
    placement result;
    result.needs_own_folder = true;
    return result;
}

// Joins two messages. A message that comes twice is said once.
std::string join_messages(const std::string& left, const std::string& right) {
    return left + (left.empty() || right.empty() || left == right ? "" : "\n") + (left == right ? "" : right);
}

// Joins the supplements of two programs. Both lists end with the library and the front. All processes of a job get the
// same interposers, since some interposers call collective operations in MPI_Init.
std::vector<std::string> join_supplements(const std::vector<std::string>& left, const std::vector<std::string>& right) {
    std::vector<std::string> all;
    for (const auto* files : {&left, &right})
        for (const std::string& file : *files)
            if (std::find(right.begin(), right.end(), file) == right.end() || files == &right)
                all.push_back(file);
    return right.empty() ? left : all;
}

bool needs_first_place(const binary& program) {
    return std::any_of(program.needed.begin(), program.needed.end(), is_address_sanitizer);
}

placement place_by_abi(const examination& program, const runtime::library& chosen, const std::string& library_path) {
    if (std::string obstacle = find_obstacle(program, chosen, library_path); !obstacle.empty()) {
        placement result;
        result.refusal = std::move(obstacle);
        return result;
    }
    if (!program.own_mpi.empty() || (program.file.is_static && !program.file.has_front))
        return leave_alone(program, chosen);
    if (has_more_rights(program))
        return {};
    if (program.is_ilp64)
        return place_ilp64();
    if (program.verdict == examination::answer::several) {
        placement result = place_unknown(chosen, library_path);
        result.warning = sentence_of("{}: {}", program.file.path, program.remarks.back());
        return result;
    }
    if (!program.interface)
        return place_unknown(chosen, library_path);
    if (program.is_draft) {
        placement result;
        result.refusal = refuse_draft(program);
        return result;
    }
    return needs_no_front(*program.interface, chosen) ? place_natively(program, chosen, library_path)
                                                      : place_by_front(program, chosen, library_path);
}

} // namespace

placement place(const examination& program, const runtime::library& chosen, const std::string& library_path) {
    placement result = place_by_abi(program, chosen, library_path);
    if (program.interface && !files_before(result).empty())
        preload_tools(result, program, library_path_for(result, chosen, library_path));
    result.bears_preloads = !program.file.is_static && program.own_mpi.empty() && !needs_first_place(program.file);
    return result;
}

placement place_unknown(const runtime::library& chosen, const std::string& library_path) {
    placement result = put_fronts_at_hand(chosen, library_path);
    expect_changed_path(result, chosen, library_path);
    return result;
}

std::vector<std::string> files_before(const placement& placed) {
    const std::vector<std::string>& around = placed.supplement;
    const auto library =
        std::find_first_of(placed.preloads.begin(), placed.preloads.end(), around.begin(), around.end());
    std::vector<std::string> files(placed.preloads.begin(), library);
    files.insert(files.end(), around.begin(), around.end());
    for (auto file = library; file != placed.preloads.end(); ++file)
        if (std::find(files.begin(), files.end(), *file) == files.end())
            files.push_back(*file);
    return files;
}

void expect_changed_path(placement& placed, const runtime::library& chosen, const std::string& library_path) {
    placed.may_change_path = true;
    placed.folders = folders_of_own_libraries(read_binary(chosen.path), library_path);
}

placement join(const placement& left, const placement& right) {
    placement result;
    result.needs_fronts = left.needs_fronts || right.needs_fronts;
    result.needs_own_folder = left.needs_own_folder || right.needs_own_folder;
    result.bears_preloads = left.bears_preloads && right.bears_preloads;
    result.may_change_path = left.may_change_path || right.may_change_path;
    result.folders = left.folders.empty() ? right.folders : left.folders;
    result.preloads = left.preloads;
    result.is_native = left.is_native && right.is_native;
    result.supplement = join_supplements(left.supplement, right.supplement);
    result.warning = join_messages(left.warning, right.warning);
    result.refusal = join_messages(left.refusal, right.refusal);
    const bool is_for_other = !result.supplement.empty() && !result.is_native;
    if (left.preloads != right.preloads || is_for_other)
        result.refusal = join_messages(
            result.refusal,
            sentence_of("the programs of this job need different libraries preloaded ({}; {}), and a launcher preloads "
                        "the same for all\nwrite copies that need none: `anympi adopt PROGRAM -o COPY`",
                        join_list(files_before(left)), join_list(files_before(right))));
    return result;
}

std::string library_path_for(const placement& placed, const runtime::library& chosen, const std::string& library_path) {
    std::vector<std::string> folders;
    for (const abi interface : all_abis)
        if (placed.needs_fronts && !needs_no_front(interface, chosen))
            folders.push_back(folder_of_front(interface));
    if (placed.needs_fronts)
        folders.push_back(folder_of_aliases(chosen.soname));
    if (placed.needs_own_folder)
        folders.push_back(std::filesystem::path(chosen.path).parent_path());
    for (const std::string& folder : placed.folders)
        if (std::find(folders.begin(), folders.end(), folder) == folders.end())
            folders.push_back(folder);
    folders.push_back(library_path);
    std::erase(folders, "");
    return join_list(folders, ":");
}

} // namespace anympi::command
