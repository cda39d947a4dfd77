// The program that the preloaded tool watches: messages, collectives, file access and one-sided access. Between
// MPI_Pcontrol(1) and MPI_Pcontrol(0) it calls each function a known number of times (tests/fronts/pmpi_tool.py lists
// them).
#include "check.h"

enum { length = 8 };

static int out[length], in[length];

static void messages(MPI_Comm comm, int partner) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(in, length, MPI_INT, partner, 1, comm, &request);
    MPI_Send(out, length, MPI_INT, partner, 1, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void collectives(MPI_Comm comm) {
    int sum = 0;
    MPI_Bcast(in, 1, MPI_INT, 0, comm);
    MPI_Allreduce(&check_rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK_INT(sum, check_ranks * (check_ranks - 1) / 2);
    MPI_Barrier(comm);
}

// Interleaved, so that a collective write must exchange data between the ranks.
static void files(void) {
    MPI_File file = MPI_FILE_NULL;
    MPI_Datatype rows, spaced = MPI_DATATYPE_NULL;
    MPI_Status status;
    int written = -1;
    MPI_Type_contiguous(2, MPI_INT, &rows);
    MPI_Type_create_resized(rows, 0, 2 * (MPI_Aint)sizeof(int) * check_ranks, &spaced);
    MPI_Type_commit(&spaced);
    MPI_File_open(MPI_COMM_WORLD, "tool.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 2 * (MPI_Offset)sizeof(int) * check_rank, MPI_INT, spaced, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, out, length, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &written);
    CHECK_INT(written, length);
    MPI_File_sync(file);
    memset(in, 0, sizeof in);
    MPI_File_read_at_all(file, 0, in, length, MPI_INT, &status);
    CHECK_BYTES(in, out, sizeof out);
    MPI_File_write_shared(file, out, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&spaced);
    MPI_Type_free(&rows);
}

static void windows(MPI_Comm comm, int partner) {
    MPI_Win window;
    int cells[2] = {0, 1};
    MPI_Win_create(cells, sizeof cells, sizeof(int), MPI_INFO_NULL, comm, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&check_ranks, 1, MPI_INT, partner, 0, 1, MPI_INT, window);
    MPI_Accumulate(&check_ranks, 1, MPI_INT, partner, 1, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(0, window);
    CHECK_INT(cells[0], check_ranks);
    CHECK_INT(cells[1], check_ranks + 1);
    MPI_Win_free(&window);
}

int main(int argc, char** argv) {
    MPI_Comm copy, part;
    check_begin(&argc, &argv);
    for (int i = 0; i < length; i++)
        out[i] = 100 * check_rank + i;
    MPI_Pcontrol(1);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(MPI_COMM_WORLD, check_rank / 2, 0, &part);
    messages(copy, check_rank ^ 1);
    collectives(copy);
    files();
    windows(part, 1 - check_rank % 2);
    MPI_Comm_free(&part);
    MPI_Comm_free(&copy);
    MPI_Pcontrol(0);
    return check_end();
}
