// Each program of a cell prints this at its end, in one line for each rank.
#ifndef TELL_CELL_H
#define TELL_CELL_H

#ifdef __cplusplus
extern "C"
#endif
    void
    tell_cell(int rank, int size, int is_right, const char* version, int length);

#endif
