#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

// Copies of the program's statuses in the layout of the library, for the duration of a call. Each release defines
// older_status, newer_status, is_ignored, to_newer and to_older (mpich_3_0.cpp, openmpi_1_4.cpp).

namespace anympi::older {

/// The private part of a status in two words: the layout of MPICH since 3.1. anympi uses the same layout for Open MPI
/// 1.4, whose count has too few bits.
struct private_words {
    int low;
    int high_and_cancelled; // bit 0: cancelled
};

constexpr private_words pack_private(std::int64_t bytes, int cancelled) {
    return {static_cast<int>(bytes), static_cast<int>(bytes >> 32 << 1 | (cancelled & 1))};
}
constexpr std::int64_t bytes_of(private_words words) {
    const auto high = static_cast<std::uint32_t>(words.high_and_cancelled) >> 1;
    return static_cast<std::int64_t>(high) << 32 | static_cast<std::uint32_t>(words.low);
}
constexpr int cancelled_of(private_words words) {
    return words.high_and_cancelled & 1;
}

static_assert(bytes_of(pack_private(0x511223344, 1)) == 0x511223344 && cancelled_of(pack_private(0x511223344, 1)) == 1);

template <class Older, class Newer, class Rules>
class copied_statuses {
public:
    /// All fields are copied, because a call leaves some of them unchanged.
    copied_statuses(const Older* program, int count) : count_(count > 0 ? count : 0) {
        if (Rules::is_ignored(program)) {
            argument_ = reinterpret_cast<Newer*>(const_cast<Older*>(program)); // the same value in both layouts
            count_ = 0;
            return;
        }
        argument_ = few_;
        if (count_ > most_on_stack)
            argument_ = allocated_ = static_cast<Newer*>(std::malloc(sizeof(Newer) * static_cast<std::size_t>(count_)));
        if (argument_ == nullptr)
            std::abort(); // no function was called, so no other process is waiting
        for (int i = 0; i < count_; i++)
            argument_[i] = Rules::to_newer(program[i]);
    }
    ~copied_statuses() { std::free(allocated_); }
    copied_statuses(const copied_statuses&) = delete;
    copied_statuses& operator=(const copied_statuses&) = delete;

    Newer* argument() const { return argument_; }

    void write_back(Older* program) const {
        for (int i = 0; i < count_; i++)
            program[i] = Rules::to_older(argument_[i]);
    }

private:
    static constexpr int most_on_stack = 8;
    Newer few_[most_on_stack];
    Newer* argument_ = nullptr;
    Newer* allocated_ = nullptr;
    int count_;
};

} // namespace anympi::older
