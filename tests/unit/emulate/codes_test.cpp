// Error classes and codes that the program removes, on a library that cannot remove them; keys of infos that are longer
// than the library takes.

#include "fake.hpp"

#include <cstring>

namespace {

using namespace fake;

class ErrorCodes : public Emulation {};

int add_class() {
    int number = 0;
    EXPECT_EQ(mpi.Add_error_class(&number), 0);
    return number;
}
int add_code(int of_class) {
    int number = 0;
    EXPECT_EQ(mpi.Add_error_code(of_class, &number), 0);
    return number;
}

TEST_ALONE(ErrorCodes, ARemovedClassIsTheNextToBeAdded) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    const int first = add_class();
    const int second = add_class();
    EXPECT_NE(first, second);
    EXPECT_EQ(mpi.Remove_error_class(first), 0);
    EXPECT_EQ(mpi.Remove_error_class(second), 0);
    EXPECT_EQ(add_class(), second) << "the last that was removed";
    EXPECT_EQ(add_class(), first);
    EXPECT_EQ(count_calls("Add_error_class"), 2) << "the library was asked for new ones only";
    EXPECT_NE(add_class(), first);
    EXPECT_EQ(count_calls("Add_error_class"), 3);
}

TEST_ALONE(ErrorCodes, ARemovedCodeComesBackInItsOwnClass) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    const int one = add_class();
    const int other = add_class();
    const int code = add_code(one);
    EXPECT_EQ(mpi.Remove_error_code(code), 0);
    EXPECT_NE(add_code(other), code);
    EXPECT_EQ(add_code(one), code);
    int found = 0;
    EXPECT_EQ(mpi.Error_class(code, &found), 0);
    EXPECT_EQ(found, one);
}

TEST_ALONE(ErrorCodes, AClassWithCodesStays) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    const int number = add_class();
    const int code = add_code(number);
    EXPECT_EQ(mpi.Remove_error_class(number), mpich::mpi_ERR_OTHER);
    EXPECT_EQ(errors.size(), 1u) << "reported";
    EXPECT_EQ(mpi.Remove_error_code(number), mpich::mpi_ERR_OTHER) << "no code";
    EXPECT_EQ(mpi.Remove_error_class(code), mpich::mpi_ERR_OTHER) << "no class";
    EXPECT_EQ(mpi.Remove_error_code(code), 0);
    EXPECT_EQ(mpi.Remove_error_class(number), 0);
    EXPECT_EQ(mpi.Remove_error_class(number), mpich::mpi_ERR_OTHER) << "removed already";
}

TEST_ALONE(ErrorCodes, OneWithATextStays) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    const int number = add_class();
    EXPECT_EQ(mpi.Add_error_string(number, "a text"), 0);
    EXPECT_EQ(mpi.Remove_error_class(number), mpich::mpi_ERR_OTHER);
    EXPECT_EQ(mpi.Remove_error_string(number), 0);
    EXPECT_EQ(mpi.Remove_error_class(number), 0);
}

TEST_ALONE(ErrorCodes, ATextThatTheLibraryRefusesIsNotNoted) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    const int number = add_class();
    FAKE(Add_error_string)::fail();
    EXPECT_EQ(mpi.Add_error_string(number, "a text"), a_code);
    EXPECT_EQ(mpi.Remove_error_class(number), 0);
}

TEST_ALONE(ErrorCodes, AClassThatTheLibraryRefusesIsNotNoted) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    FAKE(Add_error_class)::fail();
    int number = 0;
    EXPECT_EQ(mpi.Add_error_class(&number), a_code);
    EXPECT_EQ(mpi.Remove_error_class(number), mpich::mpi_ERR_OTHER);
}

// ---- infos ----

TEST_ALONE(ErrorCodes, GetStringTellsTheWholeLength) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    handle info = 0;
    EXPECT_EQ(mpi.Info_create(&info), 0);
    EXPECT_EQ(mpi.Info_set(info, "key", "0123456789"), 0);
    char value[32] = "";
    int room = 5;
    int flag = 0;
    EXPECT_EQ(mpi.Info_get_string(info, "key", &room, value, &flag), 0);
    EXPECT_STREQ(value, "0123");
    EXPECT_EQ(room, 11);
    room = 0;
    std::strcpy(value, "untouched");
    EXPECT_EQ(mpi.Info_get_string(info, "key", &room, value, &flag), 0);
    EXPECT_STREQ(value, "untouched");
    EXPECT_EQ(room, 11);
    room = 11;
    EXPECT_EQ(mpi.Info_get_string(info, "key", &room, value, &flag), 0);
    EXPECT_STREQ(value, "0123456789");
    EXPECT_EQ(mpi.Info_get_string(info, "nothing", &room, value, &flag), 0);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(mpi.Info_free(&info), 0);
}

// ---- communicators ----

TEST_F(ErrorCodes, SplitTypesThatTheLibraryDoesNotKnow) {
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
    EXPECT_EQ(part, mpich::mpi_COMM_NULL) << "a part that is the whole is none";
    EXPECT_EQ(count_comms(), 0);
}

} // namespace
