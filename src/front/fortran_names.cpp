/// The addresses that C programs of the vendors know as "status ignored" of Fortran. A program that was linked in the
/// usual way holds copies of the variables, with these contents.

namespace {

int ignored_status[8];
int ignored_statuses[8];

} // namespace

#define EXPORTED __attribute__((visibility("default")))

extern "C" {

EXPORTED int* MPI_F_STATUS_IGNORE = ignored_status;
EXPORTED int* MPI_F_STATUSES_IGNORE = ignored_statuses;
EXPORTED int* MPI_F08_STATUS_IGNORE = ignored_status;
EXPORTED int* MPI_F08_STATUSES_IGNORE = ignored_statuses;

} // extern "C"
