#include "command/placement.hpp"

#include "command/examination.hpp"
#include "command/files.hpp"
#include "command/mpi_names.hpp"
#include "runtime/environment.hpp"
#include "runtime/identify.hpp"

#include <fmt/format.h>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;

std::string before_library_path(const std::string& folder) {
    const char* rest = runtime::setting("LD_LIBRARY_PATH");
    return rest && !folder.empty() ? folder + ":" + rest : folder;
}

placement with_front() {
    placement result;
    const std::string folder = folder_of_front(abi::standard);
    result.library_path = before_library_path(folder);
    if (folder.empty())
        result.warning =
            fmt::format("anympi's front is missing beside the command (expected: {}/standard); the program "
                        "finds it only by itself",
                        folder_of_fronts().string());
    return result;
}

const char* product_of(abi interface) {
    switch (interface) {
    case abi::standard:
        return "the standard ABI";
    case abi::mpich:
        return "MPICH's ABI";
    case abi::openmpi:
        return "Open MPI's ABI";
    }
    return "";
}

std::string refuse_vendor_abi(const examination& program, const runtime::library& chosen) {
    return fmt::format(
        "{} was built for {}, and the MPI chosen is {}\n"
        "anympi cannot put its own library in that place yet: choose an MPI of the program's ABI (`anympi "
        "run --mpi {}`; `anympi list` shows what there is), or build the program with anympi's mpicc",
        program.file.path, product_of(*program.interface), runtime::describe(chosen).text, name_of(*program.interface));
}

std::string refuse_draft(const examination& program) {
    return fmt::format("{} was built for a draft of the standard ABI ({}): some constants have other values there, and "
                       "it would compute rubbish without an error\nbuild it again, with anympi's mpicc",
                       program.file.path, program.mpis.empty() ? "libmpi_abi" : program.mpis.begin()->first);
}

// A program of the chosen MPI's own ABI: the dynamic linker must come to the chosen file.
placement with_own_library(const examination& program, const runtime::library& chosen) {
    placement result;
    const auto needed = program.mpis.find(chosen.soname);
    if (needed == program.mpis.end()) {
        result.refusal =
            fmt::format("{} needs {}, and the MPI chosen has the same ABI under the name {}\n"
                        "choose one that has that name: `anympi list` shows what there is",
                        program.file.path,
                        program.mpis.empty() ? "no MPI library by name" : program.mpis.begin()->first, chosen.soname);
        return result;
    }
    if (real_path(needed->second) == real_path(chosen.path))
        return result;
    result.library_path = before_library_path(fs::path(chosen.path).parent_path());
    const std::string found = find_needed(program.file, chosen.soname, result.library_path);
    if (real_path(found) != real_path(chosen.path))
        result.refusal =
            fmt::format("{} has its MPI built in by RPATH, which comes before the library path: it would run "
                        "on {} and not on {}\nchoose that one, or link the program with RUNPATH "
                        "(-Wl,--enable-new-dtags)",
                        program.file.path, found, chosen.path);
    return result;
}

// An RPATH comes before every library path, and may lead to a libmpi_abi.so.1 with the values of a draft.
std::string refuse_rpath_to_draft(const examination& program, const std::string& library_path) {
    for (const auto& [soname, file] : program.mpis) {
        const std::string found = find_needed(program.file, soname, library_path);
        runtime::library mpi;
        if (runtime::identify(found.c_str(), mpi) == runtime::identification::mpi && runtime::is_draft(mpi))
            return fmt::format(
                "{} leads by RPATH to {}, which has the values of a draft of the standard ABI: it would "
                "compute rubbish without an error\nremove the RPATH (`patchelf --remove-rpath`), or link "
                "the program again, with anympi's mpicc",
                program.file.path, found);
    }
    return "";
}

// A program of another vendor: our front has the name of its library, so the folder of the front must come first.
placement with_vendor_front(const examination& program, const runtime::library& chosen) {
    placement result;
    const std::string folder = folder_of_front(*program.interface);
    if (folder.empty()) {
        result.refusal = refuse_vendor_abi(program, chosen);
        return result;
    }
    result.library_path = before_library_path(folder);
    for (const auto& [soname, file] : program.mpis) {
        const std::string found = find_needed(program.file, soname, result.library_path);
        if (fs::path(found).parent_path() != folder)
            result.refusal =
                fmt::format("{} needs {}, which is {} by RPATH or not in {}: it would not run on the MPI chosen\n"
                            "remove the RPATH (`patchelf --remove-rpath`)",
                            program.file.path, soname, found.empty() ? "not found" : found, folder);
    }
    return result;
}

placement with_front_for(const examination& program) {
    placement result = with_front();
    result.refusal = program.is_draft ? refuse_draft(program) : refuse_rpath_to_draft(program, result.library_path);
    return result;
}

} // namespace

fs::path folder_of_fronts() {
    return (real_path("/proc/self/exe").parent_path() / ANYMPI_FRONTS).lexically_normal();
}

std::string folder_of_front(abi interface) {
    const fs::path folder = folder_of_fronts() / name_of(interface);
    return is_folder(folder) ? folder.string() : "";
}

placement place(const std::string& program, const runtime::library& chosen) {
    if (program.empty())
        return with_front();
    const examination known = examine(program);
    if (known.verdict == examination::answer::several) {
        placement result = with_front();
        result.warning = fmt::format("{}: {}", known.file.path, known.remarks.back());
        return result;
    }
    if (!known.interface || *known.interface == abi::standard)
        return with_front_for(known);
    if (*known.interface == chosen.interface)
        return with_own_library(known, chosen);
    return with_vendor_front(known, chosen);
}

} // namespace anympi::command
