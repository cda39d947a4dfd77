#pragma once

#include "abi/abi.hpp"

#include <type_traits>

#include "functions.hpp" // generated: functions<Abi>, function_count

namespace anympi {

/// An ordered pair of ABIs: a program that speaks App on a library that speaks Run.
template <class App, class Run>
struct pair {
    using app = App;
    using run = Run;
};

/// True if both sides have the same ABI, so that nothing needs conversion. Only few functions have a bridge then.
template <class P>
inline constexpr bool is_direct = std::is_same_v<typename P::app, typename P::run>;

template <class P, object O>
using app_handle = handle_of<typename P::app, O>;
template <class P, object O>
using run_handle = handle_of<typename P::run, O>;
template <class P>
using app_status = typename P::app::status;
template <class P>
using run_status = typename P::run::status;

/// The functions of the runtime, filled when the runtime is bound. Only the binding and the generated code from
/// api/overrides.api use this name (tests/house/generator.py). All other code reads the table as `library`.
template <class Run>
inline functions<Run> writable_library{};

template <class Run>
inline const functions<Run>& library = writable_library<Run>;

template <class P>
inline const functions<typename P::run>& target = writable_library<typename P::run>;

} // namespace anympi
