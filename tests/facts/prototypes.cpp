// Compares the functions that the front calls in a library (generated/functions.hpp) with the library's own header.
// tests/house/facts.py writes prototypes.inc: PROTOTYPE(X) for each MPI_X that the header declares.

#include MPI_HEADER
#include ABI_HEADER

#include "functions.hpp"

#include <cstdio>
#include <type_traits>

namespace {

using Abi = anympi::ABI;
using anympi::word;

template <class T>
concept opaque = std::is_void_v<std::remove_cv_t<T>> || std::is_function_v<T> || !requires {
    sizeof(T);
};

// True if the machine passes the type in the same way: the front passes its type where the header expects the
// library's.
template <class Ours, class Theirs>
constexpr bool agree() {
    if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
        using ours = std::remove_pointer_t<Ours>;
        using theirs = std::remove_pointer_t<Theirs>;
        if constexpr (opaque<ours> || opaque<theirs>)
            return true;
        else
            return sizeof(ours) == sizeof(theirs);
    } else if constexpr (std::is_same_v<Ours, word>) // a handle in a register; the library does not read the upper half
        return std::is_pointer_v<Theirs> || (Abi::name == anympi::abi::mpich && std::is_same_v<Theirs, int>);
    else if constexpr (std::is_floating_point_v<Ours> || std::is_floating_point_v<Theirs>)
        return std::is_same_v<Ours, Theirs>;
    else if constexpr (std::is_void_v<Ours> || std::is_void_v<Theirs>)
        return std::is_same_v<Ours, Theirs>;
    else
        return !std::is_pointer_v<Theirs> && sizeof(Ours) == sizeof(Theirs);
}

template <class Ours, class Theirs>
struct same_call : std::false_type {}; // the number of parameters differs

template <class R, class... P, class S, class... Q>
requires(sizeof...(P) == sizeof...(Q)) struct same_call<R (*)(P...), S (*)(Q...)>
    : std::bool_constant<agree<R, S>() && (agree<P, Q>() && ...)> {
};

// No library reads the arguments of the ellipsis (MPI_Pcontrol).
template <class R, class... P>
struct same_call<R (*)(P...), R (*)(P..., ...)> : std::true_type {};

template <class Ours, class Theirs>
void compare(const char* name) {
    if (!same_call<Ours, Theirs>::value)
        std::printf("prototype MPI_%s\n", name);
}

} // namespace

int main() {
    using table = anympi::functions<Abi>;
    int compared = 0;
#define PROTOTYPE(name) compare<decltype(table::name), decltype(&MPI_##name)>(#name), ++compared;
#include "prototypes.inc"
    std::printf("compared %d\n", compared);
    return 0;
}
