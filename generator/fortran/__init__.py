"""What is written for programs in Fortran: modules, mpif.h, procedures."""
