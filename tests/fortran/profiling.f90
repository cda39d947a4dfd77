! A profiling layer at every level that mpi.h promises: the names of Fortran compilers, without and with _f08, the names
! of C with descriptors and callbacks, and the C functions. Each procedure of the layer counts its calls, and calls its
! PMPI_ form.
! ranks: 2
! with: profiling.c
subroutine MPI_Barrier(comm, ierror)
   implicit none
   integer :: comm, ierror
   call count_call(1)
   call PMPI_Barrier(comm, ierror)
end subroutine

subroutine MPI_Comm_size_f08(comm, size, ierror)
   use mpi_f08, only: MPI_Comm, PMPI_Comm_size
   implicit none
   type(MPI_Comm), intent(in) :: comm
   integer, intent(out) :: size
   integer, optional, intent(out) :: ierror
   call count_call(2)
   call PMPI_Comm_size(comm, size, ierror)
end subroutine

module with_old_names
contains
   subroutine old_barrier
      use mpi
      integer :: ierror
      call MPI_Barrier(MPI_COMM_WORLD, ierror)
   end subroutine

   subroutine old_allreduce(n, total)
      use mpi
      integer :: n, total, ierror
      call MPI_Allreduce(n, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
   end subroutine
end module

program profiling
   use mpi_f08
   use with_old_names, only: old_barrier, old_allreduce
   implicit none
   integer, external :: calls
   type(MPI_Op) :: op
   type(MPI_Request) :: requests(2)
   integer, asynchronous :: n, total
   integer :: rank, before
   call MPI_Init()
   call check_begin
   call check_name('profiling')
   call old_barrier
   call check_equal(calls(1), 1, 'A1 of mpi')
   call MPI_Comm_size(MPI_COMM_WORLD, n)
   call check_equal((n), 2, 'size')
   call check_equal(calls(2), 1, 'A1 of mpi_f08')
   before = calls(3)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call check_equal(calls(3), before + 1, 'B1: the C function')
   call MPI_Allreduce(n, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
   call old_allreduce(n, total)
   call check_equal((total), 4, 'sum')
   call check_equal(calls(6), 2, 'B1: a C function that Fortran need not call')
   call MPI_Irecv(total, 1, MPI_INTEGER, rank, 0, MPI_COMM_WORLD, requests(1))
   call MPI_Isend(n, 1, MPI_INTEGER, rank, 0, MPI_COMM_WORLD, requests(2))
   call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
   call check_equal((total), 2, 'message')
   call check_equal(calls(7), 1, 'B1: another one, of requests that were made without C')
   if (rank == 0) then
      call MPI_Send(n, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
   else
      call MPI_Recv(n, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
   end if
   call check_equal(calls(4), 1 - rank, 'C2')
   call MPI_Op_create(add, .true., op)
   call check_equal(calls(5), 1, 'B3')
   call MPI_Op_free(op)
   call check_end
contains
   subroutine add(invec, inoutvec, len, datatype)
      use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
      type(c_ptr), value :: invec, inoutvec
      integer :: len
      type(MPI_Datatype) :: datatype
      integer, pointer :: a(:), b(:)
      call c_f_pointer(invec, a, [len])
      call c_f_pointer(inoutvec, b, [len])
      if (datatype == MPI_INTEGER) b = a + b
   end subroutine
end program
