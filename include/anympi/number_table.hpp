// Values by numbers, such as handles. Several values may have the same number.
//
// Compiling a std::map for one type of values takes as long as reading hundreds of lines, and every program that
// includes the headers would pay for it.
#ifndef ANYMPI_NUMBER_TABLE_HPP
#define ANYMPI_NUMBER_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <utility>

#pragma GCC visibility push(default)
namespace anympi::shared {

/// A hash table. The values stay at their places until they are removed.
template <class Value>
class NumberTable {
    struct Entry {
        Entry* next;
        std::uintptr_t number;
        Value value;
    };

public:
    NumberTable() = default;
    NumberTable(const NumberTable&) = delete;
    NumberTable& operator=(const NumberTable&) = delete;
    ~NumberTable() {
        for (std::size_t place = 0; place < size_; ++place)
            while (Entry* first = lists_[place]) {
                lists_[place] = first->next;
                delete first;
            }
        delete[] lists_;
    }

    /// Returns a value with this number, or nullptr.
    [[nodiscard]] Value* find(std::uintptr_t number) noexcept {
        Entry** const found = link_to(number);
        return found ? &(*found)->value : nullptr;
    }
    Value& add(std::uintptr_t number, Value value) {
        if (entries_ == size_)
            grow();
        Entry*& first = list_of(number);
        first = new Entry{first, number, std::move(value)};
        ++entries_;
        return first->value;
    }
    /// Removes the value that find() returns.
    void remove(std::uintptr_t number) noexcept {
        if (Entry** const found = link_to(number)) {
            delete std::exchange(*found, (*found)->next);
            --entries_;
        }
    }
    /// Calls `use(value)` for each value with this number until it returns false. Returns the last result.
    template <class Use>
    bool all_of(std::uintptr_t number, Use use) {
        for (Entry* entry = size_ ? list_of(number) : nullptr; entry; entry = entry->next)
            if (entry->number == number && !use(entry->value))
                return false;
        return true;
    }

private:
    Entry*& list_of(std::uintptr_t number) noexcept {
        return lists_[(number ^ (number >> 4) ^ (number >> 12)) & (size_ - 1)]; // the last bits of addresses are 0
    }
    /// Returns the pointer that leads to an entry, or nullptr.
    Entry** link_to(std::uintptr_t number) noexcept {
        for (Entry** link = size_ ? &list_of(number) : nullptr; link && *link; link = &(*link)->next)
            if ((*link)->number == number)
                return link;
        return nullptr;
    }
    void grow() {
        NumberTable larger;
        larger.size_ = size_ ? size_ * 2 : 8;
        larger.lists_ = new Entry* [larger.size_] {};
        for (std::size_t place = 0; place < size_; ++place)
            while (Entry* const first = lists_[place]) {
                lists_[place] = first->next;
                first->next = std::exchange(larger.list_of(first->number), first);
            }
        std::swap(lists_, larger.lists_);
        std::swap(size_, larger.size_);
    }
    Entry** lists_ = nullptr;
    std::size_t size_ = 0; // a power of two, or 0
    std::size_t entries_ = 0;
};

} // namespace anympi::shared
#pragma GCC visibility pop

#endif
