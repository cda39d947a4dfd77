#pragma once

#include <cstddef>
#include <cstdint>
#include <link.h>
#include <span>
#include <sys/stat.h>

namespace anympi::runtime {

/// A symbol's name with its hashes in dynamic symbol tables, which are computed once for many tables.
struct symbol_name {
    explicit symbol_name(const char* name);

    const char* text;
    std::uint32_t hash;
};

/// The addresses from the first segment of an object to the end of its last one.
struct address_range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;

    bool contains(const void* address) const { return reinterpret_cast<std::uintptr_t>(address) - begin < end - begin; }
};
address_range place_of(const dl_phdr_info& object);

/// A loaded object, as its dynamic section describes it to the loader. The user of an image must keep the object
/// loaded.
class image {
public:
    explicit image(const link_map& object);

    const char* soname() const { return soname_; }
    const char* file() const { return file_; }
    const Elf64_Dyn* dynamic() const { return dynamic_; }

    /// Returns the address that this object defines for a name, or nullptr. About ten times cheaper than dlsym.
    void* find(const symbol_name& name) const { return may_define(name.hash) ? find_in_table(name) : nullptr; }

    /// Returns true if this object defines the name. Calls no function of another object.
    bool has(const symbol_name& name) const;

    bool needs(const char* soname) const;
    template <class visitor>
    void for_each_needed(visitor visit) const {
        for (const Elf64_Dyn* entry = dynamic_; entry->d_tag != DT_NULL; ++entry)
            if (entry->d_tag == DT_NEEDED)
                visit(strings_ + entry->d_un.d_val);
    }

    /// Returns the symbols that this object takes from other objects. If the hash table does not separate them, the
    /// result also contains the symbols that the object defines: these have a section (st_shndx).
    std::span<const Elf64_Sym> imports() const;

    /// Returns true if `question` returns true for the name of a symbol that this object takes from other objects.
    template <class Question>
    bool imports_any(Question question) const {
        for (const Elf64_Sym& symbol : imports())
            if (symbol.st_shndx == SHN_UNDEF && question(name(symbol)))
                return true;
        return false;
    }

    /// Returns true if the object takes the symbol from another object, or has a copy of the data object (COPY
    /// relocation).
    bool mentions(const char* name) const;

    /// Returns the symbols that the object defines, if the table has this information (a GNU hash table, as in anympi's
    /// libraries).
    std::span<const Elf64_Sym> definitions() const;

    /// Return references by name: those that are resolved when the object is loaded, and those that are resolved at the
    /// first call. References that only add the load address, which are the majority, are left out.
    std::span<const Elf64_Rela> references() const { return {references_, reference_count_}; }
    std::span<const Elf64_Rela> calls() const { return {calls_, call_count_}; }
    const Elf64_Sym& symbol(std::size_t index) const { return symbols_[index]; }
    const char* name(const Elf64_Sym& symbol) const { return strings_ + symbol.st_name; }
    void* address(const Elf64_Sym& symbol) const;
    std::byte* at(Elf64_Addr offset) const { return reinterpret_cast<std::byte*>(base_ + offset); }

    /// The addresses of the object; known after the list of objects was walked with place().
    void place(const dl_phdr_info& segments) { place_ = place_of(segments); }
    bool contains(const void* address) const { return place_.contains(address); }

private:
    template <class value>
    const value* pointer(const Elf64_Dyn& entry) const;
    void read_gnu_hash(const std::uint32_t* table);
    /// The filter at the beginning of the table rejects most names that are not in the table.
    bool may_define(std::uint32_t hash) const {
        if (bloom_ == nullptr)
            return true;
        const std::uint64_t word = bloom_[hash / 64 & (bloom_words_ - 1)];
        return (word >> hash % 64 & word >> (hash >> bloom_shift_) % 64 & 1) != 0;
    }
    void* find_in_table(const symbol_name& name) const;
    using comparison = bool (*)(const char* left, const char* right);
    const Elf64_Sym* find_entry(const symbol_name& name, comparison is_same) const;
    const Elf64_Sym* find_by_gnu_hash(const symbol_name& name, comparison is_same) const;
    const Elf64_Sym* find_by_old_hash(const symbol_name& name, comparison is_same) const;
    bool defines(std::uint32_t index, const char* name, comparison is_same) const;
    bool has_empty_table() const;
    std::size_t count_referenced() const;

    Elf64_Addr base_;
    const Elf64_Dyn* dynamic_;
    const char* file_;
    const char* soname_ = "";
    const char* strings_ = nullptr;
    const Elf64_Sym* symbols_ = nullptr;
    const Elf64_Versym* versions_ = nullptr;
    std::size_t imports_ = 0; // symbols before the first one of the hash table

    const Elf64_Rela* references_ = nullptr;
    const Elf64_Rela* calls_ = nullptr;
    std::size_t reference_count_ = 0;
    std::size_t call_count_ = 0;

    const std::uint64_t* bloom_ = nullptr;
    const std::uint32_t* buckets_ = nullptr;
    const std::uint32_t* chains_ = nullptr; // indexed like symbols_
    std::uint32_t bloom_words_ = 0;
    std::uint32_t bloom_shift_ = 0;
    std::uint32_t bucket_count_ = 0;
    const std::uint32_t* old_hash_ = nullptr;

    address_range place_;
};

/// Returns true for a reference that gives the program its own copy of a data object.
bool is_copy(const Elf64_Rela& reference);

/// An object and all objects that it needs, directly or indirectly. The object itself comes first.
class image_list {
public:
    enum class members : unsigned char { all, newer_than_root };

    /// Returns false if memory is exhausted. A handle of `root` must be open: only then are all its objects ready to
    /// use; another thread may still be loading other objects of the loader's list. The object of this code is left
    /// out.
    bool collect(link_map* root, members wanted);
    void release();

    std::span<image> objects() const { return {images_, size_}; }
    void* find(const char* name) const;
    void* find(const symbol_name& name) const;

private:
    std::size_t walk(link_map* first, link_map* root);

    image* images_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

/// Returns a copy of the loader's record of an object.
link_map record_of(const link_map* object);

/// Runs `body` while no thread can add or remove objects. `body` must not call the loader or allocate memory.
template <class callable>
void with_object_list_locked(callable body) {
    dl_iterate_phdr(
        [](dl_phdr_info* first, std::size_t, void* data) {
            (*static_cast<callable*>(data))(*first);
            return 1;
        },
        &body);
}

/// Returns the object that contains this code: the front or, in static mode, the program, which has no soname ("").
image own_image();
bool is_own(const dl_phdr_info& segments);

/// Returns the name of that object's file; "" for a program. Does not take the loader's lock, which dladdr would take.
const char* own_file();

/// Returns the name of an object's file for messages. The loader does not know the name of the program.
const char* file_or_program(const char* file);

/// Returns the address of an object's dynamic section, which identifies an object both in the list of segments and in
/// the list of objects.
const void* dynamic_section(const dl_phdr_info& segments);

/// Runs `body` for each object that has a dynamic section, in the order of loading; the program comes first. No thread
/// can add or remove objects meanwhile.
template <class callable>
void for_each_object(callable body) {
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* data) {
            if (dynamic_section(*object) != nullptr)
                (*static_cast<callable*>(data))(*object);
            return 0;
        },
        &body);
}

/// Returns the number of objects that were loaded since the process began. The list of objects grows only at its end,
/// so this number shows later which objects are new. (Addresses do not show it: addresses of a closed plug-in are soon
/// used again.)
unsigned long long objects_ever_loaded();

/// Returns true for a front of any ABI, and for a program that contains one.
bool is_front(const dl_phdr_info& object);

/// Returns the name of an interposer (front/interposers/interposed.hpp), or nullptr for every other object.
const char* name_of_interposer(const image& object);

/// Returns true if `path` leads to the file with this status.
bool is_same_file(const struct stat& known, const char* path);

/// Returns true if an object of this process was loaded from the file.
bool is_loaded(const char* file);

/// Returns the image of an object that has a dynamic section.
image image_of(const dl_phdr_info& segments);

} // namespace anympi::runtime
