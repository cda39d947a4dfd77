// A value or an error, for programs that do not use exceptions. Implements the part of C++23's std::expected that the
// headers need.
#ifndef ANYMPI_EXPECTED_HPP
#define ANYMPI_EXPECTED_HPP

#include <type_traits>
#include <utility>
#include <variant>

#include "requirements.hpp"

namespace anympi {

template <class T, class E>
class [[nodiscard]] Expected {
public:
    using value_type = T;
    using error_type = E;

    Expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Expected(E error) : content_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const noexcept { return content_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }

    /// Returns the value. Throws std::bad_variant_access if there is an error instead.
    T& value() & { return std::get<0>(content_); }
    const T& value() const& { return std::get<0>(content_); }
    T&& value() && { return std::get<0>(std::move(content_)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    E& error() { return std::get<1>(content_); }
    const E& error() const { return std::get<1>(content_); }

    template <class U>
    T value_or(U&& other) && {
        return has_value() ? std::move(*this).value() : static_cast<T>(std::forward<U>(other));
    }
    /// Returns the result of `next` for the value, or the error.
    template <class F>
    auto and_then(F&& next) && -> std::invoke_result_t<F, T&&> {
        if (!has_value())
            return std::move(error());
        return std::forward<F>(next)(std::move(*this).value());
    }

private:
    std::variant<T, E> content_;
};

template <class E>
class [[nodiscard]] Expected<void, E> {
public:
    using value_type = void;
    using error_type = E;

    Expected() = default;
    Expected(E error) : content_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const noexcept { return content_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }
    void value() const { static_cast<void>(std::get<0>(content_)); }
    void operator*() const { value(); }
    E& error() { return std::get<1>(content_); }
    const E& error() const { return std::get<1>(content_); }

    template <class F>
    auto and_then(F&& next) && -> std::invoke_result_t<F> {
        if (!has_value())
            return std::move(error());
        return std::forward<F>(next)();
    }

private:
    std::variant<std::monostate, E> content_;
};

} // namespace anympi

#endif
