#pragma once

#include "dummies/counts.h"
#include "runtime/open/image.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>

/// The number of calls of MPI functions that reached the program instead of the runtime.
extern int trap_hits;

inline std::string dummy(const std::string& name) {
    return std::string(DUMMIES) + "/" + name + ".so";
}

/// A library that is closed at the end of the test, so that the next test opens it unbound again.
class loaded {
public:
    explicit loaded(const std::string& file) : loaded(dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL)) {}
    explicit loaded(void* handle) : handle_(handle) { EXPECT_NE(handle, nullptr) << dlerror(); }
    ~loaded() {
        if (handle_ != nullptr)
            dlclose(handle_);
    }
    loaded(const loaded&) = delete;
    loaded& operator=(const loaded&) = delete;

    template <class result = int, class... arguments>
    result call(const char* name, arguments... values) const {
        auto* function = reinterpret_cast<result (*)(arguments...)>(dlsym(handle_, name));
        EXPECT_NE(function, nullptr) << name;
        return function != nullptr ? function(values...) : result();
    }
    void* symbol(const char* name) const { return dlsym(handle_, name); }
    link_map* map() const { return static_cast<link_map*>(handle_); }

private:
    void* handle_;
};
