#include "preload/lacking_functions.hpp"

#include "runtime/find/trust.hpp"
#include "runtime/identify/symbols_of_file.hpp"
#include "runtime/open/dynamic_linker.hpp"
#include "runtime/open/image.hpp"
#include "runtime/open/interposer_link.hpp"

#include <dlfcn.h>
#include <strings.h>
#include <sys/stat.h>

namespace anympi {
namespace {

using runtime::for_each_object;
using runtime::image;
using runtime::symbols_of_file;

// Returns true for names like MPI_Send, PMPI_Send, MPIX_Comm_agree, and names of Fortran.
bool may_be_function_of_mpi(const char* name) {
    return strncasecmp(*name == 'P' || *name == 'p' ? name + 1 : name, "mpi", 3) == 0;
}

bool is_in_process(const char* name) {
    const runtime::symbol_name wanted(name);
    bool found = false;
    for_each_object(
        [&](const dl_phdr_info& object) { found = found || runtime::image_of(object).find(wanted) != nullptr; });
    return found;
}

// Returns true if `question` returns true for a function that an object calls and no object defines.
template <class Question>
bool any_undefined(Question question) {
    bool found = false;
    for_each_object([&](const dl_phdr_info& object) {
        const image part = runtime::image_of(object);
        for (const Elf64_Sym& symbol : part.imports()) {
            const char* const name = part.name(symbol);
            found = found || (symbol.st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_WEAK &&
                              may_be_function_of_mpi(name) && !is_in_process(name) && question(name));
        }
    });
    return found;
}

} // namespace

bool calls_undefined_function() {
    return any_undefined([](const char*) { return true; });
}

bool calls_function_of(const char* front) {
    const symbols_of_file symbols(front);
    return any_undefined([&](const char* name) { return symbols.define(name); });
}

// Opens the front with dlmopen, because keep_path.so replaces dlopen by a function that redirects names of MPI
// libraries to the chosen one.
const char* ask_for_interposers(const char* front, const char* chosen) {
    using opener = void*(Lmid_t space, const char* name, int mode);
    auto* const open = reinterpret_cast<opener*>(runtime::find_loaded("dlmopen"));
    if (open == nullptr || open(LM_ID_BASE, front, RTLD_LAZY | RTLD_LOCAL) == nullptr)
        return nullptr;
    void* const list = runtime::find_loaded(runtime::name_of_list_interposers);
    return list != nullptr ? reinterpret_cast<runtime::list_interposers*>(list)(chosen) : nullptr;
}

void for_each_file_with_objects(const char* front, const char* chosen, function_ref<void(const char* file)> visit) {
    const symbols_of_file symbols(front);
    struct stat known = {};
    if (!runtime::ask_status(chosen, known))
        return;
    for_each_object([&](const dl_phdr_info& object) {
        const image part = runtime::image_of(object);
        bool has_objects = false;
        for (const Elf64_Sym& symbol : part.definitions())
            has_objects = has_objects || (symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT &&
                                          symbols.define(part.name(symbol)));
        if (has_objects && *object.dlpi_name != '\0' && !runtime::is_front(object) &&
            !runtime::is_same_file(known, object.dlpi_name))
            visit(object.dlpi_name);
    });
}

} // namespace anympi
