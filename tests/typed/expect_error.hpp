#ifndef EXPECT_ERROR_HPP
#define EXPECT_ERROR_HPP

#include <gtest/gtest.h>

#include <anympi/anympi.hpp>

// True with the mpi.h of a library: anympi corrects nothing that the library does wrong.
#ifdef MPI_ABI_VERSION
inline constexpr bool is_native = false;
#else
inline constexpr bool is_native = true;
#endif

/// Leaves out the rest of a test that needs a function which the mpi.h lacks.
#define NEEDS(function)                                                                                                \
    if (!ANYMPI_HAS(function))                                                                                         \
    GTEST_SKIP() << "this mpi.h lacks " #function

/// Expects that `statement` throws an anympi::Error of this class and operation.
#define EXPECT_MPI_ERROR(statement, class_, operation_)                                                                \
    try {                                                                                                              \
        static_cast<void>(statement);                                                                                  \
        ADD_FAILURE() << #statement << " did not fail";                                                                \
    } catch (const anympi::Error& error) {                                                                             \
        EXPECT_EQ(error.error_class(), anympi::ErrorClass::class_) << error.what();                                    \
        EXPECT_EQ(error.operation(), operation_);                                                                      \
    }

#endif
