#pragma once

#include "base/word.hpp"

#include <cstddef>
#include <cstdlib>

namespace anympi {

/// A hash table: the cost of finding an entry does not grow with the number of entries. An entry has
///     word key() const
///     Entry* next            used by the table
/// and belongs to the caller. A table whose bytes are all zero is empty. The table has no lock.
template <class Entry>
class entry_table {
public:
    /// Returns the newest entry with this key, or nullptr.
    Entry* find(word key) const { return *place_of(key); }

    /// Adds an entry. The table may already hold another entry with the same key.
    void add(Entry* entry) {
        if (entries >= bucket_count())
            grow();
        Entry** const bucket = bucket_of(entry->key());
        entry->next = *bucket;
        *bucket = entry;
        ++entries;
    }

    /// Removes the newest entry with this key. Returns the entry, or nullptr.
    Entry* take_out(word key) { return unlink(place_of(key)); }

    /// Removes this entry. Returns false if the table does not hold it.
    bool take_out(const Entry& entry) {
        Entry** place = bucket_of(entry.key());
        while (*place != nullptr && *place != &entry)
            place = &(*place)->next;
        return unlink(place) != nullptr;
    }

    template <class Each>
    void for_each(Each each) const {
        for (std::size_t i = 0; i < bucket_count(); ++i)
            for (Entry *entry = all_buckets()[i], *next = nullptr; entry != nullptr; entry = next) {
                next = entry->next; // because `each` may free the entry
                each(*entry);
            }
    }

    /// Removes all entries; `each` may free them.
    template <class Each>
    void clear(Each each) {
        for_each(each);
        std::free(buckets);
        *this = {};
    }

private:
    static constexpr int first_bits = 6;

    std::size_t bucket_count() const { return std::size_t{1} << bits; }
    Entry* const* all_buckets() const { return buckets != nullptr ? buckets : &only; }
    Entry** all_buckets() { return buckets != nullptr ? buckets : &only; }

    /// Keys are consecutive numbers or addresses, so the hash takes the upper bits of a product, which depend on all
    /// bits.
    std::size_t bucket_number(word key) const { return key * 0x9e3779b97f4a7c15U >> 1 >> (63 - bits); }
    Entry** bucket_of(word key) { return &all_buckets()[bucket_number(key)]; }

    Entry** place_of(word key) {
        Entry** place = bucket_of(key);
        while (*place != nullptr && (*place)->key() != key)
            place = &(*place)->next;
        return place;
    }
    Entry* const* place_of(word key) const { return const_cast<entry_table*>(this)->place_of(key); }

    Entry* unlink(Entry** place) {
        Entry* const gone = *place;
        if (gone == nullptr)
            return nullptr;
        *place = gone->next;
        --entries;
        return gone;
    }

    /// Doubles the number of buckets. If memory is exhausted, the table keeps its buckets and the chains become longer.
    void grow() {
        const int more = bits != 0 ? bits + 1 : first_bits;
        auto** const fresh = static_cast<Entry**>(std::calloc(std::size_t{1} << more, sizeof(Entry*)));
        if (fresh == nullptr)
            return;
        entry_table larger;
        larger.buckets = fresh;
        larger.bits = more;
        for_each([&larger](Entry& entry) { larger.add(&entry); });
        std::free(buckets);
        *this = larger;
    }

    Entry** buckets = nullptr;
    Entry* only = nullptr; // the only bucket of a small table
    int bits = 0;
    std::size_t entries = 0;
};

} // namespace anympi
