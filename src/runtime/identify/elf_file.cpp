#include "runtime/identify/elf_file.hpp"

#include "arch/machine.hpp"
#include "runtime/identify/elf_hash.hpp"

#include <elf.h>

namespace anympi::runtime {
namespace {

constexpr unsigned char this_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char this_order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;

// Real libraries have about ten segments. The limit prevents a hostile file from making every lookup slow.
constexpr unsigned most_segments = 128;

std::uint64_t round_up(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

} // namespace

elf_file::state elf_file::read(byte_range bytes, elf_file& file, wanted what) {
    file = elf_file{};
    file.bytes_ = bytes;
    if (bytes.size() < SELFMAG || std::memcmp(bytes.characters(), ELFMAG, SELFMAG) != 0)
        return state::not_elf;
    const auto header = bytes.entry<ElfW(Ehdr)>(0);
    if (!header)
        return state::damaged;
    if (header->e_ident[EI_CLASS] != this_class || header->e_ident[EI_DATA] != this_order ||
        header->e_machine != arch::elf_machine)
        return state::other_machine;
    if (header->e_type != ET_DYN && (header->e_type != ET_EXEC || what == wanted::libraries))
        return state::not_shared;

    const std::uint64_t size = std::uint64_t{header->e_phnum} * sizeof(ElfW(Phdr));
    file.segments_ = bytes.from(header->e_phoff, size);
    if (header->e_phentsize != sizeof(ElfW(Phdr)) || header->e_phnum > most_segments || file.segments_.size() != size)
        return state::damaged;
    if (what == wanted::programs_too && !file.has_segment(PT_DYNAMIC))
        return state::no_dynamic;
    return file.read_dynamic_section();
}

elf_file::state elf_file::read_dynamic_section() {
    std::uint64_t index = 0;
    while (const auto segment = segments_.entry<ElfW(Phdr)>(index++))
        if (segment->p_type == PT_DYNAMIC)
            dynamic_ = bytes_.from(segment->p_offset, segment->p_filesz);

    std::uint64_t strings_size = 0;
    index = 0;
    while (const auto item = dynamic_.entry<ElfW(Dyn)>(index++)) {
        if (item->d_tag == DT_NULL)
            break;
        switch (item->d_tag) {
        case DT_STRTAB:
            strings_ = in_memory(item->d_un.d_ptr);
            break;
        case DT_STRSZ:
            strings_size = item->d_un.d_val;
            break;
        case DT_SYMTAB:
            symbols_ = in_memory(item->d_un.d_ptr);
            break;
        case DT_GNU_HASH:
            gnu_hash_ = in_memory(item->d_un.d_ptr);
            break;
        case DT_HASH:
            old_hash_ = in_memory(item->d_un.d_ptr);
            break;
        case DT_SONAME:
            soname_ = item->d_un.d_val;
            break;
        case DT_RPATH:
            rpath_ = item->d_un.d_val;
            break;
        case DT_RUNPATH:
            runpath_ = item->d_un.d_val;
            break;
        }
    }
    strings_ = strings_.from(0, strings_size);
    // The dynamic linker cannot use a library without these tables either.
    const bool usable = !strings_.empty() && !symbols_.empty() && !(gnu_hash_.empty() && old_hash_.empty());
    return usable ? state::good : state::damaged;
}

// Returns the bytes that have this address when the library is loaded, up to the end of the file's part of the segment.
byte_range elf_file::in_memory(std::uint64_t address) const {
    std::uint64_t index = 0;
    while (const auto segment = segments_.entry<ElfW(Phdr)>(index++)) {
        if (segment->p_type != PT_LOAD || address < segment->p_vaddr || address - segment->p_vaddr >= segment->p_filesz)
            continue;
        return bytes_.from(segment->p_offset, segment->p_filesz).from(address - segment->p_vaddr);
    }
    return {};
}

std::string_view elf_file::string_at(std::uint64_t offset) const {
    const byte_range rest = strings_.from(offset);
    const std::size_t length = rest.empty() ? 0 : strnlen(rest.characters(), rest.size());
    return length == rest.size() ? "" : std::string_view{rest.characters(), length}; // no NUL: not a string
}

// Returns a symbol's name, or "" if the name is longer than all known names. All symbols of a hostile file may share
// one name of several megabytes.
std::string_view elf_file::short_string_at(std::uint64_t offset) const {
    constexpr std::uint64_t longest = 256;
    const byte_range rest = strings_.from(offset, longest);
    const std::size_t length = rest.empty() ? 0 : strnlen(rest.characters(), rest.size());
    return length == rest.size() ? "" : std::string_view{rest.characters(), length};
}

// Measures no string, because all symbols of a hostile file may share one string of several megabytes.
bool elf_file::is_string_at(std::uint64_t offset, std::string_view text) const {
    const byte_range candidate = strings_.from(offset, text.size() + 1);
    return candidate.size() == text.size() + 1 && candidate.characters()[text.size()] == '\0' &&
           std::memcmp(candidate.characters(), text.data(), text.size()) == 0;
}

bool elf_file::has_segment(std::uint32_t type) const {
    std::uint64_t index = 0;
    while (const auto segment = segments_.entry<ElfW(Phdr)>(index++))
        if (segment->p_type == type)
            return true;
    return false;
}

bool elf_file::is_program() const {
    return has_segment(PT_INTERP);
}

std::string_view elf_file::soname() const {
    return string_at(soname_);
}

std::string_view elf_file::rpath() const {
    return string_at(rpath_);
}

std::string_view elf_file::runpath() const {
    return string_at(runpath_);
}

bool elf_file::any_needed(function_ref<bool(std::string_view name)> question) const {
    std::uint64_t index = 0;
    while (const auto item = dynamic_.entry<ElfW(Dyn)>(index++)) {
        if (item->d_tag == DT_NULL)
            break;
        if (item->d_tag == DT_NEEDED && question(string_at(item->d_un.d_val)))
            return true;
    }
    return false;
}

// Returns symbol number `index` if it has this name.
std::optional<ElfW(Sym)> elf_file::symbol(std::uint64_t index, std::string_view name) const {
    const auto entry = symbols_.entry<ElfW(Sym)>(index);
    return entry && is_string_at(entry->st_name, name) ? entry : std::nullopt;
}

// Layout of the table: number of buckets, index of the first symbol listed, number of filter words, shift; the filter;
// the buckets; for each listed symbol a word with its hash, whose bit 0 is set in the last word of a bucket.
std::optional<ElfW(Sym)> elf_file::find_by_gnu_hash(std::string_view name) const {
    using filter_word = ElfW(Addr);
    constexpr std::uint32_t filter_bits = sizeof(filter_word) * 8;
    constexpr std::uint64_t words_per_filter_word = sizeof(filter_word) / sizeof(std::uint32_t);
    const auto buckets = gnu_hash_.entry<std::uint32_t>(0);
    const auto first_symbol = gnu_hash_.entry<std::uint32_t>(1);
    const auto filter_size = gnu_hash_.entry<std::uint32_t>(2);
    const auto shift = gnu_hash_.entry<std::uint32_t>(3);
    if (!shift || *buckets == 0 || *filter_size == 0)
        return std::nullopt;

    const std::uint32_t hash = gnu_hash_of(name);
    const auto filter = gnu_hash_.from(16).entry<filter_word>(hash / filter_bits % *filter_size);
    const std::uint32_t second_hash = *shift < 32 ? hash >> *shift : 0;
    const filter_word wanted = filter_word{1} << (hash % filter_bits) | filter_word{1} << (second_hash % filter_bits);
    if (!filter || (*filter & wanted) != wanted)
        return std::nullopt;

    const std::uint64_t bucket_table = 4 + *filter_size * words_per_filter_word;
    const std::uint64_t chain_table = bucket_table + *buckets;
    const auto start = gnu_hash_.entry<std::uint32_t>(bucket_table + hash % *buckets);
    if (!start || *start < *first_symbol)
        return std::nullopt;
    std::uint64_t index = *start;
    while (const auto link = gnu_hash_.entry<std::uint32_t>(chain_table + index - *first_symbol)) {
        if ((*link | 1) == (hash | 1))
            if (const auto found = symbol(index, name))
                return found;
        if (*link & 1)
            break;
        index++;
    }
    return std::nullopt;
}

// Layout of the table: number of buckets, number of symbols, the buckets, for each symbol the next symbol of its
// bucket.
std::optional<ElfW(Sym)> elf_file::find_by_old_hash(std::string_view name) const {
    const auto buckets = old_hash_.entry<std::uint32_t>(0);
    const auto count = old_hash_.entry<std::uint32_t>(1);
    if (!count || *buckets == 0)
        return std::nullopt;
    // In a hostile file a chain may be a ring, and the number of symbols may be wrong. No valid chain is longer than
    // the table.
    const std::uint64_t longest = old_hash_.size() / sizeof(std::uint32_t);
    auto index = old_hash_.entry<std::uint32_t>(2 + old_hash_of(name) % *buckets);
    for (std::uint64_t steps = 0; index && *index != STN_UNDEF && steps < longest; steps++) {
        if (const auto found = symbol(*index, name))
            return found;
        index = old_hash_.entry<std::uint32_t>(2 + std::uint64_t{*buckets} + *index);
    }
    return std::nullopt;
}

std::optional<ElfW(Sym)> elf_file::find(std::string_view name) const {
    const auto found = gnu_hash_.empty() ? find_by_old_hash(name) : find_by_gnu_hash(name);
    return found && found->st_shndx != SHN_UNDEF ? found : std::nullopt;
}

bool elf_file::defines(std::string_view name) const {
    return find(name).has_value();
}

// Returns the number of symbols at the beginning of the table that may be undefined. The GNU hash table leaves out
// undefined symbols, which come first; the old hash table lists all symbols.
std::uint64_t elf_file::undefined_symbols() const {
    return gnu_hash_.entry<std::uint32_t>(1).value_or(old_hash_.entry<std::uint32_t>(1).value_or(0));
}

bool elf_file::imports(std::string_view name) const {
    const std::uint64_t listed = symbols_.size() / sizeof(ElfW(Sym));
    const std::uint64_t end = undefined_symbols() < listed ? undefined_symbols() : listed;
    for (std::uint64_t index = 1; index < end; index++)
        if (const auto found = symbol(index, name); found && found->st_shndx == SHN_UNDEF)
            return true;
    return false;
}

// The GNU hash table does not contain the number of symbols. The last symbol ends the chain that begins last.
std::uint64_t elf_file::symbols_in_hash_table() const {
    if (const auto count = old_hash_.entry<std::uint32_t>(1))
        return *count;
    const auto buckets = gnu_hash_.entry<std::uint32_t>(0);
    const auto first_symbol = gnu_hash_.entry<std::uint32_t>(1);
    const auto filter_size = gnu_hash_.entry<std::uint32_t>(2);
    if (!filter_size)
        return 0;
    const byte_range table =
        gnu_hash_.from(4 * sizeof(std::uint32_t) + std::uint64_t{*filter_size} * sizeof(ElfW(Addr)));
    std::uint64_t last = 0;
    for (std::uint32_t bucket = 0; bucket < *buckets; bucket++) {
        const auto start = table.entry<std::uint32_t>(bucket);
        if (!start)
            break;
        last = *start > last ? *start : last;
    }
    if (last < *first_symbol)
        return *first_symbol;
    while (const auto link = table.entry<std::uint32_t>(*buckets + last - *first_symbol)) {
        last++;
        if (*link & 1)
            break;
    }
    return last;
}

// The GNU hash table of a program that exports no symbol contains no information (binutils writes 1 for the first
// symbol listed in any case). Then only the section headers contain the number. The loader does not need section
// headers, so a file may lack them.
std::uint64_t elf_file::symbols_in_section() const {
    const auto header = bytes_.entry<ElfW(Ehdr)>(0);
    if (!header || header->e_shentsize != sizeof(ElfW(Shdr)))
        return 0;
    const byte_range sections = bytes_.from(header->e_shoff, std::uint64_t{header->e_shnum} * sizeof(ElfW(Shdr)));
    std::uint64_t index = 0;
    while (const auto section = sections.entry<ElfW(Shdr)>(index++))
        if (section->sh_type == SHT_DYNSYM)
            return section->sh_size / sizeof(ElfW(Sym));
    return 0;
}

bool elf_file::any_symbol(function_ref<bool(std::string_view, const ElfW(Sym) &)> question) const {
    const std::uint64_t listed = symbols_in_hash_table();
    const std::uint64_t in_section = symbols_in_section();
    const std::uint64_t end = listed > in_section ? listed : in_section;
    for (std::uint64_t index = 1; index < end; index++) {
        const auto entry = symbols_.entry<ElfW(Sym)>(index);
        if (!entry)
            break;
        if (question(short_string_at(entry->st_name), *entry))
            return true;
    }
    return false;
}

std::string_view elf_file::text_of(std::string_view object) const {
    const auto found = find(object);
    if (!found)
        return {};
    const byte_range bytes = in_memory(found->st_value).from(0, found->st_size);
    return bytes.empty() ? "" : std::string_view{bytes.characters(), strnlen(bytes.characters(), bytes.size())};
}

note_search elf_file::search_note(std::string_view owner, std::uint32_t type) const {
    std::uint64_t index = 0;
    while (const auto segment = segments_.entry<ElfW(Phdr)>(index++)) {
        const byte_range notes = bytes_.from(segment->p_offset, segment->p_filesz);
        if (segment->p_type != PT_NOTE)
            continue;
        if (const note_search found = find_note(notes, segment->p_align, owner, type); found.is_found)
            return found;
    }
    return {};
}

note_search find_note(byte_range notes, std::uint64_t alignment_of_segment, std::string_view owner,
                      std::uint32_t type) {
    const std::uint64_t alignment = alignment_of_segment == 8 ? 8 : 4;
    while (const auto header = notes.entry<ElfW(Nhdr)>(0)) {
        const byte_range name = notes.from(sizeof *header, header->n_namesz);
        const std::uint64_t description = round_up(sizeof *header + std::uint64_t{header->n_namesz}, alignment);
        if (header->n_type == type && name.size() == owner.size() + 1 && // including the NUL of the name
            std::string_view{name.characters(), owner.size()} == owner)
            return {true, notes.from(description, header->n_descsz)};
        notes = notes.from(round_up(description + header->n_descsz, alignment));
    }
    return {};
}

} // namespace anympi::runtime
