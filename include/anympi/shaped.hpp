// Buffers that say themselves where their elements are: std::mdspan and similar classes, and ranges with a stride. Each
// shape has one datatype, which is made at first use and kept until MPI ends.
#ifndef ANYMPI_SHAPED_HPP
#define ANYMPI_SHAPED_HPP

#include <array>
#include <atomic>
#include <concepts>
#include <iterator>
#include <map>

#include "datatype.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// The functions by which std::mdspan and similar classes describe their elements. An accessor that changes the values
/// and a layout that may lack strides are not allowed.
template <class M>
concept StridedLayout = requires(const M& layout, std::size_t dimension) {
    { layout.data_handle() } -> std::convertible_to<const typename M::element_type*>;
    layout.extent(dimension);
    layout.stride(dimension);
    M::rank();
    requires Communicable<typename M::element_type>;
    requires !requires {
        typename M::reference;
    }
    || requires {
        requires std::same_as<typename M::reference, typename M::element_type&>;
    };
    requires !requires {
        M::is_always_strided();
    }
    || requires {
        requires M::is_always_strided();
    };
};

namespace detail {

template <class R>
using BaseElement = std::remove_reference_t<decltype(*std::data(std::declval<const R&>().base()))>;

} // namespace detail

/// Every n-th element of a contiguous range, as std::views::stride makes it. The range must not own its elements if
/// base() returns a copy of it.
template <class R>
concept StridedRange = requires(const R& range) {
    { range.stride() } -> std::integral;
    { range.size() } -> std::integral;
    requires Communicable<detail::BaseElement<R>>;
    requires std::is_reference_v<decltype(range.base())> ||
        std::ranges::enable_borrowed_range<std::remove_cvref_t<decltype(range.base())>>;
    requires !requires {
        std::data(range);
    };
};

/// Buffers that say where their elements are.
template <class B>
concept Shaped = StridedLayout<B> || StridedRange<B>;

namespace detail {

/// Elements at equal distances: how many there are, and how many bytes lie between their beginnings.
struct Step {
    MPI_Count count;
    MPI_Count bytes;
    friend auto operator<=>(const Step&, const Step&) = default;
};

/// The functions of a shaped buffer: its element type, its first element, and its steps, the outermost first.
template <class B>
struct ShapeOf;
template <StridedLayout M>
struct ShapeOf<M> {
    using element = typename M::element_type;
    static constexpr std::size_t dimensions = std::size_t{M::rank()};
    static element* data(const M& layout) { return layout.data_handle(); }
    static auto steps(const M& layout) {
        std::array<Step, dimensions> all{};
        for (std::size_t dimension = 0; dimension < dimensions; ++dimension)
            all[dimension] = {static_cast<MPI_Count>(layout.extent(dimension)),
                              static_cast<MPI_Count>(layout.stride(dimension)) * MPI_Count{sizeof(element)}};
        return all;
    }
};
template <StridedRange R>
struct ShapeOf<R> {
    using element = BaseElement<R>;
    static constexpr std::size_t dimensions = 1;
    static element* data(const R& range) { return std::data(range.base()); }
    static auto steps(const R& range) {
        return std::array<Step, 1>{Step{static_cast<MPI_Count>(range.size()),
                                        static_cast<MPI_Count>(range.stride()) * MPI_Count{sizeof(element)}}};
    }
};

/// Returns the number of elements if they lie one after the other, else -1.
template <std::size_t dimensions>
MPI_Count contiguous_elements(const std::array<Step, dimensions>& steps, MPI_Count size_of_one) {
    MPI_Count all = 1;
    bool is_contiguous = true;
    for (std::size_t dimension = dimensions; dimension-- > 0;) {
        const auto [count, bytes] = steps[dimension];
        is_contiguous = is_contiguous && (count <= 1 || bytes == all * size_of_one);
        all *= count;
    }
    return is_contiguous || all == 0 ? all : -1;
}

template <std::size_t dimensions>
Fault make_steps(const std::array<Step, dimensions>& steps, MPI_Datatype element, MPI_Datatype* made) {
    Owned<TypeKind> inner(element, false);
    if (dimensions == 0)
        return MPI_Type_dup(element, made);
    for (std::size_t dimension = dimensions; dimension-- > 0;) {
        if (const Fault fault = make_hvector(steps[dimension].count, steps[dimension].bytes, inner.handle(), made))
            return fault;
        inner = Owned<TypeKind>(*made, true);
    }
    *made = inner.release();
    return MPI_SUCCESS;
}

/// The datatypes of all shapes of one type of elements.
template <class T, std::size_t dimensions>
class ShapeTypes final : shared::CachedHandleBase {
public:
    using Steps = std::array<Step, dimensions>;

    /// Returns the null handle if the datatype cannot be made: every call of MPI reports a null handle.
    MPI_Datatype get(const Steps& steps) {
        const Entry* const last = last_.load(std::memory_order_acquire);
        return last && last->first == steps ? last->second : find(steps);
    }

private:
    using Types = std::map<Steps, MPI_Datatype>;
    using Entry = typename Types::value_type;

    [[gnu::noinline]] MPI_Datatype find(const Steps& steps) {
        const std::lock_guard lock(mutex);
        auto place = types_ ? types_->find(steps) : typename Types::iterator();
        if (!types_ || place == types_->end()) {
            Owned<TypeKind> type(make(steps), true);
            if (type.is_null())
                return type.handle();
            if (!types_) {
                types_ = new Types;
                link();
            }
            place = types_->emplace(steps, type.handle()).first;
            static_cast<void>(type.release());
        }
        last_.store(&*place, std::memory_order_release);
        return place->second;
    }
    static MPI_Datatype make(const Steps& steps) {
        MPI_Datatype made = MPI_DATATYPE_NULL;
        if (has_ended() || make_steps(steps, datatype<T>(), &made))
            return MPI_DATATYPE_NULL; // after the end of MPI, the call that uses the handle reports this
        return committed(made);
    }
    void drop() override {
        last_.store(nullptr);
        for (auto& [steps, type] : *types_)
            MPI_Type_free(&type);
        delete types_;
        types_ = nullptr;
    }
    std::atomic<const Entry*> last_ = nullptr; // the entry that was used last: most programs use one shape for a while
    Types* types_ = nullptr; // a pointer, because MPI may end after the destructors of global variables
};
template <class T, std::size_t dimensions>
inline ShapeTypes<T, dimensions> shape_types;

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
