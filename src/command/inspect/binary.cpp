#include "command/inspect/binary.hpp"

#include "command/cli/printable.hpp"
#include "command/cli/split_join.hpp"
#include "command/inspect/mpi_names.hpp"
#include "runtime/identify/mapped_file.hpp"
#include "runtime/identify/note.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <climits>
#include <elf.h>

namespace anympi::command {
namespace {

using runtime::byte_range;
using runtime::elf_file;
using runtime::mapped_file;

// Real programs need some hundred libraries at most, from as many folders (Spack). A hostile one must not make the
// search for them endless.
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

// The first line of a script names its interpreter.
std::string explain_other_file(byte_range bytes) {
    const std::string_view text(bytes.characters(), std::min<std::size_t>(bytes.size(), 128));
    if (text.starts_with("#!")) {
        const std::string_view line = text.substr(2, text.find('\n') - 2);
        return fmt::format("is a script for {}; what it loads can be inspected, not the script itself",
                           printable(line.substr(std::min(line.find_first_not_of(' '), line.size()))));
    }
    if (text.starts_with("!<arch>"))
        return "is an archive of object files; inspect the program that was linked with it";
    return "is neither a program nor a shared library (no ELF file)";
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

// Folders as they are written. None can be longer than a path, and a hostile file must not fill memory.
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
    case symbol_kind::other:
        break;
    }
}

// A program has its own copy of a library's data (COPY relocation): defined there, and yet asked for.
bool is_asked_for(const binary& file, std::string_view name, const ElfW(Sym) & symbol) {
    if (symbol.st_shndx == SHN_UNDEF)
        return true;
    return file.is_program && (symbol.st_info & 0xf) == STT_OBJECT && classify_symbol(name) == symbol_kind::data;
}

void read_symbols(const elf_file& elf, binary& file) {
    elf.any_symbol([&](std::string_view name, const ElfW(Sym) & symbol) {
        if (is_asked_for(file, name, symbol))
            add_symbol(file.uses, name);
        else if (name == "PMPI_Init")
            file.implements_mpi = true;
        return false;
    });
}

// What a static program was linked from stands in .symtab, unless it was stripped.
void read_linked_symbols(byte_range bytes, binary& file) {
    static constexpr char init[] = "PMPI_Init"; // with the zero at its end
    const auto header = bytes.entry<ElfW(Ehdr)>(0);
    if (!header || header->e_shentsize != sizeof(ElfW(Shdr)))
        return;
    const byte_range sections = bytes.from(header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++) {
        const auto section = sections.entry<ElfW(Shdr)>(i);
        const auto names = section ? sections.entry<ElfW(Shdr)>(section->sh_link) : std::nullopt;
        if (!names || section->sh_type != SHT_SYMTAB)
            continue;
        const byte_range symbols = bytes.from(section->sh_offset, section->sh_size);
        const byte_range text = bytes.from(names->sh_offset, names->sh_size);
        for (std::size_t at = 0; const auto symbol = symbols.entry<ElfW(Sym)>(at); at++) {
            const byte_range name = text.from(symbol->st_name, sizeof init);
            const bool is_init =
                std::string_view(name.characters(), name.size()) == std::string_view(init, sizeof init);
            file.implements_mpi = file.implements_mpi || (is_init && symbol->st_shndx != SHN_UNDEF);
        }
    }
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
        return "is empty, or no regular file";
    }
    return "";
}

} // namespace

void mpi_use::add(const mpi_use& other) {
    functions.insert(other.functions.begin(), other.functions.end());
    extensions.insert(other.extensions.begin(), other.extensions.end());
    data.insert(other.data.begin(), other.data.end());
    fortran.insert(other.fortran.begin(), other.fortran.end());
}

bool offers(const binary& file, const std::set<std::string>& names) {
    const mapped_file mapped(file.path.c_str());
    elf_file elf;
    return mapped.result() == mapped_file::state::mapped &&
           elf_file::read(mapped.bytes(), elf) == elf_file::state::good &&
           std::all_of(names.begin(), names.end(), [&](const std::string& name) { return elf.defines(name); });
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
        read_linked_symbols(bytes, file);
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
    // gcc -static-pie makes a program that looks like a library.
    const bool is_bare = file.needed.empty() && file.soname.empty() && file.uses.is_empty();
    file.is_static = is_bare && !file.is_program;
    file.is_program = file.is_program || file.is_static;
    if (file.is_static)
        read_linked_symbols(bytes, file);
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
