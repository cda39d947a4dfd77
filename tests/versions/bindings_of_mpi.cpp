// The C++ bindings, which MPI 3.0 removed.
#include "tell_cell.h"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

bool is_reduced(int rank, int size) {
    int number = rank + 1;
    int sum = 0;
    MPI::COMM_WORLD.Allreduce(&number, &sum, 1, MPI::INT, MPI::SUM);
    return sum == size * (size + 1) / 2;
}

bool is_exchanged(int rank, int size) {
    const int left = (rank + size - 1) % size;
    int received = -1;
    MPI::Status status;
    MPI::Request request = MPI::COMM_WORLD.Isend(&rank, 1, MPI::INT, (rank + 1) % size, 5);
    MPI::COMM_WORLD.Recv(&received, 1, MPI::INT, left, MPI::ANY_TAG, status);
    request.Wait();
    return received == left && status.Get_source() == left && status.Get_tag() == 5;
}

bool is_split(int rank) {
    MPI::Intracomm part = MPI::COMM_WORLD.Split(rank, 0);
    const bool is_alone = part.Get_size() == 1 && MPI::Comm::Compare(part, MPI::COMM_SELF) == MPI::CONGRUENT;
    part.Free();
    return is_alone;
}

void take_larger_absolute(const void* in, void* inout, int count, const MPI::Datatype&) {
    const int* left = static_cast<const int*>(in);
    int* right = static_cast<int*>(inout);
    for (int i = 0; i < count; i++)
        right[i] = std::max(std::abs(left[i]), std::abs(right[i]));
}

void multiply(const void* in, void* inout, int count, const MPI::Datatype&) {
    const int* left = static_cast<const int*>(in);
    int* right = static_cast<int*>(inout);
    for (int i = 0; i < count; i++)
        right[i] *= left[i];
}

// Two functions at once: a library must keep them apart.
bool has_operations(int rank, int size) {
    int number = -rank - 1;
    int largest = 0;
    int product = 0;
    int expected = 1;
    for (int i = 1; i <= size; i++)
        expected *= -i;
    MPI::Op larger;
    MPI::Op times;
    larger.Init(take_larger_absolute, true);
    times.Init(multiply, true);
    MPI::COMM_WORLD.Allreduce(&number, &largest, 1, MPI::INT, larger);
    MPI::COMM_WORLD.Allreduce(&number, &product, 1, MPI::INT, times);
    larger.Free();
    times.Free();
    return largest == size && product == expected;
}

int copies;
int deletes;

int copy_attribute(const MPI::Comm&, int, void*, void* value, void* copy, bool& flag) {
    ++copies;
    *static_cast<void**>(copy) = value;
    flag = true;
    return MPI::SUCCESS;
}

int delete_attribute(MPI::Comm&, int, void*, void*) {
    ++deletes;
    return MPI::SUCCESS;
}

bool has_attributes() {
    int value = 0;
    void* found = nullptr;
    int keyval = MPI::Comm::Create_keyval(copy_attribute, delete_attribute, nullptr);
    MPI::Intracomm first = MPI::COMM_WORLD.Dup();
    first.Set_attr(keyval, &value);
    MPI::Intracomm second = first.Dup();
    const bool is_found = second.Get_attr(keyval, &found) && found == &value;
    second.Free();
    first.Free();
    MPI::Comm::Free_keyval(keyval);
    return is_found && copies == 1 && deletes == 2;
}

int last_error;

void keep_error(MPI::Comm&, int* code, ...) {
    last_error = MPI::Get_error_class(*code);
}

bool has_error_handlers(int size) {
    int number = 0;
    MPI::Errhandler own = MPI::Comm::Create_errhandler(keep_error);
    MPI::Intracomm part = MPI::COMM_WORLD.Dup();
    part.Set_errhandler(own);
    MPI::Errhandler found = part.Get_errhandler();
    part.Send(&number, 1, MPI::INT, size, 0);
    const bool is_own = found == own && found != MPI::ERRORS_RETURN;
    found.Free();
    own.Free();
    part.Free();
    return is_own && last_error == MPI::ERR_RANK;
}

// Objects of derived classes, and texts.
bool has_topologies(int rank, int size) {
    int sizes[1] = {size};
    bool periods[1] = {true};
    int place[1] = {-1};
    int before = -1;
    int after = -1;
    char name[MPI::MAX_OBJECT_NAME];
    int length = 0;
    MPI::Cartcomm ring = MPI::COMM_WORLD.Create_cart(1, sizes, periods, false);
    ring.Shift(0, 1, before, after);
    ring.Get_coords(rank, 1, place);
    ring.Set_name("ring");
    ring.Get_name(name, length);
    MPI::Comm& copy = ring.Clone();
    const bool is_right = place[0] == rank && after == (rank + 1) % size && copy.Get_topology() == MPI::CART &&
                          std::string(name) == "ring" && length == 4;
    copy.Free();
    delete &copy;
    ring.Free();
    return is_right;
}

// Most builds of Open MPI return the error instead of throwing it.
bool has_exceptions(int size) {
    int number = 0;
    MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
#ifdef OPEN_MPI
    MPI::COMM_WORLD.Send(&number, 1, MPI::INT, MPI::PROC_NULL, size);
    return true;
#else
    try {
        MPI::COMM_WORLD.Send(&number, 1, MPI::INT, size, 0);
    } catch (MPI::Exception& error) {
        return error.Get_error_class() == MPI::ERR_RANK;
    }
    return false;
#endif
}

} // namespace

int main(int argc, char** argv) {
    MPI::Init(argc, argv);
    const int rank = MPI::COMM_WORLD.Get_rank();
    const int size = MPI::COMM_WORLD.Get_size();
    const bool is_right = is_reduced(rank, size) && is_exchanged(rank, size) && is_split(rank) &&
                          has_operations(rank, size) && has_attributes() && has_error_handlers(size) &&
                          has_topologies(rank, size) && has_exceptions(size);
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    tell_cell(rank, size, is_right, version, length);
    MPI::Finalize();
}
