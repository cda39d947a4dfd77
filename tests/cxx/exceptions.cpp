// Errors: MPICH throws exceptions; Open MPI, as it is usually built, continues.
// ranks: 2
#include "check.hpp"

#ifdef OPEN_MPI
static const bool throws = false;
#else
static const bool throws = true;
#endif

static const int any_class = -1;

template <class Call>
static void expect_error(Call call, int error_class) {
    bool thrown = false;
    try {
        call();
    } catch (MPI::Exception& error) {
        thrown = true;
        CHECK(error.Get_error_class() == error_class || error_class == any_class);
        CHECK(MPI::Get_error_class(error.Get_error_code()) == error.Get_error_class());
        CHECK(std::strlen(error.Get_error_string()) > 0);
    }
    CHECK(thrown == throws);
}

static void bad_rank() {
    int value = 0;
    world().Send(&value, 1, MPI::INT, 77, 0);
}
static void bad_type() {
    MPI::Datatype none;
    opaque(none).Get_size();
}
// Open MPI 4.1 cannot make a window for a single rank.
static void bad_window_rank() {
    int cell = 0, value = 0;
    MPI::Win win = MPI::Win::Create(&cell, sizeof cell, 1, MPI::INFO_NULL, MPI::COMM_WORLD);
    win.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    opaque(win).Fence(0);
    try {
        opaque(win).Put(&value, 1, MPI::INT, 77, 0, 1, MPI::INT);
    } catch (MPI::Exception&) {
        opaque(win).Fence(0);
        win.Free();
        throw;
    }
    opaque(win).Fence(0);
    win.Free();
}
static void missing_file() {
    MPI::File::Open(MPI::COMM_SELF, "no-such-file", MPI::MODE_RDONLY, MPI::INFO_NULL);
}

int main(int argc, char** argv) {
    MPI::Init(argc, argv);
    join();
    world().Set_errhandler(MPI::ERRORS_RETURN);
    bad_rank(); // returns
    CHECK(world().Get_errhandler() == MPI::ERRORS_RETURN);
    world().Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    CHECK(world().Get_errhandler() == MPI::ERRORS_THROW_EXCEPTIONS);
    MPI::COMM_SELF.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS); // MPI 4 reports errors without an object to it
    expect_error(bad_rank, MPI::ERR_RANK);
    expect_error(bad_rank, MPI::ERR_RANK);
    expect_error(bad_type, MPI::ERR_TYPE);
    expect_error(bad_window_rank, MPI::ERR_RANK);
    MPI::File null;
    null.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    expect_error(missing_file, any_class); // Open MPI does not always report why
    return finish();
}
