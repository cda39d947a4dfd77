#include "front/vendors/supplement.hpp"

#include "front/common/bind_pair.hpp"
#include "native_calls.hpp" // generated
#include "runtime/identify/symbols_of_file.hpp"
#include "runtime/open/interposer_link.hpp"
#include "runtime/open/linker_variables.hpp"

#include <cstdio>
#include <cstring>
#include <iterator>
#include <strings.h>

namespace anympi {

namespace {

using native = pair<app, app>;

unsigned interposers_at_hand = 0;

unsigned bit_of_interposer(const char* name) {
    unsigned bit = 1;
    for (const char* const known : interposer_names) {
        if (std::strcmp(known, name) == 0)
            return bit;
        bit <<= 1;
    }
    return 0;
}

// Returns true if an override must not be installed: none of its interposers is loaded. The program would call the
// library's function directly, and the override would miss these calls.
bool leaves_out(int number) {
    return (interposers_of_override[number] & interposers_at_hand) == 0;
}

// Returns the library's predefined handle. The linker may have put the data object of the handle into the program.
template <class Abi>
word handle_in_process(const runtime::opened& from, const predefined_handle<predefined_value<Abi>>& handle) {
    if constexpr (Abi::handles == handle_style::addresses)
        return handle.value != nullptr && lookup(from, handle.value) != nullptr
                   ? reinterpret_cast<word>(find_data_object(handle.value))
                   : Abi::absent_handle;
    else
        return runtime_handle<Abi>(from, handle);
}

// Binds the front's data objects for predefined handles that the library lacks.
template <class Abi>
void bind_own_objects(const runtime::opened& from) {
    if constexpr (Abi::handles == handle_style::addresses)
        for (const auto& handle : predefined_handles<Abi>)
            if (handle.id == standard::mpi_SESSION_NULL || handle.id == standard::mpi_ERRORS_ABORT)
                if (lookup(from, handle.value) == nullptr)
                    predefined_to_run<Abi>[handle.id] = reinterpret_cast<word>(find_data_object(handle.value));
}

template <class Abi>
bool index_objects(const runtime::opened& from) {
    if constexpr (Abi::handles == handle_style::addresses) {
        const auto is_copied = [&](const auto& handle) {
            return lookup(from, handle.value) != reinterpret_cast<void*>(predefined_to_run<Abi>[handle.id]);
        };
        return index_addresses<Abi>(address_ids<Abi>, [&](const auto& handle) { return !is_copied(handle); }) &&
               index_addresses<Abi>(copied_address_ids<Abi>, is_copied);
    }
    return true;
}

bool bind_native_handles(const runtime::opened& from, bool emulates) {
    for (const auto& handle : predefined_handles<app>)
        predefined_to_run<app>[handle.id] = handle_in_process<app>(from, handle);
    if (!index_objects<app>(from))
        return false;
    refuse_absent_types<app>();
    if (emulates)
        emulate::bind_missing_handles<app>();
    bind_own_objects<app>(from);
    for (const auto& handle : predefined_handles<app>)
        predefined_to_app<app>[handle.id] = predefined_to_run<app>[handle.id];
    return true;
}

// --- the interposers that a process needs ---

// Finds the function for a name of C or Fortran: MPI_Allreduce_init, PMPI_Allreduce_init, MPIX_Allreduce_init,
// mpi_allreduce_init_f08_. Returns -1 if the name does not belong to MPI.
int find_function(const char* name) {
    for (int i = 0; i < older_name_count; ++i)
        if (std::strcmp(older_names[i].symbol, name) == 0 || std::strcmp(older_names[i].symbol + 1, name) == 0)
            return static_cast<int>(older_names[i].of);
    name += *name == 'P' || *name == 'p' ? 1 : 0;
    if (strncasecmp(name, "MPI_", 4) != 0)
        return -1;
    int found = -1;
    std::size_t longest = 0;
    const char* known = function_names;
    for (int i = 0; i < function_count; ++i) {
        const std::size_t length = std::strlen(known);
        const bool is_behind_name =
            strncasecmp(name + 4, known, length) == 0 && (name[4 + length] == '\0' || name[4 + length] == '_');
        if (is_behind_name && length > longest) {
            longest = length;
            found = i;
        }
        known += length + 1;
    }
    return found;
}

bool lacks(const runtime::symbols_of_file& library, int of) {
    char symbol[64];
    std::snprintf(symbol, sizeof symbol, "PMPI_%s", name_of(static_cast<function>(of)));
    return !library.define(symbol);
}

bool is_in_folder(const char* file, const char* folder) {
    const std::size_t length = std::strlen(folder);
    return length != 0 && std::strncmp(file, folder, length) == 0;
}

unsigned needed_by(const runtime::image& part, const runtime::symbols_of_file& library) {
    unsigned needed = 0;
    for (const Elf64_Sym& symbol : part.imports()) {
        if (symbol.st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_WEAK)
            continue;
        const int of = find_function(part.name(symbol));
        if (of >= 0 && interposers_of_function[of] != 0 && lacks(library, of))
            needed |= interposers_of_function[of];
    }
    for (const interposing_object& object : interposing_objects)
        if (!library.define(object.name) && part.mentions(object.name))
            needed |= object.mask;
    return needed;
}

// Returns the interposers that the objects of this process need, as bits in the order of `interposer_names`.
unsigned find_needed_interposers(const char* library, const char* own_folder) {
    const runtime::symbols_of_file symbols(library);
    unsigned needed = 0;
    runtime::for_each_object([&](const dl_phdr_info& object) {
        if (!is_in_folder(object.dlpi_name, own_folder)) // anympi's libraries for Fortran refer to all functions
            needed |= needed_by(runtime::image_of(object), symbols);
    });
    return needed;
}

bool can_be_called(int of, void* const* found) {
    const short needs = needed_functions[of];
    if (needs < 0)
        return true;
    const bool is_built = emulate::emulation_of(needs) != nullptr && emulate::emulation_of(needs) == found[needs];
    const unsigned wanted = interposers_of_function[needs];
    return found[needs] != nullptr && (!is_built || (wanted & ~interposers_at_hand) == 0);
}

} // namespace

unsigned loaded_interposers() {
    unsigned found = 0;
    runtime::for_each_object([&](const dl_phdr_info& object) {
        if (const char* const name = runtime::name_of_interposer(runtime::image_of(object)))
            found |= bit_of_interposer(name);
    });
    constexpr unsigned all = (1U << std::size(interposer_names)) - 1;
    return (found & bit_of_interposer("all")) != 0 ? all : found;
}

path_text interposers_for(const char* library) {
    path_text folder;
    folder.append("%s", runtime::own_file());
    if (char* const slash = std::strrchr(folder.text, '/'))
        slash[1] = '\0';
    unsigned needed = find_needed_interposers(library, folder.text);
    const auto* const parent = static_cast<const char*>(memrchr(folder.text, '/', std::strlen(folder.text) - 1));
    path_text files;
    for (const char* const name : interposer_names) {
        if ((needed & 1) != 0)
            files.append("%.*s/interposers%s%s.so:", parent != nullptr ? static_cast<int>(parent - folder.text) : 0,
                         folder.text, parent != nullptr ? parent : "", name);
        needed >>= 1;
    }
    return files.cut || !runtime::can_be_preloaded(folder.text) ? path_text{} : files;
}

bool bind_supplement(const runtime::opened& from, void** targets) {
    const bool emulates = !runtime::is_off("ANYMPI_EMULATE");
    interposers_at_hand = loaded_interposers();
    emulate::is_left_out = leaves_out;
    bind_functions<app>(from, emulates);
    if (!bind_native_handles(from, emulates))
        return false;
    bind_attribute_functions<app>(from);
    void* const* const found = bound_functions<app>();
    for (int i = 0; i < function_count; ++i)
        targets[i] = can_be_called(i, found) ? native_calls<native>[i] : missing_functions[i];
    return true;
}

} // namespace anympi

extern "C" [[gnu::visibility("default")]] const char* anympi_list_interposers_1(const char* library) {
    static anympi::path_text files;
    files = anympi::interposers_for(library);
    return files.text;
}
