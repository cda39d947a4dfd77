! The requirements of the module mpi on a compiler: buffers of any type, kind and rank.
SUBROUTINE probe(section, text)
  USE mpi
  IMPLICIT NONE
  REAL :: section(:, :)
  CHARACTER(LEN=*) :: text
  DOUBLE PRECISION :: scalar
  INTEGER :: size, ierror
  CALL MPI_SEND(scalar, 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_SELF, ierror)
  CALL MPI_SEND(section, 1, MPI_REAL, 0, 0, MPI_COMM_SELF, ierror)
  CALL MPI_SEND(text, LEN(text), MPI_CHARACTER, 0, 0, MPI_COMM_SELF, ierror)
  CALL MPI_RECV(MPI_BOTTOM, 0, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierror)
  CALL MPI_SIZEOF(section, size, ierror)
END SUBROUTINE
