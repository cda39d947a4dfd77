! Lines that must not compile, since mpi_f08 knows the types of all arguments. tests/fortran/fortran.py compiles one at
! a time.
program wrong_f08
   use mpi_f08
   implicit none
   type(MPI_Comm) :: comm
   type(MPI_Group) :: group
   type(MPI_Datatype) :: datatype
   type(MPI_Request) :: request
   type(MPI_Status) :: status
   integer :: rank, old(MPI_STATUS_SIZE), buffer(4)
   integer(MPI_COUNT_KIND) :: long
   logical :: flag
   comm = MPI_COMM_WORLD
   call MPI_Comm_rank(comm, rank)
   call MPI_Comm_rank(group, rank) ! wrong
   call MPI_Comm_rank(MPI_INTEGER, rank) ! wrong
   call MPI_Comm_rank(257, rank) ! wrong
   call MPI_Comm_rank(comm%MPI_VAL, rank) ! wrong
   call MPI_Comm_rank(comm, long) ! wrong
   call MPI_Comm_rank(comm) ! wrong
   call MPI_Comm_rank(rank, comm) ! wrong
   call MPI_Send(buffer, 4, MPI_INTEGER, 0, 0, comm)
   call MPI_Send(buffer, 4, MPI_SUM, 0, 0, comm) ! wrong
   call MPI_Send(buffer, 4, MPI_INTEGER, 0, 0, comm, request) ! wrong
   call MPI_Send(buffer, 4.0, MPI_INTEGER, 0, 0, comm) ! wrong
   call MPI_Recv(buffer, 4, MPI_INTEGER, 0, 0, comm, status)
   call MPI_Recv(buffer, 4, MPI_INTEGER, 0, 0, comm, old) ! wrong
   call MPI_Recv(buffer, 4, MPI_INTEGER, 0, 0, comm, MPI_STATUSES_IGNORE) ! wrong
   call MPI_Comm_free(MPI_COMM_WORLD) ! wrong
   call MPI_Test(request, flag, status)
   call MPI_Test(request, rank, status) ! wrong
   call MPI_Test(comm, flag, status) ! wrong
   if (comm == MPI_COMM_WORLD) print *, 'same'
   if (comm == group) print *, 'same' ! wrong
   if (comm == 257) print *, 'same' ! wrong
   comm = 257 ! wrong
   comm = MPI_GROUP_NULL ! wrong
   datatype = MPI_INTEGER
   call MPI_Op_create(not_a_reduction, .true., op) ! wrong
contains
   subroutine not_a_reduction(a)
      integer :: a
      a = 0
   end subroutine
end program
