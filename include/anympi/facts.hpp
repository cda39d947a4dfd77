// Facts of an object of MPI that never change. The library is asked for each fact only once.
#ifndef ANYMPI_FACTS_HPP
#define ANYMPI_FACTS_HPP

#include <atomic>

#include "requirements.hpp"

namespace anympi::shared {

namespace kinds {
struct Comm;
}

/// A number that is asked for once. Threads that ask at the same time store the same answer, so nothing is locked.
template <class T>
class Known {
public:
    static constexpr T unknown = -1;
    [[nodiscard]] T get() const noexcept { return number_.load(std::memory_order_relaxed); }
    void set(T number) const noexcept { number_.store(number, std::memory_order_relaxed); }
    void take(Known& other) noexcept { number_ = other.number_.exchange(unknown); }

private:
    mutable std::atomic<T> number_{unknown};
};

/// The facts of an object. Only communicators have facts.
template <class Kind>
struct Facts {
    void take(Facts&) noexcept {}
    void forget() noexcept {}
};
/// The facts of a communicator. No fact of a null handle is known.
template <>
struct Facts<kinds::Comm> {
    Known<MPI_Count> members; // the size, if there is only one group; first, since its address is at hand
    Known<int> rank, size, is_inter, remote_size;
    Known<int> member; // the rank, if there is only one group

    /// Returns the size of the first buffer that was divided into equal blocks, one for each process. Most programs
    /// divide buffers of one size again and again, and a division costs more than a call of MPI may cost.
    [[nodiscard]] MPI_Count divided() const noexcept { return divided_.load(std::memory_order_acquire); }
    [[nodiscard]] MPI_Count block() const noexcept { return block_.load(std::memory_order_relaxed); }
    /// Remembers the first division. The block is stored first, so that a thread that sees the size also sees
    /// the block.
    void divide(MPI_Count whole, MPI_Count block) const noexcept {
        MPI_Count none = unknown;
        if (block_.compare_exchange_strong(none, block))
            divided_.store(whole, std::memory_order_release);
    }

    /// Moves all facts, together with the handle.
    void take(Facts& other) noexcept {
        rank.take(other.rank);
        size.take(other.size);
        is_inter.take(other.is_inter);
        remote_size.take(other.remote_size);
        members.take(other.members);
        member.take(other.member);
        block_ = other.block_.exchange(unknown);
        divided_ = other.divided_.exchange(unknown);
    }
    void forget() noexcept {
        Facts nothing;
        take(nothing);
    }

private:
    static constexpr MPI_Count unknown = Known<MPI_Count>::unknown;
    mutable std::atomic<MPI_Count> block_{unknown}, divided_{unknown};
};

/// A pointer to the facts of an object. It takes no room for kinds without facts.
template <class Kind>
struct FactsPointer {
    constexpr FactsPointer(const Facts<Kind>*) noexcept {}
    [[nodiscard]] constexpr const Facts<Kind>* get() const noexcept { return nullptr; }
};
template <>
class FactsPointer<kinds::Comm> {
public:
    constexpr FactsPointer(const Facts<kinds::Comm>* facts) noexcept : facts_(facts) {}
    [[nodiscard]] constexpr const Facts<kinds::Comm>* get() const noexcept { return facts_; }

private:
    const Facts<kinds::Comm>* facts_;
};

} // namespace anympi::shared

#endif
