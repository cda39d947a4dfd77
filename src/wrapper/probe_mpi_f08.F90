! The requirements of the module mpi_f08 on a compiler: descriptors of C, and arguments that may be absent.
SUBROUTINE probe(section, text, same)
  USE mpi_f08
  IMPLICIT NONE
  REAL, ASYNCHRONOUS :: section(:, :)
  CHARACTER(LEN=*) :: text
  LOGICAL :: same
  DOUBLE PRECISION :: scalar
  TYPE(MPI_Request) :: request
  INTEGER(KIND=MPI_ADDRESS_KIND) :: position
  INTEGER :: size
  CALL MPI_Send(scalar, 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_SELF)
  CALL MPI_Isend(section(1:2, ::2), 1_MPI_COUNT_KIND, MPI_REAL, 0, 0, MPI_COMM_SELF, request)
  CALL MPI_Recv(MPI_BOTTOM, 0, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
  CALL MPI_Pack_external('external32', text, 1, MPI_CHARACTER, section, 1_MPI_ADDRESS_KIND, position)
  CALL MPI_Sizeof(section, size)
  same = request == MPI_REQUEST_NULL
END SUBROUTINE
