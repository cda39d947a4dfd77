#pragma once

#include <type_traits>
#include <vector>

namespace anympi::cxx {

template <class... Types>
using last_of = typename decltype((std::type_identity<Types>{}, ...))::type;

/// Calls a C function whose last parameter points to its result. Returns the result: an object of MPI::, a number or a
/// bool. The error handler of `object` handles errors.
template <class Result, class Object, class... Parameters, class... Arguments>
Result result_of(const Object& object, int (*function)(Parameters...), const Arguments&... arguments) {
    using raw = std::remove_pointer_t<last_of<Parameters...>>;
    raw result = raw(Result()); // used if the call fails
    check(object, function(arguments..., &result));
    return Result(result); // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): the program waits for a request
}

/// Returns the C handles of an array of objects of MPI::.
template <class Handle, class Object>
std::vector<Handle> handles_of(const Object* objects, int count) {
    return std::vector<Handle>(objects, objects + count);
}

inline std::vector<int> flags_of(const bool* values, int count) {
    return std::vector<int>(values, values + count);
}

} // namespace anympi::cxx
