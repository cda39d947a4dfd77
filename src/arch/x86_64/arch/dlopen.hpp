#pragma once

#include <atomic>

extern "C" {

/// A function with the parameters of dlopen.
typedef void* anympi_opener(const char* name, int flags);

/// Chooses the function that opens a library of this name. To be set before anympi_dlopen is called.
[[gnu::visibility("hidden")]] extern std::atomic<anympi_opener* (*)(const char* name)> anympi_choose_opener;

/// The function that the runtime calls for dlopen. It jumps to the chosen one, so that this returns to the runtime:
/// glibc looks at the caller of dlopen.
[[gnu::visibility("hidden")]] anympi_opener anympi_dlopen;
}
