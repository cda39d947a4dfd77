! A program whose INTEGERs have 8 bytes (-fdefault-integer-8), and which passes INTEGER*4 to MPI itself, as MPI libraries
! for INTEGERs of 4 bytes need it: the common blocks of mpif.h then have another size.
program wide_integers
   implicit none
   include 'mpif.h'
   integer(4) :: ierr, rank, ranks, sum, world, kind, add, one, zero
   world = MPI_COMM_WORLD
   kind = MPI_INTEGER4
   add = MPI_SUM
   one = 1
   zero = 0
   call MPI_INIT(ierr)
   call MPI_COMM_RANK(world, rank, ierr)
   call MPI_COMM_SIZE(world, ranks, ierr)
   sum = rank + 1
   call MPI_ALLREDUCE(MPI_IN_PLACE, sum, one, kind, add, world, ierr)
   if (sum /= ranks*(ranks + 1)/2) error stop 'MPI_IN_PLACE'
   call MPI_SENDRECV(sum, one, kind, rank, zero, ranks, one, kind, rank, zero, world, MPI_STATUS_IGNORE, ierr)
   if (ranks /= sum) error stop 'MPI_STATUS_IGNORE'
   call MPI_FINALIZE(ierr)
   if (rank == 0) print '(a)', 'ok'
end program
