// Where the parts of different processes are in one buffer.
#ifndef ANYMPI_LAYOUT_HPP
#define ANYMPI_LAYOUT_HPP

#include <algorithm>
#include <vector>

#include "buffer.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// Counts and displacements, in elements, one for each process.
class Layout {
public:
    Layout() = default;
    /// One part after the other.
    template <class Counts>
    static Layout packed(const Counts& counts) {
        Layout layout;
        MPI_Aint next = 0;
        for (const auto count : counts) {
            layout.counts_.push_back(static_cast<MPI_Count>(count));
            layout.displacements_.push_back(next);
            next += static_cast<MPI_Aint>(count);
        }
        return layout;
    }
    static Layout packed(std::initializer_list<MPI_Count> counts) {
        return packed(std::span(counts.begin(), counts.size()));
    }
    template <class Counts, class Displacements>
    static result<Layout> at(const Counts& counts, const Displacements& displacements) {
        if (std::size(counts) != std::size(displacements))
            ANYMPI_FAIL((detail::Fault{MPI_ERR_COUNT, "as many displacements as counts are needed"}), "Layout::at",
                        detail::Nowhere{});
        Layout layout = packed(counts);
        std::transform(std::begin(displacements), std::end(displacements), layout.displacements_.begin(),
                       [](const auto& displacement) { return static_cast<MPI_Aint>(displacement); });
        return layout;
    }

    [[nodiscard]] std::size_t parts() const noexcept { return counts_.size(); }
    [[nodiscard]] const std::vector<MPI_Count>& counts() const noexcept { return counts_; }
    [[nodiscard]] const std::vector<MPI_Aint>& displacements() const noexcept { return displacements_; }
    [[nodiscard]] MPI_Count total() const noexcept {
        MPI_Count sum = 0;
        for (const MPI_Count count : counts_)
            sum += count;
        return sum;
    }
    /// How many elements a buffer must have.
    [[nodiscard]] MPI_Count reach() const noexcept {
        MPI_Count end = 0;
        for (std::size_t part = 0; part < counts_.size(); ++part)
            if (counts_[part] > 0)
                end = std::max<MPI_Count>(end, displacements_[part] + counts_[part]);
        return end;
    }

private:
    std::vector<MPI_Count> counts_;
    std::vector<MPI_Aint> displacements_;
};

/// Buffers of any types, one for each process, for alltoallw.
class SendBlocks {
public:
    template <SendBuffer... B>
    static SendBlocks of(const B&... buffers) {
        SendBlocks blocks;
        (blocks.add(buffers), ...);
        return blocks;
    }
    template <SendBuffer B>
    void add(const B& buffer) {
        views_.push_back(detail::reading(buffer));
    }
    [[nodiscard]] const std::vector<detail::ReadView>& views() const noexcept { return views_; }

private:
    std::vector<detail::ReadView> views_;
};
class ReceiveBlocks {
public:
    template <LastingReceiveBuffer... B>
    static ReceiveBlocks of(B&&... buffers) {
        ReceiveBlocks blocks;
        (blocks.add(buffers), ...);
        return blocks;
    }
    template <LastingReceiveBuffer B>
    void add(B&& buffer) {
        views_.push_back(detail::writing(buffer));
    }
    [[nodiscard]] const std::vector<detail::WriteView>& views() const noexcept { return views_; }

private:
    std::vector<detail::WriteView> views_;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
