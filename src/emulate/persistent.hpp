#pragma once

#include "emulate/held.hpp"

#include <tuple>
#include <utility>

namespace anympi::emulate {

/// A persistent collective operation where the runtime has the nonblocking one only: it keeps the arguments, and each
/// start is such a call with them. Mistakes in them are found when it is started first. Arrays stay the program's,
/// which must not change them before the request is freed; those that a bridge has converted are kept with the request.
template <class... Arguments>
struct stored {
    template <class Run>
    struct call : compound<Run> {
        std::tuple<Arguments...> arguments; ///< of the persistent function
    };
};

/// All arguments but the last two, info and request, are the nonblocking function's.
template <class Run, auto Nonblocking, class... Arguments>
int begin_stored(compound<Run>& operation) {
    const auto& arguments = static_cast<typename stored<Arguments...>::template call<Run>&>(operation).arguments;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (library<Run>.*Nonblocking)(std::get<I>(arguments)..., operation.children);
    }
    (std::make_index_sequence<sizeof...(Arguments) - 2>{});
}

/// Calls `each` with those that are handles.
template <class Each, class... Arguments>
void for_handles(const std::tuple<Arguments...>& arguments, Each each) {
    const auto if_handle = [&](const auto& argument) {
        if constexpr (std::is_same_v<decltype(argument), const word&>)
            each(argument);
    };
    std::apply([&](const auto&... all) { (if_handle(all), ...); }, arguments);
}

template <class Run, class... Arguments>
void drop_stored(compound<Run>& operation) {
    for_handles(static_cast<typename stored<Arguments...>::template call<Run>&>(operation).arguments,
                [](word handle) { held<Run>.drop(handle); });
}

template <class Run, auto Nonblocking, class... Arguments>
int persistent(Arguments... arguments) {
    static constexpr typename compound<Run>::behaviour starts_anew = {begin_stored<Run, Nonblocking, Arguments...>,
                                                                      nullptr, drop_stored<Run, Arguments...>};
    request_of<Run>* const request = std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
    if (request == nullptr)
        return raise<Run>(Run::mpi_ERR_ARG);
    auto* const operation = make<Run, stored<Arguments...>::template call>(1);
    if (operation == nullptr)
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    operation->does = &starts_anew;
    operation->is_persistent = true;
    operation->arguments = {arguments...};
    for_handles(operation->arguments, [](word handle) { held<Run>.hold(handle); });
    publish<Run>(operation, request);
    return 0;
}

} // namespace anympi::emulate
