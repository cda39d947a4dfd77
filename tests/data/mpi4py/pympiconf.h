// Read by mpi4py instead of its own guess of what the MPI library offers: the functions of MPI 3.1, for libraries that
// have no others. It brings replacements of its own for the rest.
#include "lib-mpi/config/mpi-11.h"
#include "lib-mpi/config/mpi-12.h"
#include "lib-mpi/config/mpi-20.h"
#include "lib-mpi/config/mpi-22.h"
#include "lib-mpi/config/mpi-30.h"
#include "lib-mpi/config/mpi-31.h"
#include "lib-mpi/config/mpiio.h"
