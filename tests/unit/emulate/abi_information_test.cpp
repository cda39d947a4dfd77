// The queries of a program about the ABI and the version, and its settings about Fortran.

#include "fake.hpp"

#include <cstring>

namespace {

using namespace fake;

class AbiInformation : public Emulation {};

TEST_ALONE(AbiInformation, TheFirstLogicalsCount) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    unsigned char yes[4] = {1, 2, 3, 4};
    unsigned char no[4] = {};
    unsigned char seen[8] = {};
    int is_set = -1;
    EXPECT_EQ(mpi.Abi_get_fortran_booleans(4, seen, seen, &is_set), 0);
    EXPECT_EQ(is_set, 0);
    EXPECT_EQ(mpi.Abi_set_fortran_booleans(3, yes, no), mpich::mpi_ERR_ARG) << "no size of a LOGICAL";
    EXPECT_EQ(mpi.Abi_set_fortran_booleans(4, yes, nullptr), mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Abi_set_fortran_booleans(4, yes, no), 0) << "values that were rejected have no effect";
    EXPECT_EQ(mpi.Abi_set_fortran_booleans(4, no, yes), mpich::mpi_ERR_ABI);
    EXPECT_EQ(errors.size(), 3u);
    EXPECT_EQ(mpi.Abi_get_fortran_booleans(8, seen, seen + 4, &is_set), 0);
    EXPECT_EQ(is_set, 0) << "of another size";
    EXPECT_EQ(mpi.Abi_get_fortran_booleans(4, seen, seen + 4, &is_set), 0);
    EXPECT_EQ(is_set, 1);
    EXPECT_EQ(std::memcmp(seen, yes, 4), 0);
    EXPECT_EQ(std::memcmp(seen + 4, no, 4), 0);
}

TEST_ALONE(AbiInformation, SizesOfIntegers) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    handle info = 0;
    char size[8] = "";
    int flag = 0;
    EXPECT_EQ(mpi.Abi_get_info(&info), 0);
    EXPECT_EQ(mpi.Info_get(info, "mpi_count_size", 7, size, &flag), 0);
    EXPECT_STREQ(size, "8");
    EXPECT_EQ(mpi.Info_free(&info), 0);
    FAKE(Info_create)::fail();
    EXPECT_EQ(mpi.Abi_get_info(&info), a_code);
}

TEST_ALONE(AbiInformation, TheFirstInfoOfFortranCounts) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    handle info = 77;
    EXPECT_EQ(mpi.Abi_get_fortran_info(&info), 0);
    EXPECT_EQ(info, mpich::mpi_INFO_NULL);
    EXPECT_EQ(mpi.Info_create(&info), 0);
    EXPECT_EQ(mpi.Info_set(info, "key", "first"), 0);
    EXPECT_EQ(mpi.Abi_set_fortran_info(info), 0);
    EXPECT_EQ(mpi.Info_set(info, "second", "2"), 0);
    EXPECT_EQ(mpi.Abi_set_fortran_info(info), mpich::mpi_ERR_ABI);
    EXPECT_EQ(mpi.Info_free(&info), 0);
    EXPECT_EQ(mpi.Abi_get_fortran_info(&info), 0);
    int count = 0;
    EXPECT_EQ(mpi.Info_get_nkeys(info, &count), 0);
    EXPECT_EQ(count, 1) << "unchanged since it was set";
    EXPECT_EQ(mpi.Info_free(&info), 0);
}

TEST_ALONE(AbiInformation, VersionIsTheLibrarysUnlessNothingIsMissing) {
    int version = 0;
    int subversion = -1;
    EXPECT_EQ(mpi.Get_version(&version, &subversion), 0);
    EXPECT_EQ(version * 10 + subversion, 31);
    anympi::emulate::install_overrides<mpich>(anympi::emulate::moment::whole_standard);
    EXPECT_EQ(mpi.Get_version(&version, &subversion), 0);
    EXPECT_EQ(version * 10 + subversion, 50);
    FAKE(Get_version)::fail();
    EXPECT_EQ(mpi.Get_version(nullptr, &subversion), a_code) << "the library must report the error";
}

} // namespace
