// Objects that can be sent and received into: contiguous ranges, single values, and views with their own datatype.
#ifndef ANYMPI_BUFFER_HPP
#define ANYMPI_BUFFER_HPP

#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>

#include "datatype.hpp"
#include "numbers.hpp"
#include "shaped.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// Used in place of a buffer: the other buffer already has the data.
struct InPlace {};
inline constexpr InPlace in_place;

/// Objects that are contiguous in memory: vectors, arrays, spans, strings.
template <class B>
concept ContiguousRange = !Shaped<B> && requires(B & buffer) {
    std::data(buffer);
    std::size(buffer);
    requires Communicable<std::remove_reference_t<decltype(*std::data(buffer))>>;
};
/// A view that brings its own datatype: a View or a Selection.
template <class B>
concept TypedView = requires(const std::remove_cvref_t<B>& buffer) {
    typename std::remove_cvref_t<B>::typed_view;
};
/// A buffer whose elements are not, or need not be, contiguous. It can be sent and received into, but not divided or
/// reduced.
template <class B>
concept Scattered = TypedView<B> || Shaped<std::remove_cvref_t<B>>;

namespace detail {

/// The arguments of MPI functions that describe a buffer.
struct ReadView {
    const void* data;
    MPI_Count count;
    MPI_Datatype type;
    [[nodiscard]] bool is_in_place() const noexcept { return data == MPI_IN_PLACE; }
};
struct WriteView {
    void* data;
    MPI_Count count;
    MPI_Datatype type;
    [[nodiscard]] bool is_in_place() const noexcept { return data == MPI_IN_PLACE; }
};

template <class B, bool = ContiguousRange<B>>
struct ElementOf {
    using type = std::remove_cvref_t<B>;
};
template <class B>
struct ElementOf<B, true> {
    using type = std::remove_cv_t<std::remove_reference_t<decltype(*std::data(std::declval<B&>()))>>;
};
template <class B>
requires TypedView<B>
struct ElementOf<B, false> {
    using type = typename std::remove_cvref_t<B>::value_type;
};

template <class B>
requires Shaped<std::remove_cv_t<B>>
struct ElementOf<B, false> {
    using type = std::remove_cv_t<typename ShapeOf<std::remove_cv_t<B>>::element>;
};

template <class B>
inline constexpr bool is_in_place = std::is_same_v<std::remove_cvref_t<B>, InPlace>;

/// True if T is not const and has no const member: such types have no assignment.
template <class T>
inline constexpr bool is_assignable = std::is_move_assignable_v<std::remove_all_extents_t<T>>;

/// Returns true if elements can be written through B, which may be a reference (as forwarded).
template <class B>
constexpr bool writable() {
    using Buffer = std::remove_reference_t<B>;
    if constexpr (ContiguousRange<Buffer>)
        return is_assignable<std::remove_reference_t<decltype(*std::data(std::declval<Buffer&>()))>>;
    else if constexpr (TypedView<Buffer>)
        return std::remove_cvref_t<B>::is_writable && is_assignable<typename std::remove_cvref_t<B>::value_type>;
    else if constexpr (Shaped<std::remove_cvref_t<B>>)
        return is_assignable<typename ShapeOf<std::remove_cvref_t<B>>::element>;
    else
        return is_assignable<Buffer>;
}

/// Returns true if B only refers to elements that another object owns, so that a copy of B copies no elements.
template <class B>
constexpr bool borrows() {
    if constexpr (Scattered<B>)
        return true;
    else
        return std::ranges::enable_borrowed_range<std::remove_cvref_t<B>>;
}

/// Used in place of a buffer: nothing is sent, or nothing is received.
struct None {};
/// True if the data has no single place in memory.
template <class B>
inline constexpr bool is_placeless = std::is_same_v<B, None>;

/// True if B is a buffer with a mark for each of its parts.
template <class B>
inline constexpr bool is_divided = false;

template <class B>
inline constexpr bool is_initializer_list = false;
template <class T>
inline constexpr bool is_initializer_list<std::initializer_list<T>> = true;

/// Returns true if an argument, forwarded as B&&, is given away: a container that would be destroyed at the end of the
/// statement.
template <class B>
constexpr bool is_given_away() {
    static_assert(!is_initializer_list<B>, "anympi: the elements of an initializer list cannot be given away");
    return !std::is_lvalue_reference_v<B> && !borrows<B>() && !is_in_place<B>;
}
template <class B>
inline constexpr bool given_away = is_given_away<B>();
template <>
inline constexpr bool given_away<None> = false;
/// Returns true if B is a view whose datatype may end with it.
template <class B>
constexpr bool owns_datatype() {
    if constexpr (TypedView<B>)
        return std::remove_cvref_t<B>::owns_datatype;
    else
        return false;
}
/// True if a request must hold the argument. This includes views of elements that live elsewhere, if the views own
/// their datatypes.
template <class B>
inline constexpr bool must_be_held = given_away<B> || owns_datatype<B>();

} // namespace detail

template <class B>
using element_of = typename detail::ElementOf<std::remove_reference_t<B>>::type;

/// Types of buffers that can be sent.
template <class B>
concept SendBuffer =
    ContiguousRange<std::remove_reference_t<B>> || Scattered<B> || Communicable<std::remove_cvref_t<B>>;
/// Types of buffers that can be received into: not const, and without a const member.
template <class B>
concept ReceiveBuffer = SendBuffer<B> && detail::writable<B>();
/// Types whose values can be received.
template <class T>
concept Receivable = Communicable<T> && detail::is_assignable<T>;
template <class B>
concept SendBufferOrInPlace = SendBuffer<B> || detail::is_in_place<B>;
template <class B>
concept ReceiveBufferOrInPlace = ReceiveBuffer<B> || detail::is_in_place<B>;
/// Types of buffers for a blocking receive: a variable or a span. A container that is a temporary can only be received
/// into by a request, which owns it.
template <class B>
concept LastingReceiveBuffer = ReceiveBuffer<B> && !detail::given_away<B>;

namespace detail {

template <class View, Shaped B>
View viewing_shape(const B& buffer) {
    using Shape = ShapeOf<B>;
    using Element = std::remove_cv_t<typename Shape::element>;
    const auto steps = Shape::steps(buffer);
    if (const MPI_Count elements = contiguous_elements(steps, sizeof(Element)); elements >= 0)
        return {Shape::data(buffer), elements, datatype<Element>()};
    return {Shape::data(buffer), 1, shape_types<Element, Shape::dimensions>.get(steps)};
}

template <class View, class B>
View viewing(B& buffer) {
    if constexpr (is_in_place<B>)
        return {MPI_IN_PLACE, 0, MPI_BYTE};
    else if constexpr (is_placeless<std::remove_const_t<B>>)
        return {nullptr, 0, MPI_BYTE};
    else if constexpr (is_divided<std::remove_const_t<B>>)
        return buffer.view();
    else if constexpr (ContiguousRange<B>)
        return {std::data(buffer), static_cast<MPI_Count>(std::size(buffer)), datatype<element_of<B>>()};
    else if constexpr (TypedView<B>)
        return {buffer.data(), buffer.count(), buffer.type()};
    else if constexpr (Shaped<std::remove_const_t<B>>)
        return viewing_shape<View>(buffer);
    else
        return {std::addressof(buffer), 1, datatype<std::remove_const_t<B>>()};
}
template <class B>
ReadView reading(const B& buffer) {
    return viewing<ReadView>(buffer);
}
template <class B>
WriteView writing(B& buffer) {
    return viewing<WriteView>(buffer);
}

/// Returns in `elements` how many elements of T a view holds, whatever its datatype is.
template <class T, class View>
Fault count_elements(const View& view, MPI_Count& elements) {
    elements = view.count;
    if (view.type == datatype<T>()) [[likely]]
        return MPI_SUCCESS;
    MPI_Count bytes = 0, of_one = 0;
    int code = MPI_Type_size_c(view.type, &bytes);
    if (code == MPI_SUCCESS)
        code = MPI_Type_size_c(datatype<T>(), &of_one);
    if (of_one > 0)
        elements = product(view.count, bytes) / of_one;
    return code;
}

/// Bytes to send. If the argument was given away, this object owns them.
template <class Byte>
struct LastingBytes {
    template <class B>
    requires std::convertible_to < const std::remove_reference_t<B>
    &, std::span < const Byte >> LastingBytes(B&& given) {
        if constexpr (given_away<B>) {
            const auto owned = std::make_shared<const B>(std::forward<B>(given));
            bytes = *owned;
            keep = owned;
        } else {
            bytes = given;
        }
    }
    std::span<const Byte> bytes;
    Keep keep;
};

template <class B>
concept Resizable = requires(std::remove_reference_t<B>& buffer, std::size_t size) {
    buffer.resize(size);
};

} // namespace detail

/// Receives all elements that arrive: the container gets exactly that size.
template <detail::Resizable C>
struct ResizeToFit {
    C& container;
    void adapt(std::size_t size) const { container.resize(size); }
};
/// Receives all elements that arrive: the container grows if necessary, and never shrinks.
template <detail::Resizable C>
struct GrowOnly {
    C& container;
    void adapt(std::size_t size) const {
        if (container.size() < size)
            container.resize(size);
    }
};
template <class C>
ResizeToFit(C&) -> ResizeToFit<C>;
template <class C>
GrowOnly(C&) -> GrowOnly<C>;
template <class C>
ResizeToFit<C> resize_to_fit(C& container) {
    return {container};
}
template <class C>
GrowOnly<C> grow_only(C& container) {
    return {container};
}
template <class P>
concept ResizePolicy = requires(const P& policy, std::size_t size) {
    policy.adapt(size);
    requires ReceiveBuffer<decltype((policy.container))>;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
