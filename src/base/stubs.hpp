#pragma once

namespace anympi {

/// Code for callbacks that carry no state (user reductions, error handlers).
///
/// Calling the stub of (user_function, converter) calls `converter` with the caller's arguments and `user_function` as
/// its sixth integer argument: a converter is a plain function whose sixth parameter is the user's function. The
/// callbacks have at most five arguments, so nothing of the caller's is lost; the registers of a variadic call stay as
/// they are.
///
/// The same pair always has the same stub, which is never freed: an operation may be freed while a reduction that uses
/// it is still pending, and a program that creates one operation a million times needs one stub.
///
/// Needs no lock when the pair is known. Returns nullptr if memory or the stubs of the processor
/// (src/arch) are exhausted.
void* stub_for(void* user_function, void* converter);

/// The same for a function that may be null, which stays null: the library refuses it, or removes an earlier
/// callback.
inline void* stub_unless_null(void* user_function, void* converter) {
    return user_function != nullptr ? stub_for(user_function, converter) : nullptr;
}

/// Returns true if the program gave a pointer and there was no memory for what stands for it.
inline bool lacks_counterpart(const void* program, const void* ours) {
    return program != nullptr && ours == nullptr;
}

} // namespace anympi
