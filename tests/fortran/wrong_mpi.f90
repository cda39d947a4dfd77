! Lines that must not compile, since the module mpi knows all interfaces. tests/fortran/fortran.py compiles one at a
! time.
program wrong_mpi
   use mpi
   implicit none
   integer :: rank, ierr, buffer(4)
   integer(MPI_ADDRESS_KIND) :: wide
   logical :: flag
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank) ! wrong
   call MPI_Comm_rank(MPI_COMM_WORLD, flag, ierr) ! wrong
   call MPI_Comm_rank(MPI_COMM_WORLD, wide, ierr) ! wrong
   call MPI_Send(buffer, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
   call MPI_Send(buffer, 4, MPI_INTEGER, 0, 0, ierr) ! wrong
   call MPI_Recv(buffer, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr) ! wrong
   call MPI_Initialized(flag, ierr)
   call MPI_Initialized(rank, ierr) ! wrong
   call MPI_Get_address(buffer, wide, ierr)
   call MPI_Get_address(buffer, rank, ierr) ! wrong
   MPI_COMM_WORLD = 5 ! wrong
end program
