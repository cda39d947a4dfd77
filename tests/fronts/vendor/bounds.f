C     Datatypes whose bounds are moved by MPI_LB and MPI_UB, as programs
C     did before MPI 2.
      PROGRAM BOUNDS
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER LENGTHS(3), PLACES(3), TYPES(3), KIND, IERR, I, RANK
      INTEGER(KIND=MPI_ADDRESS_KIND) ADDRESSES(3), LOWER, EXTENT
      INTEGER A(6), B(2)
      DATA LENGTHS /1, 1, 1/
      DATA PLACES /12, 4, -4/
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      TYPES(1) = MPI_UB
      TYPES(2) = MPI_INTEGER
      TYPES(3) = MPI_LB
      CALL MPI_TYPE_STRUCT(3, LENGTHS, PLACES, TYPES, KIND, IERR)
      CALL MPI_TYPE_EXTENT(KIND, I, IERR)
      IF (I .NE. 16) STOP 'extent'
      CALL MPI_TYPE_LB(KIND, I, IERR)
      IF (I .NE. -4) STOP 'lower bound'
      CALL MPI_TYPE_UB(KIND, I, IERR)
      IF (I .NE. 12) STOP 'upper bound'
      CALL MPI_TYPE_FREE(KIND, IERR)
C     The upper bound alone: an extent of one integer, from the second on.
      ADDRESSES(1) = 4
      ADDRESSES(2) = 8
      TYPES(1) = MPI_INTEGER
      TYPES(2) = MPI_UB
      CALL MPI_TYPE_CREATE_STRUCT(2, LENGTHS, ADDRESSES, TYPES, KIND,
     &   IERR)
      CALL MPI_TYPE_GET_EXTENT(KIND, LOWER, EXTENT, IERR)
      IF (LOWER .NE. 4 .OR. EXTENT .NE. 4) STOP 'upper bound alone'
      CALL MPI_TYPE_COMMIT(KIND, IERR)
      DO 10 I = 1, 6
         A(I) = I
   10 CONTINUE
      CALL MPI_SENDRECV(A, 2, KIND, RANK, 0, B, 2, MPI_INTEGER, RANK, 0,
     &   MPI_COMM_WORLD, MPI_STATUS_IGNORE, IERR)
      IF (B(1) .NE. 2 .OR. B(2) .NE. 3) STOP 'values'
      CALL MPI_TYPE_FREE(KIND, IERR)
      CALL MPI_FINALIZE(IERR)
      IF (RANK .EQ. 0) PRINT '(A)', 'ok'
      END
