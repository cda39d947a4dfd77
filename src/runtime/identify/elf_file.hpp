#pragma once

#include "base/function_ref.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <link.h>
#include <optional>
#include <string_view>

namespace anympi::runtime {

/// A range of a file's bytes. Reading outside of the range fails, whatever offsets a damaged file contains.
class byte_range {
public:
    byte_range() = default;
    byte_range(const unsigned char* begin, std::size_t size) : begin_(begin), size_(size) {}

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const char* characters() const { return reinterpret_cast<const char*>(begin_); }

    /// Returns at most `length` bytes that begin at `offset`. Empty if `offset` is outside of the range.
    byte_range from(std::uint64_t offset, std::uint64_t length = UINT64_MAX) const {
        if (offset >= size_)
            return {};
        const std::uint64_t rest = size_ - offset;
        return {begin_ + offset, static_cast<std::size_t>(length < rest ? length : rest)};
    }

    /// Returns entry number `index` of a table as a copy, because tables in a file may be unaligned.
    template <class value>
    std::optional<value> entry(std::uint64_t index) const {
        if (index >= size_ / sizeof(value))
            return std::nullopt;
        value copy;
        std::memcpy(&copy, begin_ + index * sizeof(value), sizeof copy);
        return copy;
    }

private:
    const unsigned char* begin_ = nullptr;
    std::size_t size_ = 0;
};

/// The note of one owner and type in a segment of notes.
struct note_search {
    bool is_found = false;
    byte_range description;
};
note_search find_note(byte_range notes, std::uint64_t alignment_of_segment, std::string_view owner, std::uint32_t type);

/// The data of a shared library that the dynamic linker uses: soname, needed libraries, symbols, notes. The bytes may
/// have any content; they must live longer than this object.
class elf_file {
public:
    enum class state : unsigned char {
        good,
        not_elf,       // text, a linker script, an archive …
        other_machine, // another processor, word size or byte order than this process
        not_shared,    // an object file, a core dump; a program at a fixed address, if only libraries are accepted
        no_dynamic,    // a program that is linked statically
        damaged        // headers that point outside of the file
    };
    enum class wanted : unsigned char { libraries, programs_too };

    static state read(byte_range bytes, elf_file& file, wanted what = wanted::libraries);

    bool is_program() const; // true if the file names a dynamic linker
    std::string_view soname() const;
    std::string_view rpath() const;   // folders in which the needed libraries are searched before LD_LIBRARY_PATH
    std::string_view runpath() const; // folders that are searched after LD_LIBRARY_PATH
    bool any_needed(function_ref<bool(std::string_view name)> question) const;
    bool defines(std::string_view symbol) const;
    bool imports(std::string_view symbol) const;
    /// Calls `question` for every symbol that the file defines or needs, until it returns true. Returns true in that
    /// case.
    bool any_symbol(function_ref<bool(std::string_view name, const ElfW(Sym) & symbol)> question) const;
    std::string_view text_of(std::string_view object) const; // the value of an exported constant string, or ""
    bool has_note(std::string_view owner, std::uint32_t type) const { return search_note(owner, type).is_found; }
    /// Returns the content of a note, or nothing if there is no such note.
    byte_range note(std::string_view owner, std::uint32_t type) const { return search_note(owner, type).description; }

private:
    note_search search_note(std::string_view owner, std::uint32_t type) const;
    byte_range in_memory(std::uint64_t address) const;
    bool has_segment(std::uint32_t type) const;
    std::string_view string_at(std::uint64_t offset) const;
    std::string_view short_string_at(std::uint64_t offset) const;
    bool is_string_at(std::uint64_t offset, std::string_view text) const;
    std::optional<ElfW(Sym)> symbol(std::uint64_t index, std::string_view name) const;
    std::optional<ElfW(Sym)> find(std::string_view name) const;
    std::optional<ElfW(Sym)> find_by_gnu_hash(std::string_view name) const;
    std::optional<ElfW(Sym)> find_by_old_hash(std::string_view name) const;
    std::uint64_t undefined_symbols() const;
    std::uint64_t symbols_in_hash_table() const;
    std::uint64_t symbols_in_section() const;
    state read_dynamic_section();

    byte_range bytes_;
    byte_range segments_; // program headers
    byte_range dynamic_;
    byte_range strings_;
    byte_range symbols_;
    byte_range gnu_hash_;
    byte_range old_hash_;
    std::uint64_t soname_ = UINT64_MAX; // offset into strings_, like the members below
    std::uint64_t rpath_ = UINT64_MAX;
    std::uint64_t runpath_ = UINT64_MAX;
};

} // namespace anympi::runtime
