#include "command/cli/own_files.hpp"

#include "command/cli/files.hpp"
#include "command/inspect/mpi_names.hpp"
#include "runtime/find/sonames.hpp"
#include "runtime/open/linker_variables.hpp"

namespace anympi::command {

namespace fs = std::filesystem;

namespace {

std::string file_to_preload(const char* name) {
    const std::string file = folder_of_fronts() / name;
    return is_readable(file) && runtime::can_be_preloaded(file.c_str()) ? file : "";
}

} // namespace

fs::path folder_of_fronts() {
    return (real_path("/proc/self/exe").parent_path() / ANYMPI_FRONTS).lexically_normal();
}

std::string folder_of_front(abi interface) {
    const fs::path folder = folder_of_fronts() / name_of(interface);
    return is_folder(folder) ? folder.string() : "";
}

std::string file_of_front(abi interface) {
    const fs::path file = folder_of_fronts() / name_of(interface) / runtime::soname_of(interface);
    return is_readable(file) ? file.string() : "";
}

std::string file_of_companion(abi interface, const std::string& name) {
    const std::string original = soname_without_hash(name);
    const fs::path file =
        fs::path(folder_of_front(interface)) / (original.empty() ? fs::path(name).filename() : fs::path(original));
    return is_companion(name) && is_readable(file) ? file.string() : "";
}

std::string file_of_interposer(abi interface, const std::string& name) {
    const fs::path file = folder_of_fronts() / "interposers" / name_of(interface) / (name + ".so");
    return is_readable(file) ? file.string() : "";
}

std::string file_of_older(abi interface, difference older) {
    const older_release* const release = find_older_release(interface, older);
    if (release == nullptr)
        return "";
    const fs::path file = folder_of_fronts() / "older" / release->soname;
    return is_readable(file) ? file.string() : "";
}

std::string file_of_placeholder(const std::string& soname) {
    const fs::path file = folder_of_fronts() / "placeholders" / soname;
    return is_readable(file) ? file.string() : "";
}

std::string folder_of_aliases(const std::string& soname) {
    const fs::path folder = folder_of_fronts() / "aliases" / soname;
    return is_folder(folder) ? folder.string() : "";
}

std::string file_of_path_keeper() {
    return file_to_preload("keep_path.so");
}

std::string file_of_starter() {
    const fs::path file = folder_of_fronts() / "start_program";
    return is_executable(file) ? file.string() : "";
}

std::string file_of_library_check() {
    return file_to_preload("check_library.so");
}

} // namespace anympi::command
