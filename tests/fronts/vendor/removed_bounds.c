// MPI_LB and MPI_UB, by which MPI-1 changed the bounds of a structure. Values on which the libraries differ are left
// out.
#include <mpi.h>
#include <stdio.h>

#if defined OPEN_MPI && !defined MPI_UB // the library has both; the mpi.h of 4.1 may hide them
extern struct ompi_predefined_datatype_t ompi_mpi_lb, ompi_mpi_ub;
#define MPI_LB OMPI_PREDEFINED_GLOBAL(MPI_Datatype, ompi_mpi_lb)
#define MPI_UB OMPI_PREDEFINED_GLOBAL(MPI_Datatype, ompi_mpi_ub)
#endif

#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))

static int failures;

static void expect_bounds(const char* what, MPI_Datatype type, MPI_Aint lower, MPI_Aint upper, int size) {
    MPI_Aint found = -1, extent = -1, old_lower = -1, old_upper = -1, old_extent = -1;
    int found_size = -1;
    MPI_Type_get_extent(type, &found, &extent);
    MPI_Type_lb(type, &old_lower);
    MPI_Type_ub(type, &old_upper);
    MPI_Type_extent(type, &old_extent);
    MPI_Type_size(type, &found_size);
    const int is_old_right = old_lower == found && old_upper == found + extent && old_extent == extent;
    if (found != lower || found + extent != upper || found_size != size || !is_old_right) {
        printf("FAILED: %s extends from %ld to %ld and has %d bytes; by the functions of MPI-1 from %ld to %ld\n", what,
               (long)found, (long)(found + extent), found_size, (long)old_lower, (long)old_upper);
        failures++;
    }
}

static MPI_Datatype structure(int count, const MPI_Datatype* types, const MPI_Aint* places) {
    int lengths[4] = {1, 1, 1, 1};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_struct(count, lengths, (MPI_Aint*)places, (MPI_Datatype*)types, &made);
    return made;
}

static void expect_structures(void) {
    const MPI_Datatype upper_types[] = {MPI_INT, MPI_DOUBLE, MPI_UB};
    MPI_Datatype upper = structure(3, upper_types, (MPI_Aint[]){0, 8, 32});
    expect_bounds("the one with MPI_UB", upper, 0, 32, 12);
    const MPI_Datatype both_types[] = {MPI_LB, MPI_INT, MPI_DOUBLE, MPI_UB};
    MPI_Datatype both = structure(4, both_types, (MPI_Aint[]){-8, 0, 8, 40});
    expect_bounds("the one with both", both, -8, 40, 12);
    const MPI_Datatype lower_types[] = {MPI_DOUBLE, MPI_LB};
    MPI_Datatype lower = structure(2, lower_types, (MPI_Aint[]){8, -8});
    expect_bounds("the one with MPI_LB", lower, -8, 16, 8);
    const MPI_Datatype empty_types[] = {MPI_UB, MPI_LB};
    MPI_Datatype empty = structure(2, empty_types, (MPI_Aint[]){20, -4});
    expect_bounds("the one with bounds only", empty, -4, 20, 0);

    MPI_Datatype row, rows, outer;
    MPI_Type_contiguous(3, upper, &row);
    expect_bounds("three in a row", row, 0, 96, 36);
    MPI_Type_vector(2, 2, 3, upper, &rows);
    expect_bounds("two by two", rows, 0, 160, 48);
    const MPI_Datatype outer_types[] = {MPI_INT, upper};
    outer = structure(2, outer_types, (MPI_Aint[]){0, 8});
    expect_bounds("one inside another", outer, 0, 40, 16);
    MPI_Datatype* const made[] = {&upper, &both, &lower, &empty, &row, &rows, &outer};
    for (int i = 0; i < LENGTH(made); i++)
        MPI_Type_free(made[i]);
}

// Every second record is sent: the upper bound of each element is after the next record.
static void expect_records(int rank, int size) {
    struct record {
        int number;
        double value;
    } sent[4] = {{rank, 0.5}, {-1, -1}, {rank + 10, 1.5}, {-1, -1}}, received[4] = {{0, 0}};
    const int left = (rank + size - 1) % size;
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_UB};
    const MPI_Aint value = (char*)&sent[0].value - (char*)&sent[0];
    MPI_Datatype type = structure(3, types, (MPI_Aint[]){0, value, 2 * sizeof(struct record)});
    MPI_Type_commit(&type);
    MPI_Sendrecv(sent, 2, type, (rank + 1) % size, 3, received, 2, type, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    if (received[0].number != left || received[2].number != left + 10 || received[2].value != 1.5 ||
        received[1].number != 0 || received[3].number != 0) {
        printf("FAILED: received %d, %d, %d, %d\n", received[0].number, received[1].number, received[2].number,
               received[3].number);
        failures++;
    }
}

int main(void) {
    MPI_Init(NULL, NULL);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    expect_structures();
    expect_records(rank, size);
    int all = 0;
    MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && all == 0)
        printf("passed\n");
    MPI_Finalize();
    return failures != 0;
}
