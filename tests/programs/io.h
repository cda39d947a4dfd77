// A file that all ranks share: new for each part of a program, and deleted afterwards.
#ifndef IO_H
#define IO_H

#include "check.h"

/// A relative path, because the driver runs every program in a separate empty folder.
static const char io_path[] = "shared.data";

static inline int io_exists(void) {
    return access(io_path, F_OK) == 0;
}

/// Collective: a new, empty file, open for reading and writing.
static inline MPI_File io_new(void) {
    MPI_File file = MPI_FILE_NULL;
    if (check_rank == 0)
        unlink(io_path);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
    return file;
}

/// Collective: closes and deletes the file.
static inline void io_done(MPI_File* file) {
    CHECK_OK(MPI_File_close(file));
    CHECK_SAME(*file, MPI_FILE_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_rank == 0)
        CHECK_OK(MPI_File_delete(io_path, MPI_INFO_NULL));
    MPI_Barrier(MPI_COMM_WORLD);
}

// Checks the count of a status that a data access has filled.
#define CHECK_COUNT(status, type, expected)                                                                            \
    do {                                                                                                               \
        int io_count = -1;                                                                                             \
        CHECK_OK(MPI_Get_count(&(status), type, &io_count));                                                           \
        CHECK_INT(io_count, expected);                                                                                 \
    } while (0)

#endif
