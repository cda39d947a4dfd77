"""MPI 5.0 as data, and the files written from it for programs in C: mpi.h, entries, bridges, tables, reports."""
