// The part of keep_path.so for programs that open MPI themselves.
//
// A program that opens MPI by its soname (`libmpi.so.40`) gets the library that is first on the library path, which is
// the chosen one. A program that opens the name that compilers use (`libmpi.so`, as Julia and scripts with ctypes do),
// or a path, would get another MPI, and each process would be a separate job. So dlopen is replaced: if the requested
// file has the name of one of the libraries in the first folders of the path, apart from the rest of the version
// number, that library is opened. A name without a number is resolved on the path as it would be without anympi.
//
// A module for Open MPI 1.10 needs libmpi.so.12, which is also the soname of MPICH's library. Before the module is
// opened, a library of that soname is opened that leads to Open MPI's library, or to the front for its programs.

#include "preload/needed_mpi.hpp"
#include "preload/openmpi_1_10.hpp"

#include "base/text.hpp"
#include "runtime/open/linker_variables.hpp"
#include "runtime/open/restart.hpp"

#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace anympi {
namespace {

using opener = void*(const char* name, int mode);
using stack_path = bounded_text<PATH_MAX>; // not path_text, because path_text calls malloc

const char* read_variable(const char* name) {
    const char* const value = runtime::find_variable(__environ, name);
    return value != nullptr ? value : "";
}

const char* last_part(const char* name) {
    const char* const slash = std::strrchr(name, '/');
    return slash != nullptr ? slash + 1 : name;
}

bool may_be_mpi(const char* name) {
    return name != nullptr && std::strncmp(last_part(name), "libmpi", 6) == 0;
}

bool is_in(const char* folder, std::size_t length, const char* name, stack_path& found) {
    found = {};
    found.append("%.*s/%s", static_cast<int>(length), folder, name);
    return !found.cut && access(found.text, R_OK) == 0;
}

// Returns the folders that `anympi run` put first on the library path.
const char* first_folders() {
    return read_variable(runtime::first_variable);
}

const char* next_folder(const char* folders) {
    folders += strcspn(folders, ":");
    return folders + (*folders == ':' ? 1 : 0);
}

bool is_first_on_path(const char* name, stack_path& found) {
    for (const char* folder = first_folders(); *folder != '\0'; folder = next_folder(folder))
        if (is_in(folder, strcspn(folder, ":"), name, found))
            return true;
    return false;
}

bool is_first_folder(const char* name) {
    for (const char* folder = first_folders(); *folder != '\0'; folder = next_folder(folder))
        if (std::strlen(name) == strcspn(folder, ":") && std::strncmp(name, folder, std::strlen(name)) == 0)
            return true;
    return false;
}

bool is_in_other_folder(const Dl_serinfo& folders, const char* name, stack_path& found) {
    for (unsigned i = 0; i < folders.dls_cnt; i++) {
        const char* const folder = folders.dls_serpath[i].dls_name;
        if (!is_first_folder(folder) && is_in(folder, std::strlen(folder), name, found))
            return true;
    }
    return false;
}

// Finds the file that the dynamic linker would open for this caller without anympi, apart from the linker's cache.
bool is_on_path_of(void* caller, const char* name, stack_path& found) {
    Dl_info object;
    link_map* handle = nullptr;
    Dl_serinfo head;
    if (dladdr1(caller, &object, reinterpret_cast<void**>(&handle), RTLD_DL_LINKMAP) == 0 ||
        dlinfo(handle, RTLD_DI_SERINFOSIZE, &head) != 0)
        return false;
    auto* const folders = static_cast<Dl_serinfo*>(runtime::map_memory(head.dls_size));
    if (folders == nullptr)
        return false;
    const bool is_found = dlinfo(handle, RTLD_DI_SERINFOSIZE, folders) == 0 &&
                          dlinfo(handle, RTLD_DI_SERINFO, folders) == 0 && is_in_other_folder(*folders, name, found);
    munmap(folders, head.dls_size);
    return is_found;
}

// The soname of `libmpi.so.40.30.4`, to which the other names of the file lead, is `libmpi.so.40`.
bool find_soname(const char* file, stack_path& name) {
    char real[PATH_MAX];
    if (realpath(file, real) == nullptr)
        return false;
    name = {};
    name.append("%s", last_part(real));
    char* const number = std::strstr(name.text, ".so.");
    if (number != nullptr)
        number[4 + strspn(number + 4, "0123456789")] = '\0';
    return number != nullptr;
}

bool is_chosen(const char* file) {
    char left[PATH_MAX], right[PATH_MAX];
    return realpath(read_variable("ANYMPI_MPI"), left) != nullptr && realpath(file, right) != nullptr &&
           std::strcmp(left, right) == 0;
}

// Finds the file that is opened for this name. Returns false if the dynamic linker must decide.
bool is_replaced(const char* name, void* caller, stack_path& ours) {
    stack_path file, soname;
    if (std::strchr(name, '/') != nullptr)
        file.append("%s", name);
    else if (std::strstr(name, ".so.") != nullptr || !is_on_path_of(caller, name, file))
        return false;
    if (is_chosen(file.text)) {
        ours = file;
        return true;
    }
    return find_soname(file.text, soname) && is_first_on_path(soname.text, ours);
}

// A separate function, so that dlopen has nothing on the stack and can jump.
[[gnu::noinline]] void* open_ours(const char* name, int mode, void* caller, opener* next) {
    stack_path ours;
    return is_replaced(name, caller, ours) ? next(ours.text, mode) : nullptr;
}

// A module may lead to another MPI by its RPATH or RUNPATH. The dynamic linker does not search for a library that is
// already open under the name that the module needs, so the chosen library is opened first. Libraries on the path would
// come before a RUNPATH, but the chosen library may be in the system's library folder, which is not put on the path.
[[gnu::noinline]] void open_what_module_needs(const char* module, opener* next) {
    const char* const chosen = read_variable("ANYMPI_MPI");
    stack_path name_of_chosen;
    if (!find_soname(chosen, name_of_chosen))
        return;
    for_each_needed_mpi(module, [&](std::string_view name) {
        stack_path wanted, found;
        wanted.append("%.*s", static_cast<int>(name.size()), name.data());
        const bool is_ours = is_first_on_path(wanted.text, found);
        const char* const file = is_ours ? wanted.text : chosen; // the front has several sonames
        if ((is_ours || name == name_of_chosen.text) && next(file, RTLD_LAZY) == nullptr)
            dlerror(); // the dynamic linker reports what the module lacks
    });
}

// Opens an alias for a module of Open MPI 1.10. The library stays open for further modules that need it.
[[gnu::noinline]] void open_names_of_openmpi_1_10(opener* next) {
    stack_path found;
    if (is_first_on_path("1.10/libmpi.so.12", found) && next(found.text, RTLD_LAZY) == nullptr)
        dlerror(); // the dynamic linker reports what the module lacks
}

[[gnu::noinline]] void open_before_module(const char* module, opener* next) {
    if (is_of_openmpi_1_10(module))
        open_names_of_openmpi_1_10(next);
    else
        open_what_module_needs(module, next);
}

} // namespace
} // namespace anympi

// Other names are passed on by a jump, so that the C library sees the address of the caller, whose RUNPATH applies to a
// name without a folder. The compiler makes a jump only if it optimises, so every build optimises this file.
extern "C" [[gnu::visibility("default")]] void* dlopen(const char* name, int mode) noexcept {
    auto* const next = reinterpret_cast<anympi::opener*>(dlsym(RTLD_NEXT, "dlopen"));
    void* const ours =
        anympi::may_be_mpi(name) ? anympi::open_ours(name, mode, __builtin_return_address(0), next) : nullptr;
    if (ours != nullptr)
        return ours;
    const bool loads = (mode & RTLD_NOLOAD) == 0; // otherwise the caller asks whether the module is open
    if (loads && name != nullptr && std::strchr(name, '/') != nullptr)
        anympi::open_before_module(name, next);
    return next(name, mode);
}
