#include "abi/all.hpp"
#include "convert/handle.hpp"

#include <gtest/gtest.h>

namespace anympi {

// A library without MPI_INTEGER16, and the substitute for it.
template <class Run>
void expect_null_stays_null(word null, word substitute) {
    using with = pair<standard, Run>;
    using handle = run_handle<with, object::datatype>;
    word* const table = predefined_to_run<Run>;
    table[standard::mpi_DATATYPE_NULL] = table[standard::mpi_INTEGER16] = null;
    EXPECT_NE((id_of<with, object::datatype>(static_cast<handle>(null))), standard::mpi_INTEGER16);
    table[standard::mpi_INTEGER16] = substitute;
    EXPECT_EQ((id_of<with, object::datatype>(static_cast<handle>(substitute))), standard::mpi_INTEGER16);
    EXPECT_NE((id_of<with, object::datatype>(static_cast<handle>(null))), standard::mpi_INTEGER16);
}

TEST(lacking, null_is_no_datatype_that_the_library_lacks) {
    expect_null_stays_null<mpich>(mpich::mpi_DATATYPE_NULL, 0x8c000000);
    expect_null_stays_null<openmpi>(0x7fb9c0043480, 0x55ad00000010);
}

} // namespace anympi
