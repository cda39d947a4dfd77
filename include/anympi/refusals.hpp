// Messages of the compiler for calls that cannot be compiled. Part of Comm.
//
// For a call that matches no function, the compiler would list all functions and why each does not fit. So each name
// has further functions here, one for each usual mistake. They accept every argument, but only if no other function
// does and the arguments contain the mistake. They are marked unavailable with a sentence that names the mistake and
// the remedy, which g++ and clang++ print first.
//
// (For g++ a call of such a function is valid in a `requires` expression. Use SendBuffer, ReceiveBuffer and the other
// concepts to ask whether something can be sent and received.)
#ifndef ANYMPI_REFUSALS_HPP
#define ANYMPI_REFUSALS_HPP

#include <iterator>

#include "self_sizing.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

/// Why a call is refused.
enum class Mistake {
    none,
    not_contiguous,
    pointer,
    bits,
    nested,
    address_inside,
    memory_inside,
    bytes_only,
    unknown_members,
    is_const,
    is_temporary,
    list_given,
    array_given,
    types_differ,
    counts_differ,
    wrong_op,
};

/// The return type of a refused call. It converts to every type, so that no further error follows.
struct Refused {
    template <class T>
    operator T() const;
};

/// Returns the first mistake, or Mistake::none.
constexpr Mistake first_of(std::initializer_list<Mistake> mistakes) {
    for (const Mistake mistake : mistakes)
        if (mistake != Mistake::none)
            return mistake;
    return Mistake::none;
}

template <class T>
concept HasElements = requires(T& all) {
    std::begin(all);
    std::end(all);
};

template <class T>
constexpr Mistake mistake_in_element();

template <class T>
constexpr Mistake mistake_in_member() {
    if constexpr (std::is_empty_v<T>)
        return Mistake::none; // it needs no place in a message
    else
        return mistake_in_element<T>() == Mistake::nested ? Mistake::memory_inside : mistake_in_element<T>();
}
struct MistakeInMembers {
    template <class... Member>
    std::integral_constant<Mistake, detail::first_of({mistake_in_member<std::remove_cvref_t<Member>>()...})>
    operator()(Member&...) const {
        return {};
    }
};

template <class T>
constexpr Mistake mistake_in_struct() {
    using aggregate::Finding;
    constexpr Finding finding = aggregate::finding<T>;
    if constexpr (finding == Finding::found)
        return detail::first_of(
            {decltype(detail::visit_members(std::declval<T&>(), MistakeInMembers{}))::value, Mistake::unknown_members});
    else if constexpr (finding == Finding::reference)
        return Mistake::address_inside;
    else if constexpr (finding == Finding::in_union || finding == Finding::without_address)
        return Mistake::bytes_only;
    else
        return Mistake::unknown_members;
}

template <class T>
constexpr Mistake mistake_in_element() {
    using Element = std::remove_all_extents_t<T>;
    if constexpr (Communicable<T>)
        return Mistake::none;
    else if constexpr (std::is_pointer_v<Element>)
        return Mistake::address_inside;
    else if constexpr (std::is_union_v<Element>)
        return Mistake::bytes_only;
    else if constexpr (HasElements<Element>)
        return Mistake::nested;
    else if constexpr (std::is_aggregate_v<Element> && std::is_class_v<Element>)
        return detail::mistake_in_struct<Element>();
    else
        return Mistake::unknown_members;
}
template <class B>
constexpr Mistake mistake_in_sent() {
    using Buffer = std::remove_reference_t<B>;
    if constexpr (SendBufferOrInPlace<B>)
        return Mistake::none;
    else if constexpr (std::is_pointer_v<std::remove_cv_t<Buffer>>)
        return Mistake::pointer;
    else if constexpr (std::is_same_v<std::remove_cv_t<Buffer>, std::vector<bool>>)
        return Mistake::bits;
    else if constexpr (requires(Buffer & buffer) { std::size(buffer), *std::data(buffer); })
        return detail::mistake_in_element<std::remove_cvref_t<decltype(*std::data(std::declval<Buffer&>()))>>();
    else if constexpr (HasElements<Buffer>)
        return Mistake::not_contiguous;
    else
        return detail::mistake_in_element<std::remove_cv_t<Buffer>>();
}
/// Returns the mistake in a buffer that a request would own.
template <class B>
constexpr Mistake mistake_in_given() {
    if constexpr (is_initializer_list<B>)
        return Mistake::list_given;
    else if constexpr (std::is_array_v<B>)
        return Mistake::array_given;
    else
        return Mistake::none;
}
template <class B>
constexpr Mistake mistake_in_received() {
    if constexpr (detail::mistake_in_sent<B>() != Mistake::none)
        return detail::mistake_in_sent<B>();
    else if constexpr (!ReceiveBufferOrInPlace<B>)
        return Mistake::is_const;
    else
        return Mistake::none;
}
/// Returns the mistake in a receive buffer of a blocking call, which returns no buffer.
template <class B>
constexpr Mistake mistake_in_received_now() {
    if constexpr (!std::is_lvalue_reference_v<B> && !borrows<B>() && !is_in_place<B> && SendBuffer<B>)
        return Mistake::is_temporary;
    else
        return detail::mistake_in_received<B>();
}

// Kinds of functions with similar arguments. `now`: the function does not make a request.

template <bool now>
struct Sends {
    template <class B, class... More>
    static constexpr Mistake find() {
        return detail::first_of({now ? Mistake::none : mistake_in_given<B>(), mistake_in_sent<B>()});
    }
};
template <bool now>
struct Receives {
    template <class B, class... More>
    static constexpr Mistake find() {
        if constexpr (now)
            return detail::mistake_in_received_now<B>();
        else
            return detail::first_of({mistake_in_given<B>(), mistake_in_received<B>()});
    }
};
/// Functions with two buffers and at least `more` further arguments. With fewer arguments, the received data is
/// returned.
template <bool now, std::size_t more>
struct Exchanges {
    template <class S, class... Others>
    static constexpr Mistake find() {
        if constexpr (sizeof...(Others) < more + 1 || (ResizePolicy<std::remove_cvref_t<Others>> || ...))
            return Sends<now>::template find<S>();
        else
            return find_both<S, Others...>();
    }
    template <class S, class R, class... Others>
    static constexpr Mistake find_both() {
        return detail::first_of({Sends<now>::template find<S>(), Receives<now>::template find<R>()});
    }
};
/// Functions whose operation follows the buffers, or the value, and `more` further arguments.
template <bool now, std::size_t more, bool one_for_one>
struct Reduces {
    template <class S, class Next, class... Others>
    static constexpr Mistake find() {
        if constexpr (sizeof...(Others) > more && SendBuffer<Next>)
            return find_in_buffers<S, Next, std::tuple_element_t<more, std::tuple<Others...>>>();
        else if constexpr (Sends<now>::template find<S>() != Mistake::none)
            return Sends<now>::template find<S>();
        else
            return ReductionOf<Next, std::remove_cvref_t<S>> || Combinable<S, Next> ? Mistake::none : Mistake::wrong_op;
    }
    template <class S, class R, class Op>
    static constexpr Mistake find_in_buffers() {
        constexpr Mistake in_one =
            detail::first_of({Sends<now>::template find<S>(), Receives<now>::template find<R>()});
        if constexpr (in_one != Mistake::none)
            return in_one;
        else if constexpr (!is_in_place<S> && !std::is_same_v<element_of<S>, element_of<R>>)
            return Mistake::types_differ;
        else if constexpr (one_for_one && !may_be_as_many<S, R>())
            return Mistake::counts_differ;
        else
            return ReductionOf<Op, element_of<R>> ? Mistake::none : Mistake::wrong_op;
    }
};

template <class Function, class... A>
constexpr Mistake find_mistake() {
    if constexpr (requires { Function::template find<A...>(); })
        return Function::template find<A...>();
    else
        return Mistake::none;
}
template <class Function, class... A>
inline constexpr Mistake mistake = find_mistake<Function, A...>();

/// The mistake in the type that recv<T>() would return.
template <class T>
inline constexpr Mistake returned_mistake = mistake_in_sent<T>();

} // namespace detail

// Declares whether a function with this name accepts the arguments. One variable for all sentences of a name costs the
// compiler less than the question in each of them.
#define ANYMPI_ACCEPTS(name)                                                                                           \
private:                                                                                                               \
    template <class... A>                                                                                              \
    static constexpr bool name##_accepts = requires(const SelfSizingCollectives& comm, A&&... arguments) {             \
        comm.name(std::forward<A>(arguments)...);                                                                      \
    };                                                                                                                 \
                                                                                                                       \
public:
// Declares an unavailable function `name` for arguments with this mistake. Its first template parameter is not a type,
// so that recv<T>() does not match.
#define ANYMPI_REFUSE_ALWAYS(name, Function, mistake_, sentence)                                                       \
    template <int = 0, class... A>                                                                                     \
    requires(detail::mistake<Function, A...> == detail::Mistake::mistake_)                                             \
        __attribute__((unavailable("anympi: " sentence))) detail::Refused                                              \
        name(A&&...) const;
// Does the same, but only if no other function accepts the arguments.
#define ANYMPI_REFUSE(name, Function, mistake_, sentence)                                                              \
    template <int = 0, class... A>                                                                                     \
    requires(detail::mistake<Function, A...> == detail::Mistake::mistake_ && !name##_accepts<A...>)                    \
        __attribute__((unavailable("anympi: " sentence))) detail::Refused                                              \
        name(A&&...) const;
// Refuses calls in which only the root is missing.
#define ANYMPI_REFUSE_ROOTLESS(name)                                                                                   \
    template <int = 0, class... A>                                                                                     \
    requires(name##_accepts<A..., Root> && !name##_accepts<A...>)                                                      \
        __attribute__((unavailable("anympi: the root is missing: pass its rank as the last number, such as 0 "         \
                                   "or root(0)"))) detail::Refused                                                     \
        name(A&&...) const;
// Does the same for calls whose last argument asks for the layout.
#define ANYMPI_REFUSE_ROOTLESS_LAYOUT(name)                                                                            \
    template <int = 0, SendBuffer S>                                                                                   \
    __attribute__((unavailable("anympi: the root is missing: pass its rank before with_layout, such as 0 or "          \
                               "root(0)"))) detail::Refused                                                            \
    name(S&&, WithLayout) const;
#define ANYMPI_REFUSE_ROOTLESS_FORMS(name)                                                                             \
    ANYMPI_REFUSE_ROOTLESS(name)                                                                                       \
    ANYMPI_REFUSE_ROOTLESS(i##name)                                                                                    \
    ANYMPI_REFUSE_ROOTLESS(name##_init)
#define ANYMPI_REFUSE_RETURNED(name, mistake_, sentence)                                                               \
    template <class T, class... A>                                                                                     \
    requires(detail::returned_mistake<T> == detail::Mistake::mistake_)                                                 \
        __attribute__((unavailable("anympi: " sentence))) detail::Refused                                              \
        name(A&&...) const;

// Sentences for elements that can be neither sent nor received.
#define ANYMPI_REFUSE_ELEMENTS(name, Function)                                                                         \
    ANYMPI_ACCEPTS(name)                                                                                               \
    ANYMPI_REFUSE(name, Function, not_contiguous,                                                                      \
                  "a container such as std::map or std::list is not contiguous in memory: use send_object, or copy "   \
                  "them into a std::vector; anympi::Pattern describes parts of a buffer")                              \
    ANYMPI_REFUSE(name, Function, pointer,                                                                             \
                  "a pointer does not say how many elements there are: pass std::span(pointer, count)")                \
    ANYMPI_REFUSE(name, Function, bits,                                                                                \
                  "std::vector<bool> has no elements in memory: use std::vector<char> or std::array<bool, N>")         \
    ANYMPI_REFUSE(name, Function, nested,                                                                              \
                  "elements such as std::string or std::vector own memory: use send_object, or put all "               \
                  "into one std::vector")                                                                              \
    ANYMPI_REFUSE(name, Function, address_inside,                                                                      \
                  "an element with a pointer or a reference cannot be sent, since an address means nothing to other "  \
                  "processes: send what it points to, or use send_object")                                             \
    ANYMPI_REFUSE(name, Function, memory_inside,                                                                       \
                  "a struct with a std::string or another container cannot be an element: use send_object and a "      \
                  "function serialize(archive, object), or std::array<char, N> for the text")                          \
    ANYMPI_REFUSE(name, Function, bytes_only,                                                                          \
                  "a bit-field, a packed member or a union cannot be an element: mark the type with "                  \
                  "anympi::as_bytes, or use other members")                                                            \
    ANYMPI_REFUSE(name, Function, unknown_members,                                                                     \
                  "the members of this type cannot be sent, or not found (more than 24, private, or in a base): list " \
                  "them with anympi::members_of, mark the type with anympi::as_bytes, or use send_object")
#define ANYMPI_REFUSE_GIVEN(name, Function)                                                                            \
    ANYMPI_REFUSE_ALWAYS(name, Function, list_given,                                                                   \
                         "the elements of an initializer list cannot be given to a request, since they end with the "  \
                         "statement: pass a std::vector or std::array")                                                \
    ANYMPI_REFUSE_ALWAYS(name, Function, array_given,                                                                  \
                         "a C array cannot be given to a request: pass a std::vector or std::array, or a variable")
#define ANYMPI_REFUSE_CONST(name, Function)                                                                            \
    ANYMPI_REFUSE(                                                                                                     \
        name, Function, is_const,                                                                                      \
        "nothing can be received into a const buffer, or into elements with const members: pass a variable that is "   \
        "not const")
#define ANYMPI_REFUSE_TEMPORARY(name, Function)                                                                        \
    ANYMPI_REFUSE(name, Function, is_temporary,                                                                        \
                  "data that is received into a temporary is gone at the end of the statement: pass a variable or a "  \
                  "std::span")
#define ANYMPI_REFUSE_REDUCTION(name, Function)                                                                        \
    ANYMPI_REFUSE(name, Function, types_differ,                                                                        \
                  "a reduction does not convert: sent and received elements differ in type; "                          \
                  "use the same type for both")                                                                        \
    ANYMPI_REFUSE(name, Function, counts_differ,                                                                       \
                  "wrong count: both buffers of a reduction must hold the same number of elements, but the types of "  \
                  "these buffers have different numbers")                                                              \
    ANYMPI_REFUSE(name, Function, wrong_op,                                                                            \
                  "this operation is not for elements of this type: pass another one of anympi::op, or a function of " \
                  "two elements that returns one")

// Sentences for the three forms of a function: blocking, immediate and persistent.
#define ANYMPI_REFUSE_IN(name, Now, Later)                                                                             \
    ANYMPI_REFUSE_ELEMENTS(name, Now)                                                                                  \
    ANYMPI_REFUSE_ELEMENTS(i##name, Later)                                                                             \
    ANYMPI_REFUSE_GIVEN(i##name, Later)                                                                                \
    ANYMPI_REFUSE_ELEMENTS(name##_init, Later)                                                                         \
    ANYMPI_REFUSE_GIVEN(name##_init, Later)                                                                            \
    using SelfSizingCollectives::name;                                                                                 \
    using SelfSizingCollectives::i##name;                                                                              \
    using SelfSizingCollectives::name##_init;
#define ANYMPI_REFUSE_RECEIVING(name, Now, Later)                                                                      \
    ANYMPI_REFUSE_IN(name, Now, Later)                                                                                 \
    ANYMPI_REFUSE_TEMPORARY(name, Now)                                                                                 \
    ANYMPI_REFUSE_CONST(name, Now)                                                                                     \
    ANYMPI_REFUSE_CONST(i##name, Later)                                                                                \
    ANYMPI_REFUSE_CONST(name##_init, Later)
#define ANYMPI_REFUSE_REDUCING(name, Now, Later)                                                                       \
    ANYMPI_REFUSE_RECEIVING(name, Now, Later)                                                                          \
    ANYMPI_REFUSE_REDUCTION(name, Now)                                                                                 \
    ANYMPI_REFUSE_REDUCTION(i##name, Later)                                                                            \
    ANYMPI_REFUSE_REDUCTION(name##_init, Later)

class Refusals : public SelfSizingCollectives {
    using SendsNow = detail::Sends<true>;
    using SendsLater = detail::Sends<false>;
    using ReceivesNow = detail::Receives<true>;
    using ReceivesLater = detail::Receives<false>;
    template <std::size_t more>
    using ExchangesNow = detail::Exchanges<true, more>;
    template <std::size_t more>
    using ExchangesLater = detail::Exchanges<false, more>;
    using ReducesNow = detail::Reduces<true, 0, true>;
    using ReducesLater = detail::Reduces<false, 0, true>;
    template <std::size_t more> // the results are in other buffers, or smaller
    using ReducesSomeNow = detail::Reduces<true, more, false>;
    template <std::size_t more>
    using ReducesSomeLater = detail::Reduces<false, more, false>;

public:
    using SelfSizingCollectives::SelfSizingCollectives;

    /// @cond
    ANYMPI_REFUSE_IN(send, SendsNow, SendsLater)
    ANYMPI_REFUSE_IN(ssend, SendsNow, SendsLater)
    ANYMPI_REFUSE_IN(bsend, SendsNow, SendsLater)
    ANYMPI_REFUSE_IN(rsend, SendsNow, SendsLater)
    ANYMPI_REFUSE_RECEIVING(recv, ReceivesNow, ReceivesLater)
    ANYMPI_REFUSE_RECEIVING(broadcast, ReceivesNow, ReceivesLater)
    ANYMPI_REFUSE_RECEIVING(gather, ExchangesNow<1>, ExchangesLater<1>)
    ANYMPI_REFUSE_RECEIVING(scatter, ExchangesNow<1>, ExchangesLater<1>)
    ANYMPI_REFUSE_RECEIVING(allgather, ExchangesNow<0>, ExchangesLater<0>)
    ANYMPI_REFUSE_RECEIVING(alltoall, ExchangesNow<0>, ExchangesLater<0>)
    ANYMPI_REFUSE_RECEIVING(gatherv, ExchangesNow<2>, ExchangesLater<2>)
    ANYMPI_REFUSE_RECEIVING(scatterv, ExchangesNow<2>, ExchangesLater<2>)
    ANYMPI_REFUSE_RECEIVING(allgatherv, ExchangesNow<1>, ExchangesLater<1>)
    ANYMPI_REFUSE_RECEIVING(alltoallv, ExchangesNow<2>, ExchangesLater<2>)
    ANYMPI_REFUSE_REDUCING(reduce, ReducesSomeNow<0>, ReducesSomeLater<0>)
    ANYMPI_REFUSE_REDUCING(allreduce, ReducesNow, ReducesLater)
    ANYMPI_REFUSE_REDUCING(scan, ReducesNow, ReducesLater)
    ANYMPI_REFUSE_REDUCING(exscan, ReducesNow, ReducesLater)
    ANYMPI_REFUSE_REDUCING(reduce_scatter_block, ReducesSomeNow<0>, ReducesSomeLater<0>)
    ANYMPI_REFUSE_REDUCING(reduce_scatter, ReducesSomeNow<1>, ReducesSomeLater<1>)

    ANYMPI_REFUSE_ROOTLESS_FORMS(broadcast)
    ANYMPI_REFUSE_ROOTLESS_FORMS(reduce)
    ANYMPI_REFUSE_ROOTLESS_FORMS(gather)
    ANYMPI_REFUSE_ROOTLESS_FORMS(scatter)
    ANYMPI_REFUSE_ROOTLESS_FORMS(gatherv)
    ANYMPI_REFUSE_ROOTLESS_FORMS(scatterv)
    ANYMPI_REFUSE_ROOTLESS_LAYOUT(gatherv)
    ANYMPI_REFUSE_ROOTLESS_LAYOUT(gatherv_init)
    ANYMPI_ACCEPTS(broadcast_value)
    ANYMPI_REFUSE_ROOTLESS(broadcast_value)
    using SelfSizingCollectives::broadcast_value;

    ANYMPI_REFUSE_RETURNED(
        recv, not_contiguous,
        "a container such as std::map or std::list cannot be an element of a message: use recv_object")
    ANYMPI_REFUSE_RETURNED(recv, nested, "elements such as std::string or std::vector own memory: use recv_object")
    ANYMPI_REFUSE_RETURNED(recv, pointer, "a pointer cannot be received: receive what it points to")
    ANYMPI_REFUSE_RETURNED(recv, address_inside,
                           "an element with a pointer or a reference cannot be received, since an address means "
                           "nothing to other processes: receive what it points to, or use recv_object")
    ANYMPI_REFUSE_RETURNED(recv, memory_inside,
                           "a struct with a std::string or another container cannot be an element: use recv_object and "
                           "a function serialize(archive, object), or std::array<char, N> for the text")
    ANYMPI_REFUSE_RETURNED(recv, bytes_only,
                           "a bit-field, a packed member or a union cannot be an element: mark the type with "
                           "anympi::as_bytes, or use other members")
    ANYMPI_REFUSE_RETURNED(recv, unknown_members,
                           "the members of this type cannot be sent, or not found (more than 24, private, or in a "
                           "base): list them with anympi::members_of, mark the type with anympi::as_bytes, or use "
                           "recv_object")
    /// @endcond
};

#undef ANYMPI_REFUSE_REDUCING
#undef ANYMPI_REFUSE_RECEIVING
#undef ANYMPI_REFUSE_IN
#undef ANYMPI_REFUSE_REDUCTION
#undef ANYMPI_REFUSE_TEMPORARY
#undef ANYMPI_REFUSE_CONST
#undef ANYMPI_REFUSE_GIVEN
#undef ANYMPI_REFUSE_ELEMENTS
#undef ANYMPI_REFUSE_RETURNED
#undef ANYMPI_REFUSE_ROOTLESS_FORMS
#undef ANYMPI_REFUSE_ROOTLESS_LAYOUT
#undef ANYMPI_REFUSE_ROOTLESS
#undef ANYMPI_REFUSE
#undef ANYMPI_REFUSE_ALWAYS
#undef ANYMPI_ACCEPTS

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
