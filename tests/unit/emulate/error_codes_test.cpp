// Codes and classes that the program removes, on a library that cannot remove them; MPI_ERRORS_ABORT on a library that
// lacks it.

#include "fake.hpp"

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
    EXPECT_EQ(count_calls("Add_error_class"), 2) << "the library creates only new ones";
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

// ---- MPI_ERRORS_ABORT ----

struct aborted {
    word comm = 0;
    int code = 0;
};
aborted last_abort;
void* given_handler;

TEST_ALONE(ErrorCodes, AHandlerOfOursStandsForErrorsAbort) {
    FAKE(Comm_create_errhandler)::does = [](void* function, handle* out) {
        given_handler = function;
        *out = 0x94000010;
        return 0;
    };
    static word set_handler;
    FAKE(Comm_set_errhandler)::does = [](word, word given) {
        set_handler = given;
        return 0;
    };
    FAKE(Comm_create_errhandler)::fail();
    EXPECT_EQ(mpi.Comm_set_errhandler(world, mpich::mpi_ERRORS_ABORT), a_code);
    EXPECT_EQ(count_calls("Comm_set_errhandler"), 0);
    EXPECT_EQ(mpi.Comm_set_errhandler(world, mpich::mpi_ERRORS_ABORT), 0);
    EXPECT_EQ(set_handler, 0x94000010);
    EXPECT_EQ(mpi.Comm_set_errhandler(self, mpich::mpi_ERRORS_ABORT), 0);
    EXPECT_EQ(count_calls("Comm_create_errhandler"), 2) << "created once, besides the one that failed";
    FAKE(Comm_get_errhandler)::does = [](word, handle* out) {
        *out = 0x94000010;
        return 0;
    };
    handle seen = 0;
    EXPECT_EQ(mpi.Comm_get_errhandler(world, &seen), 0);
    EXPECT_EQ(seen, mpich::mpi_ERRORS_ABORT);
    EXPECT_EQ(count_calls("Errhandler_free"), 1) << "the reference that the library gave";
    FAKE(Abort)::does = [](word comm, int code) {
        last_abort = {comm, code};
        return 0;
    };
    handle comm = mpich::mpi_COMM_SELF;
    int code = a_code;
    reinterpret_cast<void (*)(handle*, int*, ...)>(given_handler)(&comm, &code);
    EXPECT_EQ(last_abort.comm, self);
    EXPECT_EQ(last_abort.code, a_code);
}

TEST_ALONE(ErrorCodes, ThatOfWindowsEndsAllProcesses) {
    FAKE(Win_create_errhandler)::does = [](void* function, handle* out) {
        given_handler = function;
        *out = 0x94000011;
        return 0;
    };
    static word set_handler;
    FAKE(Win_set_errhandler)::does = [](word, word given) {
        set_handler = given;
        return 0;
    };
    FAKE(Win_get_errhandler)::does = [](word, handle* out) {
        *out = static_cast<handle>(set_handler);
        return 0;
    };
    FAKE(Abort)::does = [](word comm, int code) {
        last_abort = {comm, code};
        return 0;
    };
    constexpr handle a_window = 0xa0000001;
    handle seen = 0;
    EXPECT_EQ(mpi.Win_set_errhandler(a_window, mpich::mpi_ERRORS_RETURN), 0);
    EXPECT_EQ(mpi.Win_get_errhandler(a_window, &seen), 0);
    EXPECT_EQ(seen, mpich::mpi_ERRORS_RETURN);
    EXPECT_EQ(count_calls("Win_create_errhandler"), 0);
    EXPECT_EQ(mpi.Win_set_errhandler(a_window, mpich::mpi_ERRORS_ABORT), 0);
    EXPECT_EQ(set_handler, 0x94000011) << "windows have a handler of their own";
    EXPECT_EQ(mpi.Win_get_errhandler(a_window, &seen), 0);
    EXPECT_EQ(seen, mpich::mpi_ERRORS_ABORT);
    handle window = a_window;
    int code = a_code;
    reinterpret_cast<void (*)(handle*, int*, ...)>(given_handler)(&window, &code);
    EXPECT_EQ(last_abort.comm, world) << "the communicator of a window is not known";
    EXPECT_EQ(last_abort.code, a_code);
}

} // namespace
