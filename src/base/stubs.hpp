#pragma once

namespace anympi {

/// Returns the stub of (user_function, converter), for callbacks that carry no state (user reductions, error handlers).
///
/// The stub calls `converter` with the caller's arguments and passes `user_function` as the sixth integer argument, so
/// a converter is a plain function whose sixth parameter is the user's function. Callbacks have at most five arguments,
/// so none of the caller's is lost. The registers of a variadic call stay unchanged.
///
/// The same pair always has the same stub, which is never freed: an operation may be freed while a reduction that uses
/// it is pending, and a program that creates one operation a million times needs one stub.
///
/// Takes no lock if the pair is known. Returns nullptr if memory or the processor's stubs (src/arch) are exhausted.
void* stub_for(void* user_function, void* converter);

/// Returns stub_for(user_function, converter), or nullptr if `user_function` is null. The library rejects a null
/// function or removes an earlier callback.
inline void* stub_unless_null(void* user_function, void* converter) {
    return user_function != nullptr ? stub_for(user_function, converter) : nullptr;
}

/// Returns true if the program passed a pointer and memory for its counterpart was exhausted.
inline bool lacks_counterpart(const void* program, const void* ours) {
    return program != nullptr && ours == nullptr;
}

} // namespace anympi
