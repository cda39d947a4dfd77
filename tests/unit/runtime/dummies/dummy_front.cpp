// A dummy of our own front: all that a real standard-ABI library shows, and the note.
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
