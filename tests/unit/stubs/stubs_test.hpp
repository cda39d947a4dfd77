#pragma once

#include "base/stubs.hpp"

#include <cstdint>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

using anympi::stub_for;

inline void* address(std::uintptr_t value) {
    return reinterpret_cast<void*>(value);
}
template <class Function>
inline void* address(Function* function) {
    return reinterpret_cast<void*>(function);
}
inline std::uintptr_t user_as_number(void*, void*, void*, void*, void*, void* user) {
    return reinterpret_cast<std::uintptr_t>(user);
}
inline std::uintptr_t number_behind(void* stub) {
    return reinterpret_cast<std::uintptr_t (*)()>(stub)();
}

/// Runs `body` in a child process and returns its exit status. An alarm ends a child that hangs.
inline int in_child(const std::function<int()>& body) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(body());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
