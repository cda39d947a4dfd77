// An array whose size does not change.
//
// The compiler takes a small part of the time for it that it takes for a std::vector of another type, and functions
// that are not templates are compiled in every program that includes the headers.
#ifndef ANYMPI_ROOM_HPP
#define ANYMPI_ROOM_HPP

#include <cstddef>
#include <utility>

#pragma GCC visibility push(default)
namespace anympi::shared {

/// An array of elements that begin as T().
template <class T>
class Room {
public:
    Room() = default;
    explicit Room(std::size_t size) : elements_(new T[size]()), size_(size) {}
    Room(Room&& other) noexcept
        : elements_(std::exchange(other.elements_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Room& operator=(Room&& other) noexcept {
        std::swap(elements_, other.elements_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Room() { delete[] elements_; }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T* data() noexcept { return elements_; }
    [[nodiscard]] const T* data() const noexcept { return elements_; }
    [[nodiscard]] T& operator[](std::size_t place) noexcept { return elements_[place]; }
    [[nodiscard]] const T& operator[](std::size_t place) const noexcept { return elements_[place]; }
    [[nodiscard]] T* begin() noexcept { return elements_; }
    [[nodiscard]] T* end() noexcept { return elements_ + size_; }
    [[nodiscard]] const T* begin() const noexcept { return elements_; }
    [[nodiscard]] const T* end() const noexcept { return elements_ + size_; }

private:
    T* elements_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace anympi::shared
#pragma GCC visibility pop

#endif
