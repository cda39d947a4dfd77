#pragma once

#include <array>
#include <cstdio>
#include <mutex>
#include <utility>

namespace anympi::cxx {

/// C functions that call a C++ function of the program, for callbacks to which MPI gives no state of their own
/// (reductions, error handlers). A function keeps its carrier for good: an operation that was freed may be pending
/// still, and a program that creates one operation a million times needs one carrier.
///
/// A Kind has `cxx_function`, `c_function`, `name` and a template `call<N>`, which is a c_function and calls
/// carriers<Kind>::functions[N]. It is short, as there are many.
template <class Kind>
class carriers {
public:
    static constexpr std::size_t capacity = 256; ///< different functions, not operations or handlers

    static inline std::array<typename Kind::cxx_function*, capacity> functions{};

    /// nullptr, which MPI refuses, when too many different functions are in use.
    static typename Kind::c_function* carrier_of(typename Kind::cxx_function* function) {
        static std::mutex lock;
        const std::lock_guard guard(lock);
        for (std::size_t n = 0; n < capacity; ++n) {
            if (functions[n] == nullptr)
                functions[n] = function;
            if (functions[n] == function)
                return table(std::make_index_sequence<capacity>())[n];
        }
        std::fprintf(stderr,
                     "anympi: this program uses more than %zu different C++ functions as %s; no more can be had.\n",
                     capacity, Kind::name);
        return nullptr;
    }

private:
    template <std::size_t... N>
    static const auto& table(std::index_sequence<N...>) {
        static constexpr std::array<typename Kind::c_function*, capacity> all = {Kind::template call<N>...};
        return all;
    }
};

} // namespace anympi::cxx
