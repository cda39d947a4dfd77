#include "convert/descriptor.hpp"
#include "fortran/core/exported.hpp"

// MPI_F_sync_reg and MPI_Sizeof of the modules. They call no MPI function.

using anympi::fortran::descriptor;

// Does nothing. A program calls it because compilers must assume that it changes its argument.
EXPORTED void MPI_F_sync_reg_f08ts(const descriptor*) {}
EXPORTED void PMPI_F_sync_reg_f08ts(const descriptor*) {}
EXPORTED void MPI_F_sync_reg_cdesc(const descriptor*) {}
EXPORTED void PMPI_F_sync_reg_cdesc(const descriptor*) {}

EXPORTED void MPI_Sizeof_f08ts(const descriptor* x, int* size, int* ierror) {
    *size = static_cast<int>(x->element);
    if (ierror != nullptr)
        *ierror = 0;
}
EXPORTED void PMPI_Sizeof_f08ts(const descriptor*, int*, int*) __attribute__((alias("MPI_Sizeof_f08ts")));
EXPORTED void MPI_Sizeof_fts(const descriptor*, int*, int*) __attribute__((alias("MPI_Sizeof_f08ts")));
EXPORTED void PMPI_Sizeof_fts(const descriptor*, int*, int*) __attribute__((alias("MPI_Sizeof_f08ts")));
