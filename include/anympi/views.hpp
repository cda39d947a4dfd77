// Elements that are not contiguous: strided, indexed and boxed parts of a buffer, and layouts such as std::mdspan's. A
// view refers to its elements; it can be sent and received into, but not reduced.
#ifndef ANYMPI_VIEWS_HPP
#define ANYMPI_VIEWS_HPP

#include <algorithm>
#include <concepts>
#include <limits>
#include <memory>

#include "buffer.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// Memory with a datatype that selects elements. The view owns the datatype.
template <class T>
class View {
public:
    using typed_view = void;
    using value_type = std::remove_const_t<T>;
    static constexpr bool is_writable = !std::is_const_v<T>;
    static constexpr bool owns_datatype = true;

    View(T* data, Datatype type, MPI_Count count = 1)
        : data_(data), count_(count), type_(std::make_shared<const Datatype>(std::move(type))) {}
    [[nodiscard]] T* data() const noexcept { return data_; }
    [[nodiscard]] MPI_Count count() const noexcept { return count_; }
    [[nodiscard]] MPI_Datatype type() const noexcept { return type_->handle(); }

private:
    T* data_;
    MPI_Count count_;
    std::shared_ptr<const Datatype> type_;
};

/// Memory from which a Pattern selects elements. The Pattern must outlive it, and the requests that it is used for.
template <class T>
class Selection {
public:
    using typed_view = void;
    using value_type = std::remove_const_t<T>;
    static constexpr bool is_writable = !std::is_const_v<T>;
    static constexpr bool owns_datatype = false;

    Selection(T* data, MPI_Datatype type, MPI_Count count) noexcept : data_(data), count_(count), type_(type) {}
    [[nodiscard]] T* data() const noexcept { return data_; }
    [[nodiscard]] MPI_Count count() const noexcept { return count_; }
    [[nodiscard]] MPI_Datatype type() const noexcept { return type_; }

private:
    T* data_;
    MPI_Count count_;
    MPI_Datatype type_;
};

namespace detail {

/// Returns the fault of a view that needs the first `reach` elements of a buffer with `size` elements.
inline Fault fault_of_reach(MPI_Count reach, MPI_Count size) {
    if (reach < 0 || reach > size) [[unlikely]]
        return {MPI_ERR_ARG, "the view reaches outside its buffer"};
    return MPI_SUCCESS;
}
/// The number of elements of T that any memory can hold.
template <class T>
inline constexpr MPI_Count most_in_memory = (std::numeric_limits<MPI_Count>::max() - 1) / MPI_Count{sizeof(T)};

template <class B>
using Accessed = std::remove_reference_t<decltype(*std::data(std::declval<B&>()))>;

} // namespace detail

/// A datatype that selects elements of any buffer. It is made once: using it allocates nothing.
///
///     const auto column = anympi::Pattern<double>::strided(rows, 1, columns);
///     world.send(column(matrix), 1);
template <Communicable T>
class [[nodiscard]] Pattern {
public:
    /// Selects `count` blocks of `blocklength` elements. The beginnings of the blocks are `stride` elements apart.
    static ANYMPI_CALLS result<Pattern> strided(MPI_Count count, MPI_Count blocklength, MPI_Count stride) {
        const bool is_negative = count < 0 || blocklength < 0 || stride < 0;
        const MPI_Count reach = count > 0 ? detail::sum(detail::product(count - 1, stride), blocklength) : 0;
        ANYMPI_REQUIRE(detail::Nowhere{}, "strided", check(is_negative ? -1 : reach));
        return make("strided", reach, Datatype::vector(count, blocklength, stride, Datatype::of<T>()));
    }
    /// Selects blocks of different lengths at different places.
    static ANYMPI_CALLS result<Pattern> indexed(std::span<const MPI_Count> lengths, std::span<const MPI_Count> places) {
        MPI_Count reach = 0;
        for (std::size_t block = 0; block < lengths.size() && block < places.size(); ++block) {
            const bool is_negative = lengths[block] < 0 || places[block] < 0;
            ANYMPI_REQUIRE(detail::Nowhere{}, "indexed", check(is_negative ? -1 : reach));
            reach = std::max(reach, detail::sum(places[block], lengths[block]));
        }
        ANYMPI_REQUIRE(detail::Nowhere{}, "indexed", check(reach));
        return make("indexed", reach, Datatype::indexed(lengths, places, Datatype::of<T>()));
    }
    /// Selects a box in an array of several dimensions; the last dimension is contiguous.
    static ANYMPI_CALLS result<Pattern> boxed(std::span<const MPI_Count> sizes, std::span<const MPI_Count> subsizes,
                                              std::span<const MPI_Count> starts) {
        MPI_Count reach = 1;
        for (const MPI_Count size : sizes)
            reach = detail::product(reach, size);
        ANYMPI_REQUIRE(detail::Nowhere{}, "boxed", check(reach));
        return make("boxed", reach, Datatype::subarray(sizes, subsizes, starts, Datatype::of<T>()));
    }
    /// Selects `count` times a datatype that was described at run time.
    static ANYMPI_CALLS result<Pattern> typed(const Datatype& type, MPI_Count count = 1) {
        MPI_Count lower = 0, extent = 0, true_lower = 0, true_extent = 0;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Type_get_extent_c, type.handle(), &lower, &extent);
        ANYMPI_CALL(detail::Nowhere{}, MPI_Type_get_true_extent_c, type.handle(), &true_lower, &true_extent);
        const MPI_Count last = detail::product(std::max<MPI_Count>(count - 1, 0), extent); // where the last one begins
        const bool is_negative = count < 0 || true_lower < 0 || detail::sum(last, true_lower) < 0;
        const MPI_Count bytes = count > 0 ? detail::sum(detail::sum(last, true_lower), true_extent) : 0;
        const MPI_Count reach = bytes / MPI_Count{sizeof(T)} + (bytes % MPI_Count{sizeof(T)} != 0);
        ANYMPI_REQUIRE(detail::Nowhere{}, "typed", check(is_negative ? -1 : reach));
        MPI_Datatype copy = MPI_DATATYPE_NULL;
        ANYMPI_CALL(detail::Nowhere{}, MPI_Type_dup, type.handle(), &copy);
        return Pattern("typed", reach, Datatype(copy, true), count);
    }

    /// Selects elements of a buffer. It is an error if the pattern reaches outside.
    template <class B>
    requires ContiguousRange<std::remove_reference_t<B>> && std::same_as<element_of<B>, T> &&
        (std::is_lvalue_reference_v<B> || detail::borrows<B>())
            [[nodiscard]] ANYMPI_CALLS result<Selection<detail::Accessed<B>>>
            operator()(B&& buffer) const& {
        ANYMPI_REQUIRE(detail::Nowhere{}, name_,
                       detail::fault_of_reach(reach_, static_cast<MPI_Count>(std::size(buffer))));
        return Selection<detail::Accessed<B>>(std::data(buffer), type_.handle(), count_);
    }
    /// Does the same. The view gets the datatype, because this pattern ends.
    template <class B>
    requires ContiguousRange<std::remove_reference_t<B>> && std::same_as<element_of<B>, T> &&
        (std::is_lvalue_reference_v<B> || detail::borrows<B>())
            [[nodiscard]] ANYMPI_CALLS result<View<detail::Accessed<B>>>
            operator()(B&& buffer) && {
        ANYMPI_REQUIRE(detail::Nowhere{}, name_,
                       detail::fault_of_reach(reach_, static_cast<MPI_Count>(std::size(buffer))));
        return View<detail::Accessed<B>>(std::data(buffer), std::move(type_), count_);
    }
    [[nodiscard]] const Datatype& type() const noexcept { return type_; }

private:
    Pattern(const char* name, MPI_Count reach, Datatype type, MPI_Count count = 1)
        : type_(std::move(type)), count_(count), reach_(reach), name_(name) {}
    static detail::Fault check(MPI_Count reach) { return detail::fault_of_reach(reach, detail::most_in_memory<T>); }
    static ANYMPI_CALLS result<Pattern> make(const char* name, MPI_Count reach, result<Datatype> type) {
        return detail::then<Pattern>(std::move(type),
                                     [&](Datatype made) { return Pattern(name, reach, std::move(made)); });
    }
    Datatype type_;
    MPI_Count count_;
    MPI_Count reach_; // in elements
    const char* name_;
};

namespace detail {

template <class T>
ANYMPI_CALLS result<View<T>> view_of(std::span<T> elements, result<Pattern<std::remove_const_t<T>>> pattern) {
    return then<View<T>>(std::move(pattern), [&](auto made) { return std::move(made)(elements); });
}

} // namespace detail

// Views that are used once. Pattern explains the arguments.

template <Communicable T>
ANYMPI_CALLS result<View<T>> strided(std::span<T> elements, MPI_Count count, MPI_Count blocklength, MPI_Count stride) {
    return detail::view_of(elements, Pattern<std::remove_const_t<T>>::strided(count, blocklength, stride));
}
template <Communicable T>
ANYMPI_CALLS result<View<T>> indexed(std::span<T> elements, std::span<const MPI_Count> lengths,
                                     std::span<const MPI_Count> places) {
    return detail::view_of(elements, Pattern<std::remove_const_t<T>>::indexed(lengths, places));
}
template <Communicable T>
ANYMPI_CALLS result<View<T>> boxed(std::span<T> elements, std::span<const MPI_Count> sizes,
                                   std::span<const MPI_Count> subsizes, std::span<const MPI_Count> starts) {
    return detail::view_of(elements, Pattern<std::remove_const_t<T>>::boxed(sizes, subsizes, starts));
}
template <Communicable T>
ANYMPI_CALLS result<View<T>> typed(std::span<T> elements, const Datatype& type, MPI_Count count = 1) {
    return detail::view_of(elements, Pattern<std::remove_const_t<T>>::typed(type, count));
}

/// Selects all elements; the datatype describes each of them. T may be any type whose bytes can be copied, also
/// one that cannot be sent without a datatype. The extent of the datatype must be the size of a T.
template <class T>
requires(std::is_trivially_copyable_v<T> || Communicable<T>)
    ANYMPI_CALLS result<View<T>> typed_each(std::span<T> elements, const Datatype& type) {
    MPI_Count lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    ANYMPI_CALL(type.where(), MPI_Type_get_extent_c, type.handle(), &lower, &extent);
    ANYMPI_CALL(type.where(), MPI_Type_get_true_extent_c, type.handle(), &true_lower, &true_extent);
    if (extent != static_cast<MPI_Count>(sizeof(T)) || true_lower < 0 || true_extent > extent - true_lower)
        ANYMPI_FAIL((detail::Fault{MPI_ERR_TYPE, "the datatype does not describe one element"}), "typed_each",
                    detail::Nowhere{});
    MPI_Datatype copy = MPI_DATATYPE_NULL;
    ANYMPI_CALL(type.where(), MPI_Type_dup, type.handle(), &copy);
    return View<T>(elements.data(), Datatype(copy, true), static_cast<MPI_Count>(elements.size()));
}

/// Selects all elements of a layout, in the order of its indices. (The layout can also be sent itself. Then its
/// datatype is kept until MPI ends, not only as long as the view.)
template <StridedLayout M>
ANYMPI_CALLS result<View<typename M::element_type>> view(const M& layout) {
    using Shape = detail::ShapeOf<M>;
    using T = typename M::element_type;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    ANYMPI_REQUIRE(detail::Nowhere{}, "view", detail::check_time());
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_create_hvector",
                   detail::make_steps(Shape::steps(layout), datatype<std::remove_const_t<T>>(), &made));
    Datatype type(made, true);
    ANYMPI_CALL(detail::Nowhere{}, MPI_Type_commit, &made);
    return View<T>(Shape::data(layout), std::move(type));
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
