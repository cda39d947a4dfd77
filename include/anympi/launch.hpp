// Makes the three forms of an operation: blocking, immediate (with a request), and persistent.
//
// A *shape* knows the arguments of an operation: shape.call(where, from, into, invoke) checks the buffers and calls
// `invoke` with the arguments that all forms have in common. `where`, the communicator, window or file, is then not
// null, unless the shape has library_checks: see ANYMPI_PLAIN_CALL. A shape has must_last if its arguments must live
// until the end (counts, operations), a direction if it receives, and is_collective if its calls are compared across
// processes (see compare.hpp).
//
// A shape of blocking calls also has is_quick(where, from, into). It returns true if a call needs no further check and
// is not compared, and sets the counts that MPI gets. Then pass(from, into, invoke) calls `invoke`.
//
// Functions of anympi are called by qualified names. Otherwise arguments of the program's types would find functions of
// the program.
//
// *Forms* are the three functions of MPI for one operation.
#ifndef ANYMPI_LAUNCH_HPP
#define ANYMPI_LAUNCH_HPP

#include "compare.hpp"
#include "info.hpp"
#include "request.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

/// Defines the functions of one operation, and their names for messages.
#define ANYMPI_FORMS(Name, name, suffix)                                                                               \
    struct name##_forms {                                                                                              \
        static constexpr auto complete = MPI_##Name##suffix;                                                           \
        static constexpr auto start = MPI_I##name##suffix;                                                             \
        static constexpr auto describe = MPI_##Name##_init##suffix;                                                    \
        static constexpr const char* complete_name = "MPI_" #Name;                                                     \
        static constexpr const char* start_name = "MPI_I" #name;                                                       \
        static constexpr const char* describe_name = "MPI_" #Name "_init";                                             \
    };                                                                                                                 \
    inline constexpr name##_forms name;

template <class Shape>
constexpr bool must_last() {
    if constexpr (requires { Shape::must_last; })
        return Shape::must_last;
    else
        return false;
}
template <class Shape>
constexpr Direction direction_of(const Shape& shape) {
    if constexpr (requires { shape.find_direction(); })
        return shape.find_direction();
    else if constexpr (requires { Shape::direction; })
        return Shape::direction;
    else
        return Direction::other;
}

template <class Shape>
constexpr bool is_collective() {
    if constexpr (requires { Shape::is_collective; })
        return Shape::is_collective;
    else
        return false;
}

/// Returns true if the operation uses memory that belongs to the program.
template <class S, class R, class Shape>
bool borrows_memory(const Shape& shape) {
    constexpr bool borrows_buffer = !(given_away<S> || is_in_place<S> || is_placeless<std::remove_cvref_t<S>>) ||
                                    !(given_away<R> || is_in_place<R> || is_placeless<std::remove_cvref_t<R>>);
    if constexpr (requires { shape.borrows(); })
        return borrows_buffer || shape.borrows();
    else
        return borrows_buffer;
}

/// Returns the object whose listener hears the errors that the request cannot return.
template <class Shape, class Where>
Origin origin_of(const Shape& shape, Where where) {
    if constexpr (requires { shape.origin; })
        return shape.origin;
    else
        return where;
}

/// Passes the views of the buffers to the shape.
template <class Shape, class Where, class S, class R, class Invoke>
ANYMPI_CALLS ANYMPI_INLINE Fault call(const Shape& shape, Where where, const S& send, R& receive, Invoke invoke) {
    if constexpr (ANYMPI_CHECKS || !requires { Shape::library_checks; })
        if (detail::is_null(where)) [[unlikely]]
            return null_object(where);
    return shape.call(where, detail::reading(send), detail::writing(receive), invoke);
}

/// Compares a call now if calls are compared.
template <class Where, class Shape>
Fault compare_now(const char* name, Where where, const Shape& shape, const ReadView& from, const WriteView& into) {
    if constexpr (is_collective<Shape>())
        if (shared::compares_calls())
            return fault_of(shared::compare_now(call_of(name, where, shape, from, into)));
    return MPI_SUCCESS;
}
/// Does the same. If calls are compared, a collective call is first compared with the calls of the other processes.
template <class Shape, class Where, class S, class R, class Invoke>
ANYMPI_CALLS Fault compared_call_of(const char* name, const Shape& shape, Where where, const S& send, R& receive,
                                    Invoke invoke) {
    if (!detail::is_null(where))
        if (const Fault fault =
                detail::compare_now(name, where, shape, detail::reading(send), detail::writing(receive)))
            return fault;
    return detail::call(shape, where, send, receive, invoke);
}
/// Does the same for an immediate call, which stores its request in `handle`. The comparison is complete before the
/// request is complete. A call that is refused is compared too, so that the other processes get the error.
template <class Shape, class Where, class S, class R, class Invoke>
ANYMPI_CALLS ANYMPI_INLINE Fault soon_compared_call_of(const char* name, const Shape& shape, Where where, const S& send,
                                                       R& receive, Invoke invoke, Operation& operation,
                                                       const MPI_Request& handle) {
    if constexpr (is_collective<Shape>())
        if (shared::compares_calls() && !detail::is_null(where)) [[unlikely]] {
            auto comparison = std::make_shared<shared::Comparison>(
                call_of(name, where, shape, detail::reading(send), detail::writing(receive)));
            const Fault fault = detail::call(shape, where, send, receive, invoke);
            if (fault) // no request will ask for the comparison
                shared::keep_for_ever(std::move(comparison));
            else
                shared::PendingComparisons::add(handle, std::move(comparison));
            operation.has_comparison = !fault;
            return fault;
        }
    return detail::call(shape, where, send, receive, invoke);
}

/// Makes a blocking call with all checks, out of line. If calls are compared, a collective call is first compared with
/// the calls of the other processes. The arguments are small copies, so that the caller stores nothing in memory unless
/// it calls this function.
template <class Function, class Owner, class Shape>
[[gnu::cold, gnu::noinline]] ANYMPI_CALLS Fault careful_call(Function function, const char* name, const Owner& owner,
                                                             Shape shape, const void* sent, MPI_Count sent_count,
                                                             MPI_Datatype sent_type, void* received,
                                                             MPI_Count received_count, MPI_Datatype received_type) {
    const ReadView from{sent, sent_count, sent_type};
    const WriteView into{received, received_count, received_type};
    const auto where = owner.where();
    if (detail::is_null(where))
        return null_object(where);
    if (const Fault fault = detail::compare_now(name, where, shape, from, into))
        return fault;
    return shape.call(where, from, into, [=](auto... all) { return function(all..., where.handle()); });
}

/// Returns true if nothing needs to be checked before a call. Buffers in place are quick only for some shapes.
template <bool IsInPlace, class Shape, class Where>
ANYMPI_INLINE bool is_quick(const Shape& shape, Where where, ReadView& from, WriteView& into) {
    if constexpr (IsInPlace && requires { shape.is_quick_in_place(where); })
        return shape.is_quick_in_place(where);
    else if constexpr (!IsInPlace && requires { shape.is_quick(where, from, into); })
        return shape.is_quick(where, from, into);
    else
        return false;
}

/// Makes a blocking call. The handle of the `owner` (a communicator or window) is the last argument of MPI's function.
///
/// A call may cost only a few instructions more than in C. So the shape looks only whether the call is quick. All other
/// calls are made out of line. This function is always inlined, since its caller knows the arguments. It asks the owner
/// again after an error, so that a call need not keep the handle.
template <class Function, class Owner, class Shape, class S, class R>
ANYMPI_INLINE ANYMPI_CALLS result<void> complete(Function function, const char* name, const Owner& owner,
                                                 const Shape& shape, const S& send, R&& receive) {
    if (is_too_late()) [[unlikely]]
        ANYMPI_FAIL(too_late(), name, owner.where());
    ReadView from = detail::reading(send);
    WriteView into = detail::writing(receive);
    const auto where = owner.where();
    if (detail::is_quick < is_in_place<S> || is_in_place < R >> (shape, where, from, into)) [[likely]] {
        if constexpr (requires { shape.is_quick(where, from, into); })
            if (const Fault fault = shape.pass(from, into, [&](auto... all) ANYMPI_ALWAYS_INLINE {
                    return function(all..., owner.where().handle());
                })) [[unlikely]]
                ANYMPI_FAIL(fault, name, owner.where());
    } else if (const Fault fault = detail::careful_call(function, name, owner, shape, from.data, from.count, from.type,
                                                        into.data, into.count, into.type)) {
        ANYMPI_FAIL(fault, name, owner.where());
    }
    return done();
}

/// Everything that must live until an operation is complete.
template <class Shape, class Cargo>
struct Everything : Lasting {
    Shape shape;
    Cargo cargo;
};

/// True if something must live until the operation is complete.
template <class Shape, class S, class R>
inline constexpr bool holds = must_be_held<S> || must_be_held<R> || must_last<Shape>();
/// The type that the launch of an operation returns.
template <class Made, class S, class R>
using Launched = result<typename Made::template type<given_away<S> || given_away<R>, Cargo<S, R>>>;

template <class S, class R, class Shape, class Where>
ANYMPI_INLINE Operation operation_of(const Shape& shape, Where where) {
    return {
        .direction = direction_of(shape), .borrows = borrows_memory<S, R>(shape), .origin = origin_of(shape, where)};
}
/// Makes the call that begins an operation, by `begin(&request, arguments...)`. MPI does not get the address of a
/// member of the operation, see Request.
template <class Made, class Where, class Shape, class S, class R, class Begin>
ANYMPI_CALLS ANYMPI_INLINE Fault begin_operation(const char* name, Where where, const Shape& shape, const Begin& begin,
                                                 const S& send, R& receive, Operation& operation) {
    MPI_Request handle; // set by a call that succeeds
    const auto invoke = [&](auto... arguments) { return begin(&handle, arguments...); };
    const Fault fault = [&] {
        if constexpr (Made::is_immediate)
            return detail::soon_compared_call_of(name, shape, where, send, receive, invoke, operation, handle);
        else
            return detail::compared_call_of(name, shape, where, send, receive, invoke);
    }();
    if (!fault) [[likely]]
        operation.handle = handle;
    return fault;
}
/// Begins an operation for which nothing is held.
template <class Made, class Where, class Shape, class S, class R, class Begin>
ANYMPI_CALLS ANYMPI_INLINE Launched<Made, S, R> launch_plain(const char* const& name, Where where, const Shape& shape,
                                                             const Begin& begin, const S& send, R& receive) {
    if (is_too_late()) [[unlikely]]
        ANYMPI_FAIL(too_late(), name, where);
    const int older_exceptions = exceptions_in_flight();
    Operation operation = operation_of<S, R>(shape, where);
    if (const Fault fault = begin_operation<Made>(name, where, shape, begin, send, receive, operation)) [[unlikely]]
        ANYMPI_FAIL(fault, name, where);
    if constexpr (requires { Made::make(operation, shape, older_exceptions); })
        return Made::make(operation, shape, older_exceptions);
    else
        return Made::make(operation, shape);
}
/// Begins an operation whose request holds the buffers that were given away, and what else must live.
template <class Made, class Where, class Shape, class S, class R, class Begin>
ANYMPI_CALLS Launched<Made, S, R> launch_held(const char* name, Where where, Shape& shape, const Begin& begin, S&& send,
                                              R&& receive) {
    if (is_too_late()) [[unlikely]]
        ANYMPI_FAIL(too_late(), name, where);
    using Held = detail::Cargo<S, R>;
    using All = Everything<Shape, Held>;
    Operation operation = operation_of<S, R>(shape, where);
    const auto all =
        std::make_shared<All>(All{{}, std::move(shape), Held{std::forward<S>(send), std::forward<R>(receive)}});
    if (const Fault fault = begin_operation<Made>(name, where, all->shape, begin, all->cargo.send, all->cargo.receive,
                                                  operation)) [[unlikely]]
        ANYMPI_FAIL(fault, name, where);
    operation.keep = lasting(all);
    if constexpr (given_away<S> || given_away<R>) // a pointer to a part, which keeps the whole alive
        return Made::make(operation, all->shape, std::shared_ptr<typename Held::Product>(all, &all->cargo.product()));
    else
        return Made::make(operation, all->shape);
}
/// Begins an operation that makes a request, by `begin(&request, arguments...)`. `Made` makes the returned object from
/// the request.
template <class Made, class Where, class Shape, class S, class R, class Begin>
ANYMPI_CALLS ANYMPI_INLINE auto launch(const char* const& name, Where where, Shape shape, const Begin& begin, S&& send,
                                       R&& receive) {
    static_assert(!std::is_array_v<S> && !std::is_array_v<R>, "anympi: a C array cannot be given away");
    if constexpr (holds<Shape, S, R>)
        return detail::launch_held<Made>(name, where, shape, begin, std::forward<S>(send), std::forward<R>(receive));
    else
        return detail::launch_plain<Made, Where, Shape, S, R>(name, where, shape, begin, send, receive);
}

/// Makes the returned object from a request: one that borrows its buffers, or one that owns them.
template <class Borrowing, template <class> class Owning>
struct Making {
    static constexpr bool is_immediate = std::is_same_v<Borrowing, Request>;
    template <bool Owns, class Cargo>
    struct Choose {
        using type = Borrowing;
    };
    template <class Cargo>
    struct Choose<true, Cargo> {
        using type = Owning<typename Cargo::Product>;
    };
    template <bool Owns, class Cargo>
    using type = typename Choose<Owns, Cargo>::type;

    template <class Shape>
    static ANYMPI_INLINE Borrowing make(const Operation& operation, const Shape&,
                                        int older_exceptions = exceptions_in_flight()) {
        return Borrowing(operation, older_exceptions);
    }
    template <class Shape, class Value>
    static Owning<Value> make(const Operation& operation, const Shape&, std::shared_ptr<Value> value) {
        return {Borrowing(operation), std::move(value), operation.direction};
    }
};
using Immediate = Making<Request, OwningRequest>;
using Described = Making<PersistentRequest, OwningPersistent>;

/// Makes an immediate call. `where` and the request are the last arguments of MPI's function.
template <class Function, class Where, class Shape, class S, class R>
ANYMPI_CALLS ANYMPI_INLINE auto start(Function function, const char* const& name, Where where, Shape shape, S&& send,
                                      R&& receive) {
    const auto begin = [=](MPI_Request* request, auto... arguments) { return function(arguments..., where, request); };
    return detail::launch<Immediate>(name, where, std::move(shape), begin, std::forward<S>(send),
                                     std::forward<R>(receive));
}

/// Makes a persistent request. Persistent point-to-point operations take no info, others do.
template <class Made = Described, class Function, class Shape, class S, class R, class... Hints>
ANYMPI_CALLS auto describe(Function function, const char* name, shared::CommObject comm, Shape shape, S&& send,
                           R&& receive, const Hints&... info) {
    const auto begin = [=, ... hints = info.handle()](MPI_Request* request, auto... arguments) {
        return function(arguments..., comm, hints..., request);
    };
    return detail::launch<Made>(name, comm, std::move(shape), begin, std::forward<S>(send), std::forward<R>(receive));
}

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
