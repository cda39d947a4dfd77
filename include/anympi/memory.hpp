// Memory that the MPI library allocates. Sending from it and access by other processes may be faster.
#ifndef ANYMPI_MEMORY_HPP
#define ANYMPI_MEMORY_HPP

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "info.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {

/// The largest number of elements whose bytes MPI can count.
template <class T>
inline constexpr std::size_t most_elements = static_cast<std::size_t>(std::numeric_limits<MPI_Aint>::max()) / sizeof(T);

} // namespace detail

/// An allocator for containers: std::vector<double, Allocator<double>>, or Vector<double>. The containers must be
/// destroyed before MPI ends. If there is no memory, the allocator throws std::bad_alloc (without exceptions, it ends
/// the program).
template <class T>
class Allocator {
public:
    using value_type = T;

    Allocator() noexcept = default;
    /// Passes hints to the library, as MPI_Alloc_mem takes them.
    explicit Allocator(Info hints) : hints_(std::make_shared<const Info>(std::move(hints))) {}
    template <class Other>
    Allocator(const Allocator<Other>& other) noexcept : hints_(other.hints()) {}

    [[nodiscard]] T* allocate(std::size_t count) {
        T* memory = nullptr;
        if (count > detail::most_elements<T> || detail::has_ended() ||
            MPI_Alloc_mem(static_cast<MPI_Aint>(count * sizeof(T)), hints_ ? hints_->handle() : MPI_INFO_NULL,
                          static_cast<void*>(&memory)) != MPI_SUCCESS)
            fail();
        return memory;
    }
    void deallocate(T* memory, std::size_t) noexcept {
        if (!detail::has_ended())
            MPI_Free_mem(memory);
    }
    [[nodiscard]] const std::shared_ptr<const Info>& hints() const noexcept { return hints_; }
    /// Always equal: the library takes back memory from any allocator.
    template <class Other>
    friend bool operator==(const Allocator&, const Allocator<Other>&) noexcept {
        return true;
    }

private:
    [[noreturn]] static void fail() {
#ifdef __cpp_exceptions
        throw std::bad_alloc();
#else
        std::abort();
#endif
    }
    std::shared_ptr<const Info> hints_;
};

/// A std::vector in the library's memory.
template <class T>
using Vector = std::vector<T, Allocator<T>>;

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
