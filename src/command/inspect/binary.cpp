#include "command/inspect/binary.hpp"

#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/inspect/mpi_names.hpp"
#include "runtime/identify/mapped_file.hpp"
#include "runtime/identify/note.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <elf.h>

namespace anympi::command {
namespace {

using runtime::byte_range;
using runtime::elf_file;
using runtime::mapped_file;

// Real programs need at most some hundred libraries, from as many folders (Spack). The limits end the search for a
// hostile program.
constexpr std::size_t most_needed = 1000;
constexpr std::size_t most_folders = 500;

struct machine_name {
    unsigned number;
    const char* name;
};
constexpr machine_name machines[] = {
    {EM_386, "32-bit x86"}, {EM_X86_64, "x86_64"}, {EM_ARM, "32-bit ARM"}, {EM_AARCH64, "aarch64"},
    {EM_PPC64, "POWER"},    {EM_RISCV, "RISC-V"},  {EM_S390, "IBM Z"},     {EM_SPARCV9, "SPARC"},
    {EM_MIPS, "MIPS"},      {EM_IA_64, "Itanium"}, {258, "LoongArch"},
};

std::string machine_of(byte_range bytes) {
    const auto low = bytes.from(EI_NIDENT + 2).entry<unsigned char>(0);
    const auto high = bytes.from(EI_NIDENT + 2).entry<unsigned char>(1);
    const auto order = bytes.from(EI_DATA).entry<unsigned char>(0);
    if (!high)
        return "another kind of processor";
    const unsigned number = order == ELFDATA2MSB ? *low << 8 | *high : *high << 8 | *low;
    for (const machine_name& known : machines)
        if (known.number == number)
            return known.name;
    return fmt::format("a processor that anympi does not know (ELF machine {})", number);
}

// Returns what a file is that is not an ELF file. The message names the interpreter of a script.
std::string explain_other_file(byte_range bytes) {
    const std::string_view text(bytes.characters(), std::min<std::size_t>(bytes.size(), 128));
    if (text.starts_with("#!")) {
        const std::string_view line = text.substr(2, text.find('\n') - 2);
        return fmt::format("is a script for {}; inspect the programs and modules that it loads instead",
                           printable(line.substr(std::min(line.find_first_not_of(' '), line.size()))));
    }
    if (text.starts_with("!<arch>"))
        return "is an archive of object files; inspect the program that was linked with it";
    return "is neither a program nor a shared library (it is not an ELF file)";
}

std::string explain_failure(elf_file::state state, byte_range bytes) {
    switch (state) {
    case elf_file::state::good:
    case elf_file::state::no_dynamic:
        return "";
    case elf_file::state::not_elf:
        return explain_other_file(bytes);
    case elf_file::state::other_machine:
        return fmt::format("was built for {}, which this machine is not", machine_of(bytes));
    case elf_file::state::not_shared:
        return "is an object file or a core dump; inspect the program that was linked";
    case elf_file::state::damaged:
        return "is damaged: its tables point outside of the file (an incomplete copy?)";
    }
    return "";
}

// Reads folders without expanding them. Folders that are longer than a path are left out, so that a hostile file cannot
// fill memory.
std::vector<std::string> folders_in(std::string_view list) {
    std::vector<std::string> folders = split_list(list.substr(0, most_folders * PATH_MAX));
    std::erase_if(folders, [](const std::string& folder) { return folder.empty() || folder.size() >= PATH_MAX; });
    folders.resize(std::min(folders.size(), most_folders));
    return folders;
}

void add_symbol(mpi_use& uses, std::string_view name) {
    switch (classify_symbol(name)) {
    case symbol_kind::function:
        uses.functions.emplace(name);
        break;
    case symbol_kind::profiling:
        uses.functions.emplace(name.substr(1));
        break;
    case symbol_kind::extension:
        uses.extensions.emplace(name);
        break;
    case symbol_kind::data:
        uses.data.emplace(name);
        break;
    case symbol_kind::fortran:
        uses.fortran.emplace(name);
        break;
    case symbol_kind::cxx:
        uses.cxx.emplace(name);
        break;
    case symbol_kind::other:
        break;
    }
}

// Returns true if a file uses a name. A program may define its own copy of a library's variable (COPY relocation); the
// copy counts as a use.
bool is_asked_for(const binary& file, std::string_view name, const ElfW(Sym) & symbol) {
    if (symbol.st_shndx == SHN_UNDEF)
        return true;
    const symbol_kind kind = classify_symbol(name);
    return file.is_program && (symbol.st_info & 0xf) == STT_OBJECT &&
           (kind == symbol_kind::data || kind == symbol_kind::fortran);
}

void read_symbols(const elf_file& elf, binary& file) {
    elf.any_symbol([&](std::string_view name, const ElfW(Sym) & symbol) {
        // A tool for many MPIs has weak references to symbols of each MPI.
        const bool is_weak = symbol.st_shndx == SHN_UNDEF && (symbol.st_info >> 4) == STB_WEAK;
        if (!is_weak && file.foreign_mpi.empty())
            file.foreign_mpi = foreign_mpi_of_symbol(name);
        if (symbol.st_shndx != SHN_UNDEF && name.starts_with("ompi_mpi_comm_"))
            file.communicator_size = symbol.st_size;
        if (is_asked_for(file, name, symbol)) {
            add_symbol(file.uses, name);
            if (!is_weak)
                add_symbol(file.required, name);
        } else if (name == "PMPI_Init")
            file.implements_mpi = true;
        return false;
    });
}

// Reads the symbols that the program was linked from, in at most one section. Returns false for a stripped file.
bool read_linked_symbols(byte_range bytes, binary& file) {
    constexpr std::size_t longest = 64; // longest name that matters here
    const auto header = bytes.entry<ElfW(Ehdr)>(0);
    if (!header || header->e_shentsize != sizeof(ElfW(Shdr)))
        return false;
    const byte_range sections = bytes.from(header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++) {
        const auto section = sections.entry<ElfW(Shdr)>(i);
        const auto names = section ? sections.entry<ElfW(Shdr)>(section->sh_link) : std::nullopt;
        if (!names || section->sh_type != SHT_SYMTAB)
            continue;
        const byte_range symbols = bytes.from(section->sh_offset, section->sh_size);
        const byte_range text = bytes.from(names->sh_offset, names->sh_size);
        std::optional<abi> interface;
        for (std::size_t at = 0; const auto symbol = symbols.entry<ElfW(Sym)>(at); at++) {
            if (symbol->st_shndx == SHN_UNDEF)
                continue;
            const byte_range start = text.from(symbol->st_name, longest);
            const std::string_view name(start.characters(),
                                        start.empty() ? 0 : strnlen(start.characters(), start.size()));
            file.implements_mpi = file.implements_mpi || name == "PMPI_Init";
            if (const auto found = abi_of_symbol(name); !interface && found != abi::standard)
                interface = found; // libraries of every ABI may define functions of the standard ABI
        }
        if (file.implements_mpi)
            file.own_interface = interface;
        return true;
    }
    return false;
}

// A message that every library of one ABI contains.
struct telling_text {
    const char* text;
    abi interface;
};
constexpr telling_text telling_texts[] = {
    {"**mpi_init %p %p", abi::mpich},
    {"was called before MPI_INIT was invoked", abi::openmpi},
};

// Finds the ABI by messages. A stripped program still contains the messages of its MPI.
void read_texts(byte_range bytes, binary& file) {
    for (const telling_text& known : telling_texts)
        if (!file.implements_mpi &&
            memmem(bytes.characters(), bytes.size(), known.text, std::strlen(known.text)) != nullptr) {
            file.implements_mpi = true;
            file.own_interface = known.interface;
        }
}

// Looks for an MPI that is linked into a program.
void find_own_mpi(byte_range bytes, binary& file) {
    const bool has_symbols = read_linked_symbols(bytes, file);
    if (!has_symbols && file.uses.is_empty())
        read_texts(bytes, file);
}

std::string explain_unmapped(mapped_file::state state) {
    switch (state) {
    case mapped_file::state::mapped:
        return "";
    case mapped_file::state::missing:
        return "does not exist";
    case mapped_file::state::unreadable:
        return "cannot be read";
    case mapped_file::state::folder:
        return "is a folder";
    case mapped_file::state::no_file:
        return "is empty or not a regular file";
    }
    return "";
}

} // namespace

void mpi_use::add(const mpi_use& other) {
    functions.insert(other.functions.begin(), other.functions.end());
    extensions.insert(other.extensions.begin(), other.extensions.end());
    data.insert(other.data.begin(), other.data.end());
    fortran.insert(other.fortran.begin(), other.fortran.end());
    cxx.insert(other.cxx.begin(), other.cxx.end());
}

bool offers(const binary& file, const std::string& name) {
    const mapped_file mapped(file.path.c_str());
    elf_file elf;
    return mapped.result() == mapped_file::state::mapped &&
           elf_file::read(mapped.bytes(), elf, elf_file::wanted::programs_too) == elf_file::state::good &&
           elf.defines(name);
}

bool has_objects(const binary& file) {
    const mapped_file mapped(file.path.c_str());
    elf_file elf;
    elf_file::read(mapped.bytes(), elf);
    return elf.any_symbol([](std::string_view name, const ElfW(Sym) & symbol) {
        return symbol.st_shndx != SHN_UNDEF && (symbol.st_info & 0xf) == STT_OBJECT &&
               classify_symbol(name) == symbol_kind::data;
    });
}

binary read_binary(byte_range bytes) {
    binary file;
    elf_file elf;
    const elf_file::state state = elf_file::read(bytes, elf, elf_file::wanted::programs_too);
    file.problem = explain_failure(state, bytes);
    file.is_script = std::string_view(bytes.characters(), std::min<std::size_t>(bytes.size(), 2)) == "#!";
    file.is_static = state == elf_file::state::no_dynamic;
    file.is_program = file.is_static || elf.is_program();
    if (file.is_static)
        find_own_mpi(bytes, file);
    if (state != elf_file::state::good)
        return file;
    file.soname = elf.soname();
    elf.any_needed([&](std::string_view name) {
        file.needed.emplace_back(name);
        return file.needed.size() == most_needed;
    });
    file.rpath = folders_in(elf.rpath());
    file.runpath = folders_in(elf.runpath());
    file.has_front = elf.has_note(runtime::note_owner, runtime::note_type);
    read_symbols(elf, file);
    // gcc -static-pie makes programs that look like libraries.
    const bool is_bare = file.needed.empty() && file.soname.empty() && file.uses.is_empty();
    file.is_static = is_bare && !file.is_program;
    file.is_program = file.is_program || file.is_static;
    if (file.is_program && !file.has_front)
        find_own_mpi(bytes, file);
    if (file.is_program && !file.has_front && file.implements_mpi)
        file.uses = {}; // the variables of that MPI look like copies of a library's
    return file;
}

binary read_binary(const std::string& path) {
    const mapped_file mapped(path.c_str());
    binary file;
    if (mapped.result() == mapped_file::state::mapped)
        file = read_binary(mapped.bytes());
    else
        file.problem = explain_unmapped(mapped.result());
    file.path = path;
    return file;
}

} // namespace anympi::command
