// Elements that are not contiguous: strided, indexed and boxed parts of a buffer, and layouts such as std::mdspan's. A
// view refers to its elements; it can be sent and received into, but not reduced.
#ifndef ANYMPI_VIEWS_HPP
#define ANYMPI_VIEWS_HPP

#include <memory>

#include "buffer.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// Memory with a datatype that selects elements.
template <class T>
class View {
public:
    using typed_view = void;
    using value_type = std::remove_const_t<T>;
    static constexpr bool is_writable = !std::is_const_v<T>;

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

namespace detail {

inline constexpr const char* outside = "the view reaches outside its buffer";

template <class T>
ANYMPI_CALLS result<View<T>> view_of(T* data, result<Datatype> type) {
    return then<View<T>>(std::move(type), [&](Datatype made) { return View<T>(data, std::move(made)); });
}

} // namespace detail

/// Selects `count` blocks of `blocklength` elements. The beginnings of the blocks are `stride` elements apart.
template <Communicable T>
ANYMPI_CALLS result<View<T>> strided(std::span<T> elements, MPI_Count count, MPI_Count blocklength, MPI_Count stride) {
    const MPI_Count reach = count > 0 ? detail::sum(detail::product(count - 1, stride), blocklength) : 0;
    if (count < 0 || blocklength < 0 || stride < 0 || reach > static_cast<MPI_Count>(elements.size()))
        ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, detail::outside}), "strided", detail::Nowhere{});
    return detail::view_of(elements.data(),
                           Datatype::vector(count, blocklength, stride, Datatype::of<std::remove_const_t<T>>()));
}

/// Selects blocks of different lengths at different places.
template <Communicable T>
ANYMPI_CALLS result<View<T>> indexed(std::span<T> elements, std::span<const MPI_Count> lengths,
                                     std::span<const MPI_Count> places) {
    for (std::size_t block = 0; block < lengths.size() && block < places.size(); ++block)
        if (lengths[block] < 0 || places[block] < 0 ||
            detail::sum(places[block], lengths[block]) > static_cast<MPI_Count>(elements.size()))
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, detail::outside}), "indexed", detail::Nowhere{});
    return detail::view_of(elements.data(), Datatype::indexed(lengths, places, Datatype::of<std::remove_const_t<T>>()));
}

/// Selects a box in an array of several dimensions; the last dimension is contiguous.
template <Communicable T>
ANYMPI_CALLS result<View<T>> boxed(std::span<T> elements, std::span<const MPI_Count> sizes,
                                   std::span<const MPI_Count> subsizes, std::span<const MPI_Count> starts) {
    MPI_Count all = 1;
    for (const MPI_Count size : sizes)
        all = detail::product(all, size);
    if (all > static_cast<MPI_Count>(elements.size()))
        ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, detail::outside}), "boxed", detail::Nowhere{});
    return detail::view_of(elements.data(),
                           Datatype::subarray(sizes, subsizes, starts, Datatype::of<std::remove_const_t<T>>()));
}

/// Selects `count` times a datatype that was described at run time. The datatype must fit into the elements.
template <Communicable T>
ANYMPI_CALLS result<View<T>> typed(std::span<T> elements, const Datatype& type, MPI_Count count = 1) {
    MPI_Count lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Type_get_extent_c, type.handle(), &lower, &extent);
    ANYMPI_CALL(detail::Nowhere{}, MPI_Type_get_true_extent_c, type.handle(), &true_lower, &true_extent);
    const MPI_Count last = detail::product(std::max<MPI_Count>(count - 1, 0), extent); // where the last element begins
    const MPI_Count reach = count > 0 ? detail::sum(detail::sum(last, true_lower), true_extent) : 0;
    if (count < 0 || true_lower < 0 || detail::sum(last, true_lower) < 0 ||
        reach > static_cast<MPI_Count>(elements.size_bytes()))
        ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, detail::outside}), "typed", detail::Nowhere{});
    MPI_Datatype copy = MPI_DATATYPE_NULL;
    ANYMPI_CALL(detail::Nowhere{}, MPI_Type_dup, type.handle(), &copy);
    return View<T>(elements.data(), Datatype(copy, true), count);
}

/// Selects all elements, each of which is described by the datatype. T may be any type whose bytes can be copied, also
/// one that cannot be sent without a datatype. The extent of the datatype must be the size of a T.
template <class T>
requires std::is_trivially_copyable_v<T> ANYMPI_CALLS result<View<T>> typed_each(std::span<T> elements,
                                                                                 const Datatype& type) {
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

/// The functions by which std::mdspan and similar classes describe their elements.
template <class M>
concept StridedLayout = requires(const M& layout, std::size_t dimension) {
    { layout.data_handle() } -> std::convertible_to<const typename M::element_type*>;
    layout.extent(dimension);
    layout.stride(dimension);
    M::rank();
};
/// Selects all elements of a layout, in the order of its indices.
template <StridedLayout M>
ANYMPI_CALLS result<View<typename M::element_type>> view(const M& layout) {
    using T = typename M::element_type;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    ANYMPI_REQUIRE(detail::Nowhere{}, "view", detail::check_time());
    ANYMPI_REQUIRE(detail::Nowhere{}, "MPI_Type_contiguous",
                   detail::make_contiguous(1, datatype<std::remove_const_t<T>>(), &made));
    Datatype inner(made, true);
    for (std::size_t dimension = M::rank(); dimension-- > 0;) {
        const auto stride = static_cast<MPI_Count>(layout.stride(dimension)) * static_cast<MPI_Count>(sizeof(T));
        ANYMPI_REQUIRE(
            detail::Nowhere{}, "MPI_Type_create_hvector",
            detail::make_hvector(static_cast<MPI_Count>(layout.extent(dimension)), stride, inner.handle(), &made));
        inner = Datatype(made, true);
    }
    ANYMPI_CALL(detail::Nowhere{}, MPI_Type_commit, &made);
    return View<T>(layout.data_handle(), std::move(inner));
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
