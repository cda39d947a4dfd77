// A dummy of anympi's front: all names that identify a library of the standard ABI, and the note.
#include "runtime/identify/note.hpp"

ANYMPI_FRONT_NOTE;

extern "C" {
int socket(int, int, int);
void MPI_Init() {
    socket(0, 0, 0);
}
void MPI_Abi_get_version() {}
void MPIR_Err_create_code() {}
}
