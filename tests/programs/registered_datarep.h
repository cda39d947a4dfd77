// For programs that replace MPI_Register_datarep or MPI_Register_datarep_c, like a tool, and call the functions that
// were registered, because libraries rarely call them.
#ifndef REGISTERED_DATAREP_H
#define REGISTERED_DATAREP_H

#include "check.h"

// Defines the function, and `registered` with its arguments.
#define REGISTERED_BY(function, conversion)                                                                            \
    static struct {                                                                                                    \
        char name[20];                                                                                                 \
        conversion *read, *write;                                                                                      \
        MPI_Datarep_extent_function* extent;                                                                           \
        void* state;                                                                                                   \
    } registered;                                                                                                      \
    int function(const char* name, conversion* read, conversion* write, MPI_Datarep_extent_function* extent,           \
                 void* state) {                                                                                        \
        snprintf(registered.name, sizeof registered.name, "%s", name);                                                 \
        registered.read = read;                                                                                        \
        registered.write = write;                                                                                      \
        registered.extent = extent;                                                                                    \
        registered.state = state;                                                                                      \
        return MPI_SUCCESS;                                                                                            \
    }

#endif
