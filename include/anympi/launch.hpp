// One way to make the three forms of an operation: to its end, at once with a request, and described for later.
//
// A *shape* knows the arguments of an operation. shape.call(comm, send, receive, invoke) checks the buffers and calls
// `invoke` with the arguments up to the communicator; shapes whose arguments must live until the end (counts,
// operations) say must_last.
#ifndef ANYMPI_LAUNCH_HPP
#define ANYMPI_LAUNCH_HPP

#include "info.hpp"
#include "request.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

template <class Function, class Shape, class S, class R>
result<void> complete(Function function, const char* name, MPI_Comm comm, const Shape& shape, const S& send,
                      R& receive) {
    if (is_too_late()) [[unlikely]]
        ANYMPI_FAIL(too_late(), name, comm);
    const Fault fault =
        shape.call(comm, send, receive, [&](auto... arguments) { return function(arguments..., comm); });
    if (fault) [[unlikely]]
        ANYMPI_FAIL(fault, name, comm);
    return done();
}

/// A part of something that lives as long as the whole.
template <class Whole, class Part>
std::shared_ptr<Part> product_of(const std::shared_ptr<Whole>& whole, Part& part) {
    return {whole, &part};
}

template <class Made, class Shape, class S, class R, class Begin>
auto launch_with(const char* name, MPI_Comm comm, Direction direction, Shape given, Begin begin, S&& send, R&& receive)
    -> decltype(auto) {
    constexpr bool owns = given_away<S> || given_away<R>;
    using Cargo = detail::Cargo<S, R>;
    using Answer = typename Made::template type<owns, Cargo>;
    const auto run = [&]() -> result<Answer> {
        if (is_too_late()) [[unlikely]]
            ANYMPI_FAIL(too_late(), name, comm);
        MPI_Request handle = MPI_REQUEST_NULL;
        const auto start = [&](const Shape& shape, const auto& from, auto& into) {
            return shape.call(comm, from, into, [&](auto... arguments) { return begin(&handle, arguments...); });
        };
        if constexpr (owns || Shape::must_last) {
            struct Everything {
                Shape shape;
                Cargo cargo;
            };
            const auto all = std::make_shared<Everything>(
                Everything{std::move(given), Cargo{std::forward<S>(send), std::forward<R>(receive)}});
            if (const Fault fault = start(all->shape, all->cargo.send, all->cargo.receive)) [[unlikely]]
                ANYMPI_FAIL(fault, name, comm);
            if constexpr (owns)
                return Made::make(handle, direction, all, product_of(all, all->cargo.product()));
            else
                return Made::make(handle, direction, all);
        } else {
            if (const Fault fault = start(given, send, receive)) [[unlikely]]
                ANYMPI_FAIL(fault, name, comm);
            return Made::make(handle, direction, Keep());
        }
    };
    return run();
}

/// What is made of a request that is under way …
struct Immediate {
    template <bool Owns, class Cargo>
    struct Choose {
        using type = Request;
    };
    template <class Cargo>
    struct Choose<true, Cargo> {
        using type = OwningRequest<std::remove_cvref_t<decltype(std::declval<Cargo&>().product())>>;
    };
    template <bool Owns, class Cargo>
    using type = typename Choose<Owns, Cargo>::type;

    static Request make(MPI_Request handle, Direction direction, Keep keep) {
        return {handle, direction, std::move(keep)};
    }
    template <class Value>
    static OwningRequest<Value> make(MPI_Request handle, Direction direction, Keep keep, std::shared_ptr<Value> value) {
        return {Request(handle, direction, std::move(keep)), std::move(value), direction == Direction::receives};
    }
};
/// … and of one that is described.
struct Described {
    template <bool Owns, class Cargo>
    struct Choose {
        using type = PersistentRequest;
    };
    template <class Cargo>
    struct Choose<true, Cargo> {
        using type = OwningPersistent<std::remove_cvref_t<decltype(std::declval<Cargo&>().product())>>;
    };
    template <bool Owns, class Cargo>
    using type = typename Choose<Owns, Cargo>::type;

    static PersistentRequest make(MPI_Request handle, Direction direction, Keep keep) {
        return {handle, direction, std::move(keep)};
    }
    template <class Value>
    static OwningPersistent<Value> make(MPI_Request handle, Direction direction, Keep keep,
                                        std::shared_ptr<Value> value) {
        return {PersistentRequest(handle, direction, std::move(keep)), std::move(value)};
    }
};

/// Nothing is sent, or nothing received.
struct None {};
template <>
inline constexpr bool given_away<None> = false;

template <class Function, class Shape, class S, class R>
auto start(Function function, const char* name, MPI_Comm comm, Direction direction, Shape shape, S&& send,
           R&& receive) {
    const auto begin = [=](MPI_Request* request, auto... arguments) { return function(arguments..., comm, request); };
    return launch_with<Immediate>(name, comm, direction, std::move(shape), begin, std::forward<S>(send),
                                  std::forward<R>(receive));
}

/// Persistent point-to-point operations take no info, collective ones do.
template <class Function, class Shape, class S, class R>
auto describe(Function function, const char* name, MPI_Comm comm, Direction direction, Shape shape, S&& send,
              R&& receive) {
    const auto begin = [=](MPI_Request* request, auto... arguments) { return function(arguments..., comm, request); };
    return launch_with<Described>(name, comm, direction, std::move(shape), begin, std::forward<S>(send),
                                  std::forward<R>(receive));
}
template <class Function, class Shape, class S, class R>
auto describe(Function function, const char* name, MPI_Comm comm, Direction direction, Shape shape, S&& send,
              R&& receive, const Info& info) {
    const auto begin = [=, hints = info.handle()](MPI_Request* request, auto... arguments) {
        return function(arguments..., comm, hints, request);
    };
    return launch_with<Described>(name, comm, direction, std::move(shape), begin, std::forward<S>(send),
                                  std::forward<R>(receive));
}

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
