// The places of the processes' parts in one buffer.
#ifndef ANYMPI_LAYOUT_HPP
#define ANYMPI_LAYOUT_HPP

#include <algorithm>
#include <concepts>
#include <memory>
#include <vector>

#include "buffer.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

namespace detail {
inline constexpr const char* too_small = "the buffer is too small for the data";
inline constexpr const char* wrong_parts = "one count for each process is needed";
inline constexpr const char* before_buffer = "a part has a negative size, or begins before the buffer";
} // namespace detail

/// Numbers of elements, one for each process. Buffers of floating-point numbers are excluded.
template <class C>
concept PartSizes = requires(const C& counts) {
    requires std::integral<std::remove_cvref_t<decltype(*std::begin(counts))>>;
    std::end(counts);
};

/// Counts and displacements in elements, one of each for every process. A layout never changes, and its copies share
/// the numbers, so that calls and requests keep it without copying them.
class Layout {
public:
    Layout() = default;
    /// Each part follows the one before.
    template <PartSizes Counts>
    static Layout packed(const Counts& counts) {
        std::vector<MPI_Aint> places;
        MPI_Aint next = 0;
        for (const auto count : counts) {
            places.push_back(next);
            next = static_cast<MPI_Aint>(detail::sum(next, static_cast<MPI_Count>(count)));
        }
        return Layout(counts, std::move(places));
    }
    static Layout packed(std::initializer_list<MPI_Count> counts) {
        return packed(std::span(counts.begin(), counts.size()));
    }
    /// Parts at given places: at(counts, displacements(places)).
    template <PartSizes Counts, PartSizes Places>
    static ANYMPI_CALLS result<Layout> at(const Counts& counts, Displacements<Places> displacements) {
        const Places& places = displacements.places;
        if (std::size(counts) != std::size(places))
            ANYMPI_FAIL((detail::Fault{MPI_ERR_COUNT, "the numbers of displacements and counts differ"}), "Layout::at",
                        detail::Nowhere{});
        std::vector<MPI_Aint> at;
        for (const auto& place : places)
            at.push_back(static_cast<MPI_Aint>(place));
        return Layout(counts, std::move(at));
    }

    [[nodiscard]] std::size_t parts() const noexcept { return counts().size(); }
    [[nodiscard]] const std::vector<MPI_Count>& counts() const noexcept { return numbers().counts; }
    [[nodiscard]] const std::vector<MPI_Aint>& displacements() const noexcept { return numbers().displacements; }
    /// Return the arrays for functions of MPI. The layout must live as long as the call or its request.
    [[nodiscard]] auto passed_counts() const noexcept { return shared::passed(counts(), numbers().small_counts); }
    [[nodiscard]] auto passed_displacements() const noexcept {
        return shared::passed(displacements(), numbers().small_displacements);
    }
    [[nodiscard]] MPI_Count total() const noexcept {
        MPI_Count all = 0;
        for (const MPI_Count count : counts())
            all = detail::sum(all, count);
        return all;
    }
    /// Returns how many elements a buffer must have.
    [[nodiscard]] MPI_Count reach() const noexcept { return numbers().reach; }
    /// Checks that the layout has this number of parts and fits into a buffer of `held` elements.
    [[nodiscard]] detail::Fault check(int parts, MPI_Count held) const {
        if (this->parts() != static_cast<std::size_t>(parts))
            return {MPI_ERR_COUNT, detail::wrong_parts};
        if (!numbers().are_valid)
            return {MPI_ERR_COUNT, detail::before_buffer};
        return reach() > held ? detail::Fault{MPI_ERR_COUNT, detail::too_small} : detail::Fault{MPI_SUCCESS};
    }

private:
    struct Numbers {
        std::vector<MPI_Count> counts{};
        std::vector<MPI_Aint> displacements{};
        MPI_Count reach = 0;
        bool are_valid = true; // no part is negative or begins before the buffer
        [[no_unique_address]] shared::SmallNumbers small_counts{};
        [[no_unique_address]] shared::SmallNumbers small_displacements{};
    };
    template <class Counts>
    Layout(const Counts& counts, std::vector<MPI_Aint> places) {
        const auto made = std::make_shared<Numbers>();
        for (const auto count : counts)
            made->counts.push_back(static_cast<MPI_Count>(count));
        made->displacements = std::move(places);
        for (std::size_t part = 0; part < made->counts.size(); ++part) {
            const MPI_Count count = made->counts[part], place = made->displacements[part];
            made->are_valid = made->are_valid && count >= 0 && (count == 0 || place >= 0);
            if (count > 0)
                made->reach = std::max<MPI_Count>(made->reach, detail::sum(place, count));
        }
        made->small_counts = shared::SmallNumbers(made->counts);
        made->small_displacements = shared::SmallNumbers(made->displacements);
        numbers_ = made;
    }
    [[nodiscard]] const Numbers& numbers() const noexcept {
        static const Numbers none;
        return numbers_ ? *numbers_ : none;
    }
    std::shared_ptr<const Numbers> numbers_;
};

/// A last argument that asks for the layout too: auto [values, layout] = world.allgatherv(mine, with_layout).
struct WithLayout {};
inline constexpr WithLayout with_layout;
/// The received data, or the request that will receive it, and the places of the processes' parts in it.
template <class V>
struct AndLayout {
    V value;
    Layout layout;
};

namespace detail {

/// One variable for each type. Its address identifies the type, so that take() can check the type of the buffer.
template <class T>
inline constexpr char type_mark = 0;

/// Views of buffers of any types, and the buffers that were given away.
template <class View>
class BlockList {
public:
    [[nodiscard]] const std::vector<View>& views() const noexcept { return views_; }
    [[nodiscard]] const std::vector<Keep>& keeps() const noexcept { return keeps_; }
    [[nodiscard]] std::size_t size() const noexcept { return views_.size(); }
    /// Returns true if some of the memory belongs to the program.
    [[nodiscard]] bool borrows() const noexcept { return borrows_; }

protected:
    /// Adds a borrowed buffer. `keep` may own the view's datatype.
    void borrow(const View& view, Keep keep = {}) {
        own(view, std::move(keep));
        borrows_ = true;
    }
    void own(const View& view, Keep keep) {
        views_.push_back(view);
        keeps_.push_back(std::move(keep));
    }

private:
    std::vector<View> views_;
    std::vector<Keep> keeps_;
    bool borrows_ = false;
};

} // namespace detail

/// Buffers of any types to send, one for each process, for alltoallw. The blocks, and a request that is made of them,
/// own arguments that are temporaries or given with std::move. All others are borrowed.
class SendBlocks : public detail::BlockList<detail::ReadView> {
public:
    template <SendBuffer... B>
    static SendBlocks of(B&&... buffers) {
        SendBlocks blocks;
        (blocks.add(std::forward<B>(buffers)), ...);
        return blocks;
    }
    template <SendBuffer B>
    void add(B&& buffer) {
        if constexpr (detail::given_away<B>) {
            const auto owned = std::make_shared<const std::remove_cvref_t<B>>(std::forward<B>(buffer));
            own(detail::reading(*owned), owned);
        } else if constexpr (detail::must_be_held<B>) { // the datatype may end with the view
            const auto view = std::make_shared<const std::remove_cvref_t<B>>(buffer);
            borrow(detail::reading(*view), view);
        } else {
            borrow(detail::reading(buffer));
        }
    }
};

/// Buffers of any types to receive into. Blocks that own a buffer are moved into the request, which returns them when
/// it is complete. take() then returns the received data. A persistent operation needs the buffers again, so take()
/// returns copies.
class ReceiveBlocks : public detail::BlockList<detail::WriteView> {
public:
    ReceiveBlocks() = default;
    ReceiveBlocks(ReceiveBlocks&&) = default;
    ReceiveBlocks& operator=(ReceiveBlocks&&) = default;

    template <ReceiveBuffer... B>
    static ReceiveBlocks of(B&&... buffers) {
        ReceiveBlocks blocks;
        (blocks.add(std::forward<B>(buffers)), ...);
        return blocks;
    }
    template <ReceiveBuffer B>
    void add(B&& buffer) {
        using Buffer = std::remove_cvref_t<B>;
        if constexpr (detail::given_away<B>) {
            const auto owned = std::make_shared<Buffer>(std::forward<B>(buffer));
            own(detail::writing(*owned), owned);
            given_.resize(size());
            given_.back() = {owned.get(), &detail::type_mark<Buffer>};
        } else if constexpr (detail::must_be_held<B>) {
            const auto view = std::make_shared<const Buffer>(buffer);
            borrow(detail::writing(*view), view);
        } else {
            borrow(detail::writing(buffer));
        }
    }
    [[nodiscard]] bool has_given() const noexcept {
        return std::any_of(given_.begin(), given_.end(), [](const Given& one) { return one.mark != nullptr; });
    }
    /// Returns the buffer for process number `part`, which was given away as a B.
    template <class B>
    [[nodiscard]] ANYMPI_CALLS result<B> take(std::size_t part) {
        if (part >= given_.size() || given_[part].mark != &detail::type_mark<B>)
            ANYMPI_FAIL((detail::Fault{MPI_ERR_BUFFER, "no buffer of this type was given away for this process"}),
                        "ReceiveBlocks::take", detail::Nowhere{});
        auto* const buffer = static_cast<B*>(given_[part].buffer);
        if (keeps_buffers_) {
            if constexpr (std::copy_constructible<B>)
                return B(*buffer);
            ANYMPI_FAIL((detail::Fault{MPI_ERR_BUFFER, "the persistent operation needs this buffer, which cannot be "
                                                       "copied"}),
                        "ReceiveBlocks::take", detail::Nowhere{});
        }
        given_[part].mark = nullptr;
        return std::move(*buffer);
    }

private:
    friend class Collectives;
    friend class NeighborComm;
    /// Used by persistent operations, which receive into the buffers again: take() returns copies.
    void keep() noexcept { keeps_buffers_ = true; }

    struct Given {
        void* buffer = nullptr;
        const char* mark = nullptr; // identifies its type; null for a buffer that is borrowed, or taken back
    };
    std::vector<Given> given_; // by part
    bool keeps_buffers_ = false;
};

/// Blocks to receive into, forwarded: borrowed, or moved into a request.
template <class R>
concept ReceiveBlocksOf = std::same_as<std::remove_cvref_t<R>, ReceiveBlocks>;

namespace detail {
template <>
inline constexpr bool is_placeless<SendBlocks> = true;
template <>
inline constexpr bool is_placeless<ReceiveBlocks> = true;
} // namespace detail

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
