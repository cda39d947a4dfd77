#pragma once

#include <atomic>

// Access to the MPI library that follows a library for programs of an older release.

namespace anympi::older {

/// Returns the address of a function of the library that provides MPI in this process: the chosen library or a front.
/// Stops the process if the library lacks the function.
void* find_in_library(const char* name);

template <class Function>
Function* find_next(std::atomic<Function*>& place, const char* name) {
    Function* next = place.load(std::memory_order_relaxed);
    if (next == nullptr) {
        next = reinterpret_cast<Function*>(find_in_library(name));
        place.store(next, std::memory_order_relaxed);
    }
    return next;
}

/// Returns false if the code at this address belongs to the MPI library or to one of its plug-ins: their calls use the
/// layout of the library.
bool is_call_of_program(const void* address);

} // namespace anympi::older
