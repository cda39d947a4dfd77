// check_library.so needs this library, so it is in every process of a job with `anympi run`.
//
// A program that a script starts may use functions or data objects that the chosen MPI library lacks and the front has.
// Some names must be found at the start: all names of a program linked with -z now, data objects, and functions whose
// address is taken. If such a name is missing, the dynamic linker ends the process with a message before any
// constructor runs. So this library checks the process earlier: the dynamic linker calls the resolver of an indirect
// function while it binds the references of the object that contains this function. The dynamic linker binds the
// program last, and binds this library before all libraries that the program itself needs. If a name is missing, the
// process is started again with the front after the chosen library. check_library.so then checks that process like any
// other.
//
// At that time the C library is bound and not yet initialised: it has no environment and no locale. If another object
// replaces functions of the C library (AddressSanitizer, an allocator), that object may not be bound yet. Such
// processes are not checked here.

#include "preload/before_binding.hpp"

#include "runtime/find/sonames.hpp"
#include "runtime/find/trust.hpp"
#include "runtime/identify/symbols_of_file.hpp"
#include "runtime/open/image.hpp"
#include "runtime/open/linker_variables.hpp"
#include "runtime/open/restore_variables.hpp"

#include <climits>
#include <cstring>
#include <initializer_list>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" void* __libc_stack_end; // NOLINT(bugprone-reserved-identifier): the dynamic linker's

// Intel MPI exports functions of these names for its own memory. The definitions here are used by this library only.
// NOLINTBEGIN(readability-redundant-declaration)
extern "C" [[gnu::visibility("hidden")]] void* mmap(void* place, std::size_t size, int rights, int kind, int file,
                                                    off_t offset) noexcept {
    return reinterpret_cast<void*>(syscall(SYS_mmap, place, size, rights, kind, file, offset));
}
extern "C" [[gnu::visibility("hidden")]] int munmap(void* place, std::size_t size) noexcept {
    return static_cast<int>(syscall(SYS_munmap, place, size));
}
// NOLINTEND(readability-redundant-declaration)

namespace anympi {
namespace {

using runtime::image;
using runtime::symbol_name;

bool has_looked = false;

// Visits the dynamic linker's own list of objects. No other thread can change the list yet.
template <class Visitor>
void for_each_listed(Visitor visit) {
    for (const link_map* object = _r_debug.r_map; object != nullptr; object = object->l_next)
        if (object->l_ld != nullptr)
            visit(*object, image(*object));
}

bool is_of_c_library(const char* soname) {
    for (const char* const start : {"libc.so.", "ld-linux", "ld64.so.", "libdl.so.", "libpthread.so."}) {
        std::size_t length = 0;
        while (start[length] != '\0' && start[length] == soname[length])
            ++length;
        if (start[length] == '\0')
            return true;
    }
    return false;
}

bool is_first_in_c_library(const symbol_name& name) {
    bool is_found = false;
    bool is_right = false;
    for_each_listed([&](const link_map&, const image& object) {
        if (is_found || !object.has(name))
            return;
        is_found = true;
        is_right = is_of_c_library(object.soname());
    });
    return is_right;
}

// Returns true if every function that this library calls is bound and works without initialisation.
bool can_call_c_library() {
    const image own = runtime::own_image();
    bool is_right = true;
    for (const Elf64_Sym& symbol : own.imports())
        if (symbol.st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL)
            is_right = is_right && is_first_in_c_library(symbol_name(own.name(symbol)));
    return is_right;
}

// Returns true for names like MPI_Send, PMPI_Send, mpi_send_, ompi_mpi_comm_world, __mpi_f08_types_MOD_mpi_comm_eq.
bool may_be_of_mpi(const char* name) {
    const auto has = [&](std::size_t at, char letter) { return (name[at] | 0x20) == letter; };
    while (*name == '_')
        ++name;
    if (has(0, 'p') || has(0, 'o'))
        ++name;
    return has(0, 'm') && has(1, 'p') && has(2, 'i');
}

// Returns true if an object of the process defines the name. For a data object that `user` copies, `counts_user` must
// be false, because the definition in `user` is the copy.
bool is_in_process(const char* name, const image& user, bool counts_user) {
    const symbol_name wanted(name);
    bool found = false;
    for_each_listed([&](const link_map&, const image& object) {
        found = found || ((counts_user || object.dynamic() != user.dynamic()) && object.has(wanted));
    });
    return found;
}

// Visits each name of MPI that an object needs and no object defines. Weak references do not count.
template <class Visitor>
void for_each_missing_name(Visitor visit) {
    for_each_listed([&](const link_map&, const image& part) {
        const auto judge = [&](const Elf64_Sym& symbol, bool counts_user) {
            const char* const name = part.name(symbol);
            if (may_be_of_mpi(name) && !is_in_process(name, part, counts_user))
                visit(name);
        };
        for (const Elf64_Sym& symbol : part.imports())
            if (symbol.st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL)
                judge(symbol, true);
        for (const Elf64_Rela& reference : part.references())
            if (runtime::is_copy(reference))
                judge(part.symbol(ELF64_R_SYM(reference.r_info)), false);
    });
}

bool is_any_name_missing() {
    bool found = false;
    for_each_missing_name([&](const char*) { found = true; });
    return found;
}

// A text in mapped memory, because neither malloc nor printf may be called.
class mapped_text {
public:
    static constexpr std::size_t most = std::size_t{1} << 17;

    explicit mapped_text(std::initializer_list<std::string_view> parts = {}) {
        for (const std::string_view part : parts)
            add(part);
    }
    void add(std::string_view part) {
        is_cut_ = is_cut_ || text_ == nullptr || part.size() >= most - length_;
        if (!is_cut_)
            std::memcpy(text_ + length_, part.data(), part.size());
        length_ += is_cut_ ? 0 : part.size();
    }
    // Adds an entry to a list such as LD_PRELOAD.
    void add_entry(std::string_view entry) {
        add(":");
        add(entry);
    }
    void clear() { length_ = 0; }
    bool is_empty() const { return length_ == 0; }
    bool is_whole() const { return !is_cut_; }
    const char* text() const { return text_ != nullptr ? text_ : ""; }
    // Removes the last slash of a path and the text after it.
    void cut_last_part() {
        char* const slash = length_ != 0 ? std::strrchr(text_, '/') : nullptr;
        if (slash == nullptr)
            return;
        *slash = '\0';
        length_ = static_cast<std::size_t>(slash - text_);
    }

private:
    char* text_ = static_cast<char*>(runtime::map_memory(most));
    std::size_t length_ = 0;
    bool is_cut_ = false;
};

// Returns a file of this installation of anympi, in the folder for programs of an ABI.
mapped_text own_file_for(abi interface, std::string_view soname) {
    mapped_text file({runtime::own_file()});
    file.cut_last_part();
    for (const std::string_view part :
         {std::string_view("/"), std::string_view(name_of(interface)), std::string_view("/"), soname})
        file.add(part);
    return file;
}

bool has_missing_name(const char* file) {
    const runtime::symbols_of_file names(file);
    bool is_any = false;
    for_each_missing_name([&](const char* name) { is_any = is_any || names.define(name); });
    return is_any;
}

// Returns the ABI of the chosen library. The data objects of Open MPI are in its library or in a library that it needs.
abi abi_in_process() {
    bool is_of_openmpi = false;
    bool is_standard = false;
    for_each_listed([&](const link_map&, const image& object) {
        is_of_openmpi = is_of_openmpi || object.has(symbol_name("ompi_mpi_comm_world"));
        is_standard = is_standard || std::strcmp(object.soname(), runtime::soname_of(abi::standard)) == 0;
    });
    if (is_of_openmpi)
        return abi::openmpi;
    return is_standard ? abi::standard : abi::mpich;
}

bool is_chosen_in_process(const struct stat& chosen) {
    bool found = false;
    for_each_listed([&](const link_map& object, const image&) {
        found = found || (*object.l_name != '\0' && runtime::is_same_file(chosen, object.l_name));
    });
    return found;
}

bool may_be_companion(std::string_view soname) {
    return soname.starts_with("libmpi");
}

// Open MPI 6 has its data objects in a library that libmpi.so.40 needs. This library must come before the front.
void add_files_with_objects(mapped_text& files, const mapped_text& front, const struct stat& chosen) {
    const runtime::symbols_of_file symbols(front.text());
    for_each_listed([&](const link_map& object, const image& part) {
        if (*object.l_name == '\0' || may_be_companion(part.soname()) || runtime::is_same_file(chosen, object.l_name))
            return;
        bool has_objects = false;
        for (const Elf64_Sym& symbol : part.definitions())
            has_objects = has_objects || (symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT &&
                                          symbols.define(part.name(symbol)));
        if (has_objects)
            files.add_entry(object.l_name);
    });
}

// Returns anympi's library for Fortran or C++ that has a soname. The text is cut if there is no such library. The front
// is not one: it has several sonames.
mapped_text own_companion(abi interface, std::string_view soname) {
    mapped_text file = may_be_companion(soname) ? own_file_for(interface, soname) : mapped_text();
    const mapped_text front = own_file_for(interface, runtime::soname_of(interface));
    struct stat status = {};
    if (!file.is_whole() || !runtime::ask_status(file.text(), status) || runtime::is_same_file(status, front.text()))
        file.clear();
    return file;
}

// Adds a library of anympi and the libraries of anympi that it needs. On the library path other libraries may have the
// same names.
void add_companion(mapped_text& files, abi interface, const mapped_text& ours) {
    files.add_entry(ours.text());
    const runtime::mapped_file mapped(ours.text());
    runtime::elf_file elf;
    runtime::elf_file::read(mapped.bytes(), elf);
    elf.any_needed([&](std::string_view name) {
        if (const mapped_text needed = own_companion(interface, name); !needed.is_empty())
            files.add_entry(needed.text());
        return false;
    });
}

// Adds anympi's libraries for Fortran and C++ instead of the libraries in the process, if the program needs their
// names.
void add_companions(mapped_text& files, abi interface) {
    for_each_listed([&](const link_map&, const image& part) {
        if (const mapped_text ours = own_companion(interface, part.soname());
            !ours.is_empty() && has_missing_name(ours.text()))
            add_companion(files, interface, ours);
    });
}

void start_with(const mapped_text& files, char* const* environment) {
    const char* const present = runtime::find_variable(environment, runtime::preload_variable);
    runtime::changes different;
    if (!runtime::are_kept_for_putting_back(environment))
        runtime::keep_for_putting_back(different, environment);
    const mapped_text all({present != nullptr ? present : "", files.text()});
    different.add({runtime::preload_variable, "=", all.text()});
    different.add({bound_early_variable, "=", runtime::own_process_number().text, " ", all.text()});
    if (all.is_whole() && files.is_whole())
        runtime::start_again(environment, different); // if the start fails, the dynamic linker prints the missing name
}

// Checks the names, once in each process: names that the front lacks remain missing.
void look_at_names(char* const* environment) {
    const char* const mark = runtime::find_variable(environment, bound_early_variable);
    const char* const chosen = runtime::find_variable(environment, "ANYMPI_MPI");
    struct stat file = {};
    if ((mark != nullptr && runtime::names_this_process(mark)) || chosen == nullptr || *chosen != '/' ||
        runtime::is_privileged() || !runtime::ask_status(chosen, file) || !is_chosen_in_process(file))
        return;
    const abi interface = abi_in_process();
    const mapped_text front = own_file_for(interface, runtime::soname_of(interface));
    if (interface == abi::standard || !front.is_whole() || !runtime::can_be_preloaded(front.text()) ||
        !runtime::can_be_preloaded(chosen))
        return;
    mapped_text files;
    add_companions(files, interface);
    if (files.is_empty() && !has_missing_name(front.text()))
        return;
    files.add_entry(chosen);
    add_files_with_objects(files, front, file);
    files.add_entry(front.text());
    start_with(files, environment);
}

// Returns the environment. The arguments and the environment follow their count at the end of the stack.
char** given_environment() {
    auto* const count = static_cast<long*>(__libc_stack_end);
    return reinterpret_cast<char**>(count + 1) + *count + 1;
}

void nothing() {}

using function = void();

// The dynamic linker calls this resolver.
extern "C" [[gnu::used]] function* anympi_look_before_binding() {
    if (_r_debug.r_map == nullptr) // the program has a copy of the variable, which the dynamic linker fills later
        return nothing;
    const bool is_missing = is_any_name_missing();
    if (!is_missing || can_call_c_library()) {
        has_looked = true;
        if (is_missing)
            look_at_names(given_environment());
    }
    return nothing;
}

[[gnu::ifunc("anympi_look_before_binding")]] void bound_last();

} // namespace
} // namespace anympi

extern "C" [[gnu::visibility("default")]] bool anympi_has_looked_before_binding() {
    anympi::bound_last(); // the dynamic linker binds this reference
    return anympi::has_looked;
}
