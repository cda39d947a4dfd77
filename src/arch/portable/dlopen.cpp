#include "arch/dlopen.hpp"

std::atomic<anympi_opener* (*)(const char* name)> anympi_choose_opener;

// The compiler must compile the last call to a jump in each build type.
#if __has_cpp_attribute(clang::musttail)
#define ANYMPI_JUMPS
#define ANYMPI_JUMP_TO [[clang::musttail]] return
#else
#define ANYMPI_JUMPS [[gnu::optimize("O2")]]
#define ANYMPI_JUMP_TO return
#endif

ANYMPI_JUMPS void* anympi_dlopen(const char* name, int flags) {
    ANYMPI_JUMP_TO anympi_choose_opener.load(std::memory_order_relaxed)(name)(name, flags);
}
