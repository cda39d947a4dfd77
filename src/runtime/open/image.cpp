#include "runtime/open/image.hpp"

#include "arch/relocation.hpp"
#include "runtime/find/trust.hpp"
#include "runtime/identify/elf_file.hpp"
#include "runtime/identify/elf_hash.hpp"
#include "runtime/identify/note.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/stat.h>

namespace anympi::runtime {
namespace {

// Symbols that the linker defines: the dynamic section of anympi's object, and the beginning of its file in memory. The
// object is the front or, in static mode, the program. A program that is linked with -static has no dynamic section; it
// must link, so that it can be rejected with a message.
#pragma weak _DYNAMIC
extern "C" [[gnu::visibility("hidden")]] const Elf64_Ehdr __ehdr_start;

// A set of hashes that may return a false positive, never a false negative. It saves most comparisons of names.
class hash_marks {
public:
    void add(std::uint32_t hash) { words_[hash / 64 % words] |= bit(hash); }
    bool may_contain(std::uint32_t hash) const { return (words_[hash / 64 % words] & bit(hash)) != 0; }

private:
    static constexpr std::size_t words = 32;
    static std::uint64_t bit(std::uint32_t hash) { return std::uint64_t{1} << hash % 64; }

    std::uint64_t words_[words] = {};
};

bool is_same_by_library(const char* left, const char* right) {
    return std::strcmp(left, right) == 0;
}

// Compares two names. Slower than strcmp, but before_binding.so compares names before it can call the C library.
bool is_same_by_ourselves(const char* left, const char* right) {
    while (*left != '\0' && *left == *right) {
        ++left;
        ++right;
    }
    return *left == *right;
}

} // namespace

symbol_name::symbol_name(const char* name) : text(name), hash(gnu_hash_of(name)) {}

image::image(const link_map& object) : base_(object.l_addr), dynamic_(object.l_ld), file_(object.l_name) {
    std::size_t reference_bytes = 0;
    std::size_t relative = 0;
    std::size_t soname = 0;
    for (const Elf64_Dyn* entry = dynamic_; entry->d_tag != DT_NULL; ++entry) {
        switch (entry->d_tag) {
        case DT_STRTAB:
            strings_ = pointer<char>(*entry);
            break;
        case DT_SYMTAB:
            symbols_ = pointer<Elf64_Sym>(*entry);
            break;
        case DT_VERSYM:
            versions_ = pointer<Elf64_Versym>(*entry);
            break;
        case DT_RELA:
            references_ = pointer<Elf64_Rela>(*entry);
            break;
        case DT_RELASZ:
            reference_bytes = entry->d_un.d_val;
            break;
        case DT_RELACOUNT:
            relative = entry->d_un.d_val;
            break;
        case DT_JMPREL:
            calls_ = pointer<Elf64_Rela>(*entry);
            break;
        case DT_PLTRELSZ:
            call_count_ = entry->d_un.d_val / sizeof(Elf64_Rela);
            break;
        case DT_GNU_HASH:
            read_gnu_hash(pointer<std::uint32_t>(*entry));
            break;
        case DT_HASH:
            old_hash_ = pointer<std::uint32_t>(*entry);
            break;
        case DT_SONAME:
            soname = entry->d_un.d_val;
            break;
        default:
            break;
        }
    }
    if (soname != 0)
        soname_ = strings_ + soname;
    if (const std::size_t all = reference_bytes / sizeof(Elf64_Rela); all > relative) {
        references_ += relative;
        reference_count_ = all - relative;
    }
    if (buckets_ == nullptr && old_hash_ != nullptr)
        imports_ = old_hash_[1]; // such tables do not separate imports from definitions
}

// Returns the pointer in an entry of the dynamic section. glibc adds the load address to the entry if the section is
// writable; otherwise the reader must add it. The vdso of Linux up to 3.15, of WSL 1 and of gVisor is linked for an
// address of the kernel (0xffffffffff700000): only the sum, which overflows, is an address of this process.
template <class value>
const value* image::pointer(const Elf64_Dyn& entry) const {
    const Elf64_Addr address = entry.d_un.d_ptr;
    const Elf64_Addr sum = base_ + address;
    return reinterpret_cast<const value*>(address < base_ || sum < base_ ? sum : address);
}

void image::read_gnu_hash(const std::uint32_t* table) {
    bucket_count_ = table[0];
    imports_ = table[1];
    bloom_words_ = table[2];
    bloom_shift_ = table[3];
    bloom_ = reinterpret_cast<const std::uint64_t*>(table + 4);
    buckets_ = reinterpret_cast<const std::uint32_t*>(bloom_ + bloom_words_);
    chains_ = buckets_ + bucket_count_;
}

bool image::defines(std::uint32_t index, const char* name, comparison is_same) const {
    constexpr Elf64_Versym old_version = 0x8000;
    const Elf64_Sym& candidate = symbols_[index];
    return candidate.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(candidate.st_info) != STT_TLS &&
           (versions_ == nullptr || (versions_[index] & old_version) == 0) && is_same(this->name(candidate), name);
}

const Elf64_Sym* image::find_by_gnu_hash(const symbol_name& name, comparison is_same) const {
    const std::uint32_t hash = name.hash;
    std::uint32_t index = buckets_[hash % bucket_count_];
    if (index < imports_)
        return nullptr;
    for (;; ++index) {
        const std::uint32_t entry = chains_[index - imports_];
        if ((entry ^ hash) <= 1 && defines(index, name.text, is_same))
            return &symbols_[index];
        if ((entry & 1) != 0)
            return nullptr;
    }
}

const Elf64_Sym* image::find_by_old_hash(const symbol_name& name, comparison is_same) const {
    const std::uint32_t buckets = old_hash_[0];
    const std::uint32_t* bucket = old_hash_ + 2;
    const std::uint32_t* chain = bucket + buckets;
    for (std::uint32_t index = bucket[old_hash_of(name.text) % buckets]; index != STN_UNDEF; index = chain[index])
        if (defines(index, name.text, is_same))
            return &symbols_[index];
    return nullptr;
}

const Elf64_Sym* image::find_entry(const symbol_name& name, comparison is_same) const {
    if (bucket_count_ != 0)
        return find_by_gnu_hash(name, is_same);
    return old_hash_ != nullptr ? find_by_old_hash(name, is_same) : nullptr;
}

bool image::has(const symbol_name& name) const {
    return may_define(name.hash) && find_entry(name, is_same_by_ourselves) != nullptr;
}

void* image::find_in_table(const symbol_name& name) const {
    const Elf64_Sym* const found = find_entry(name, is_same_by_library);
    return found != nullptr ? address(*found) : nullptr;
}

void* image::address(const Elf64_Sym& symbol) const {
    void* address = at(symbol.st_value);
    if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) // the address of a function that returns the address
        return reinterpret_cast<void* (*)()>(address)();
    return address;
}

// Returns the symbols after the imports, in the order of the buckets. The last chain ends the table.
std::span<const Elf64_Sym> image::definitions() const {
    std::uint32_t last = 0;
    for (const std::uint32_t first : std::span(buckets_, bucket_count_))
        last = first > last ? first : last;
    if (last < imports_ || bucket_count_ == 0)
        return {};
    while ((chains_[last - imports_] & 1) == 0)
        ++last;
    return {symbols_ + imports_, last + 1 - imports_};
}

bool image::has_empty_table() const {
    std::uint32_t first = 0;
    for (std::size_t i = 0; first == 0 && i < bucket_count_; ++i)
        first = buckets_[i];
    return first == 0;
}

// Returns a lower limit of the number of symbols: the highest index in a reference.
std::size_t image::count_referenced() const {
    std::size_t last = 0;
    for (const std::span<const Elf64_Rela> list : {references(), calls()})
        for (const Elf64_Rela& reference : list)
            last = std::max<std::size_t>(last, ELF64_R_SYM(reference.r_info));
    return last + 1;
}

// The hash table of a program that exports nothing (most programs linked with -no-pie) does not contain the number of
// imports. In a program at a fixed address the table also lists functions of other objects whose address the program
// takes.
std::span<const Elf64_Sym> image::imports() const {
    if (buckets_ != nullptr && has_empty_table())
        return {symbols_, std::max(imports_, count_referenced())};
    const bool is_at_fixed_address = base_ == 0;
    return {symbols_, imports_ + (is_at_fixed_address ? definitions().size() : 0)};
}

bool image::mentions(const char* name) const {
    return imports_any([&](const char* imported) { return std::strcmp(imported, name) == 0; }) ||
           find(symbol_name(name)) != nullptr;
}

bool image::needs(const char* soname) const {
    bool found = false;
    for_each_needed([&](const char* name) { found = found || std::strcmp(name, soname) == 0; });
    return found;
}

bool is_copy(const Elf64_Rela& reference) {
    return ELF64_R_TYPE(reference.r_info) == arch::relocations.copy;
}

address_range place_of(const dl_phdr_info& object) {
    address_range all{UINTPTR_MAX, 0};
    for (const auto& segment : std::span(object.dlpi_phdr, object.dlpi_phnum)) {
        if (segment.p_type != PT_LOAD)
            continue;
        const std::uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
        const std::uintptr_t end = begin + segment.p_memsz;
        all.begin = begin < all.begin ? begin : all.begin;
        all.end = end > all.end ? end : all.end;
    }
    return all;
}

// The loader writes its records under its own lock, which the caller holds (with_object_list_locked). ThreadSanitizer
// does not see that lock.
__attribute__((noinline, no_sanitize("thread"))) link_map record_of(const link_map* object) {
    return *object;
}

// Walks through the list until nothing is added. Usually two rounds are enough, because most objects come before the
// objects that they need. Continues to count if the list is full, so that the caller knows the necessary size.
std::size_t image_list::walk(link_map* first, link_map* root) {
    hash_marks needed;
    std::size_t found = 0;
    const auto add = [&](const image& object) {
        if (found < capacity_)
            new (&images_[found]) image(object);
        ++found;
        object.for_each_needed([&](const char* name) { needed.add(symbol_name(name).hash); });
    };
    const auto is_missing = [&](const image& object) {
        const std::span members(images_, found < capacity_ ? found : capacity_);
        for (const image& member : members)
            if (member.dynamic() == object.dynamic())
                return false;
        for (const image& member : members)
            if (member.needs(object.soname()))
                return true;
        return false;
    };

    add(image(record_of(root)));
    for (std::size_t before = 0; before != found && found <= capacity_;) {
        before = found;
        const link_map* next = nullptr;
        for (const link_map* object = first; object != nullptr; object = next) {
            const link_map record = record_of(object);
            next = record.l_next;
            if (object == root || record.l_ld == _DYNAMIC)
                continue;
            const image candidate(record);
            if (needed.may_contain(symbol_name(candidate.soname()).hash) && is_missing(candidate))
                add(candidate);
        }
    }
    return found;
}

bool image_list::collect(link_map* root, members wanted) {
    for (std::size_t room = 64;; room *= 2) {
        release();
        images_ = static_cast<image*>(std::malloc(room * sizeof(image)));
        if (images_ == nullptr)
            return false;
        capacity_ = room;
        with_object_list_locked([&](const dl_phdr_info&) {
            link_map* first = root;
            while (wanted == members::all && record_of(first).l_prev != nullptr)
                first = record_of(first).l_prev;
            size_ = walk(first, root);
        });
        if (size_ <= capacity_)
            return true;
        size_ = 0;
    }
}

void image_list::release() {
    std::free(images_);
    *this = {};
}

void* image_list::find(const symbol_name& name) const {
    for (const image& object : objects())
        if (void* address = object.find(name))
            return address;
    return nullptr;
}

void* image_list::find(const char* name) const {
    return find(symbol_name(name));
}

image own_image() {
    link_map self{};
    self.l_addr = reinterpret_cast<Elf64_Addr>(&__ehdr_start);
    self.l_ld = _DYNAMIC;
    return image(self);
}

bool is_own(const dl_phdr_info& segments) {
    return dynamic_section(segments) == _DYNAMIC;
}

const char* own_file() {
    const char* file = "";
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* data) {
            if (!is_own(*object))
                return 0;
            *static_cast<const char**>(data) = object->dlpi_name;
            return 1;
        },
        &file);
    return file;
}

const char* file_or_program(const char* file) {
    return *file != '\0' ? file : program_invocation_name;
}

unsigned long long objects_ever_loaded() {
    unsigned long long loaded = 0;
    with_object_list_locked([&](const dl_phdr_info& first) { loaded = first.dlpi_adds; });
    return loaded;
}

bool is_front(const dl_phdr_info& object) {
    for (int i = 0; i < object.dlpi_phnum; ++i) {
        const auto& segment = object.dlpi_phdr[i];
        const auto* const bytes = reinterpret_cast<const unsigned char*>(object.dlpi_addr + segment.p_vaddr);
        if (segment.p_type == PT_NOTE &&
            find_note(byte_range(bytes, segment.p_memsz), segment.p_align, note_owner, note_type).is_found)
            return true;
    }
    return false;
}

const char* name_of_interposer(const image& object) {
    return static_cast<const char*>(object.find(symbol_name("anympi_interposer")));
}

bool is_same_file(const struct stat& known, const char* path) {
    struct stat other = {};
    return ask_status(path, other) && other.st_dev == known.st_dev && other.st_ino == known.st_ino;
}

bool is_loaded(const char* file) {
    struct stat wanted = {};
    const auto is_wanted = [](dl_phdr_info* object, std::size_t, void* data) {
        return is_same_file(*static_cast<const struct stat*>(data), object->dlpi_name) ? 1 : 0;
    };
    return ask_status(file, wanted) && dl_iterate_phdr(is_wanted, &wanted) != 0;
}

image image_of(const dl_phdr_info& segments) {
    link_map object{};
    object.l_addr = segments.dlpi_addr;
    object.l_name = const_cast<char*>(segments.dlpi_name);
    object.l_ld = static_cast<Elf64_Dyn*>(const_cast<void*>(dynamic_section(segments)));
    return image(object);
}

const void* dynamic_section(const dl_phdr_info& segments) {
    for (const auto& segment : std::span(segments.dlpi_phdr, segments.dlpi_phnum))
        if (segment.p_type == PT_DYNAMIC)
            return reinterpret_cast<const void*>(segments.dlpi_addr + segment.p_vaddr);
    return nullptr;
}

} // namespace anympi::runtime
