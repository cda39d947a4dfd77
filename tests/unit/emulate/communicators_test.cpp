// Communicators and windows: names of null handles, split types that the library lacks, the memory of windows that are
// not shared.

#include "fake.hpp"

namespace {

using namespace fake;

class Communicators : public Emulation {};

TEST_F(Communicators, NullHandlesHaveNames) {
    char name[32] = "";
    int length = 0;
    EXPECT_EQ(mpi.Comm_get_name(mpich::mpi_COMM_NULL, name, &length), 0);
    EXPECT_STREQ(name, "MPI_COMM_NULL");
    EXPECT_EQ(length, 13);
    EXPECT_EQ(count_calls("Comm_get_name"), 0);
    EXPECT_EQ(mpi.Comm_get_name(world, name, &length), 0);
    EXPECT_STREQ(name, "a name");
    FAKE(Comm_get_name)::fail();
    EXPECT_EQ(mpi.Comm_get_name(mpich::mpi_COMM_NULL, nullptr, &length), a_code) << "the library must report the error";
    EXPECT_EQ(mpi.Type_get_name(mpich::mpi_DATATYPE_NULL, name, &length), 0);
    EXPECT_STREQ(name, "MPI_DATATYPE_NULL");
    EXPECT_EQ(mpi.Win_get_name(mpich::mpi_WIN_NULL, name, &length), 0);
    EXPECT_STREQ(name, "MPI_WIN_NULL");
}

TEST_F(Communicators, SplitTypesThatTheLibraryDoesNotKnow) {
    static int type_given;
    FAKE(Comm_split_type)::does = [](word from, int type, int key, word info, handle* out) {
        type_given = type;
        return FAKE(Comm_split_type)::usual(from, type, key, info, out);
    };
    handle part = 0;
    EXPECT_EQ(mpi.Comm_split_type(world, mpich::mpi_COMM_TYPE_SHARED, 0, mpich::mpi_INFO_NULL, &part), 0);
    EXPECT_EQ(type_given, mpich::mpi_COMM_TYPE_SHARED);
    EXPECT_EQ(mpi.Comm_free(&part), 0);
    EXPECT_EQ(mpi.Comm_split_type(world, mpich::mpi_COMM_TYPE_HW_GUIDED, 0, mpich::mpi_INFO_NULL, &part), 0);
    EXPECT_EQ(type_given, mpich::mpi_UNDEFINED) << "no resource was named";
    EXPECT_EQ(part, mpich::mpi_COMM_NULL);
    EXPECT_EQ(mpi.Comm_split_type(world, mpich::mpi_COMM_TYPE_HW_UNGUIDED, 0, mpich::mpi_INFO_NULL, &part), 0);
    EXPECT_EQ(type_given, mpich::mpi_COMM_TYPE_SHARED);
    EXPECT_EQ(part, mpich::mpi_COMM_NULL) << "a part that contains all processes does not count";
    EXPECT_EQ(count_comms(), 0);
}

// ---- windows ----

int flavor_of_window = mpich::mpi_WIN_FLAVOR_CREATE;
std::intptr_t size_of_window = 4096;
int unit_of_window = 8;
char window_memory[8];

int window_attribute(word, int keyval, void* value, int* is_there) {
    void* const found = keyval == mpich::mpi_WIN_CREATE_FLAVOR ? &flavor_of_window
                        : keyval == mpich::mpi_WIN_SIZE        ? static_cast<void*>(&size_of_window)
                        : keyval == mpich::mpi_WIN_DISP_UNIT   ? &unit_of_window
                                                               : static_cast<void*>(window_memory);
    *static_cast<void**>(value) = found;
    *is_there = 1;
    return 0;
}

TEST_F(Communicators, OfAWindowThatIsNotSharedTheOwnMemoryCanBeReached) {
    constexpr word window = 0xa0000010;
    FAKE(Win_get_attr)::does = window_attribute;
    std::intptr_t size = -1;
    int unit = -1;
    void* base = &size;
    EXPECT_EQ(mpi.Win_shared_query(window, 1, &size, &unit, &base), 0);
    EXPECT_EQ(size, 4096);
    EXPECT_EQ(unit, 8);
    EXPECT_EQ(base, window_memory);
    EXPECT_EQ(mpi.Win_shared_query(window, 0, &size, &unit, &base), 0);
    EXPECT_EQ(size, 0) << "of another process";
    EXPECT_EQ(unit, 1);
    EXPECT_EQ(base, nullptr);
    EXPECT_EQ(count_calls("Win_shared_query"), 0);
    EXPECT_EQ(count_calls("Group_free"), 2);
    flavor_of_window = mpich::mpi_WIN_FLAVOR_SHARED;
    EXPECT_EQ(mpi.Win_shared_query(window, 0, &size, &unit, &base), 0);
    EXPECT_EQ(count_calls("Win_shared_query"), 1);
    flavor_of_window = mpich::mpi_WIN_FLAVOR_CREATE;
    EXPECT_EQ(mpi.Win_shared_query(mpich::mpi_WIN_NULL, 0, &size, &unit, &base), 0);
    EXPECT_EQ(count_calls("Win_shared_query"), 2) << "the library must report the error";
}

} // namespace
