"""The files that are written for programs in Fortran: modules, mpif.h, procedures."""
