"""MPI 5.0 as data, and what is written from it for programs in C: mpi.h, entries, bridges, tables, reports."""
