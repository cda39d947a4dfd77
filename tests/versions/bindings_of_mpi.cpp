// The C++ bindings, which MPI 3.0 removed.
#include "tell_cell.h"

#include <mpi.h>

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
    const bool is_right = is_reduced(rank, size) && is_exchanged(rank, size) && is_split(rank) && has_exceptions(size);
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(version, &length);
    tell_cell(rank, size, is_right, version, length);
    MPI::Finalize();
}
