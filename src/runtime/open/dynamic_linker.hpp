#pragma once

#include <atomic>
#include <dlfcn.h>

namespace anympi::runtime {

/// A function whose address is found at run time.
template <class result, class... arguments>
struct found_function {
    std::atomic<result (*)(arguments...)> address;

    result operator()(arguments... values) const { return address.load(std::memory_order_relaxed)(values...); }
};

/// The functions of the dynamic linker that the fronts call. They are in libc.so.6 since glibc 2.34, and in libdl.so.2
/// before. The fronts do not need libdl.so.2, because on newer systems every program would load one more file. They do
/// not refer to the functions, not even weakly, because glibc before 2.30 rejects a reference that libc.so.6 does not
/// resolve. So the functions are looked up by name.
struct dynamic_linker {
    found_function<void*, const char*, int> open;
    found_function<int, void*> close;
    found_function<char*> error;
    found_function<int, void*, int, void*> info;
};

[[gnu::visibility("hidden")]] extern dynamic_linker linker;

/// Fills `linker`; loads libdl.so.2 if necessary. Stops the process with a message if that is impossible. Must be
/// called before a member of `linker` is used. Two threads may call this function at the same time, because both find
/// the same addresses.
void find_dynamic_linker();

/// Returns the definition of this name in the first loaded object that has one, or nullptr. Preloaded objects come
/// first.
void* find_loaded(const char* name);

} // namespace anympi::runtime
