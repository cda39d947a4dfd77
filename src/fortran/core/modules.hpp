#pragma once

#include "fortran/core/predefined_number.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

// The functions and variables with the names of the vendors' Fortran modules (api/fortran_vendors.api). Fortran passes
// everything by address. An absent ierror is a null pointer.

namespace anympi::fortran {

inline void succeed(int* ierror) {
    if (ierror != nullptr)
        *ierror = 0;
}

/// The description of a type that gfortran uses at run time.
struct type_table {
    int hash;
    std::size_t size;
    const void* extends;
    const void* initial;
    void (*copy)(const void* from, void* to);
    void (*finalize)();
    void (*deallocate)();
};

} // namespace anympi::fortran

extern "C" {

[[maybe_unused]] static int anympi_module_same(const int* one, const int* other) {
    return *one == *other;
}

[[maybe_unused]] static int anympi_module_differs(const int* one, const int* other) {
    return *one != *other;
}

[[maybe_unused]] static int anympi_module_itself(int number) { // for a function with VALUE arguments
    return number;
}

[[maybe_unused]] static void anympi_module_assign(anympi::fortran::c_status* to,
                                                  const anympi::fortran::c_status* from) {
    *to = *from;
}

[[maybe_unused]] static void anympi_module_convert(const anympi::fortran::c_status* from, anympi::fortran::c_status* to,
                                                   int* ierror) {
    *to = *from;
    anympi::fortran::succeed(ierror);
}

[[maybe_unused]] static void anympi_module_nothing() {} // not inline: the compiler must not see that it does nothing

#define ANYMPI_MODULE_SIZE(SIZE)                                                                                       \
    [[maybe_unused]] static void anympi_module_size_##SIZE(const void*, int* size, int* ierror) {                      \
        *size = SIZE;                                                                                                  \
        anympi::fortran::succeed(ierror);                                                                              \
    }
ANYMPI_MODULE_SIZE(1)
ANYMPI_MODULE_SIZE(2)
ANYMPI_MODULE_SIZE(4)
ANYMPI_MODULE_SIZE(8)
ANYMPI_MODULE_SIZE(16)
ANYMPI_MODULE_SIZE(32)
#undef ANYMPI_MODULE_SIZE

} // extern "C"

#define ANYMPI_MODULE_NAME __attribute__((visibility("default")))
#define ANYMPI_MODULE_FUNCTION(RULE, NAME)                                                                             \
    extern ANYMPI_MODULE_NAME decltype(anympi_module_##RULE) NAME                                                      \
        __attribute__((nothrow, alias("anympi_module_" #RULE)));
#define ANYMPI_MODULE_HANDLE(NAME, NUMBER)                                                                             \
    extern ANYMPI_MODULE_NAME const int NAME;                                                                          \
    const int NAME = NUMBER;
#define ANYMPI_MODULE_TYPE(TABLE, INITIAL, COPY, HASH, TYPE)                                                           \
    extern ANYMPI_MODULE_NAME TYPE INITIAL;                                                                            \
    TYPE INITIAL{};                                                                                                    \
    ANYMPI_MODULE_NAME void COPY(const void* from, void* to) {                                                         \
        std::memcpy(to, from, sizeof(TYPE));                                                                           \
    }                                                                                                                  \
    extern ANYMPI_MODULE_NAME anympi::fortran::type_table TABLE;                                                       \
    anympi::fortran::type_table TABLE{HASH, sizeof(TYPE), nullptr, &INITIAL, COPY, nullptr, nullptr};
#define ANYMPI_MODULE_SENTINEL(NAME, TYPE)                                                                             \
    extern ANYMPI_MODULE_NAME TYPE NAME;                                                                               \
    TYPE NAME = 0;
