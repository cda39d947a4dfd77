#pragma once

#include <atomic>

extern "C" {

/// A function with the parameters of dlopen.
typedef void* anympi_opener(const char* name, int flags);

/// Returns the function that opens a library of this name. Set this pointer before anympi_dlopen is called.
[[gnu::visibility("hidden")]] extern std::atomic<anympi_opener* (*)(const char* name)> anympi_choose_opener;

/// The function that the runtime calls instead of dlopen. It jumps to the chosen function, so that the chosen function
/// returns directly to the runtime: glibc looks at the caller of dlopen.
[[gnu::visibility("hidden")]] anympi_opener anympi_dlopen;
}
