! Measures loops in Fortran: the calls of calls.c by the same names, through mpi_f08 and through mpif.h (see calls.py).
!
!     fortran ITERATIONS
!
! leaves callgrind dumps as calls.c does, named "CASE in mpi_f08" and "CASE in mpif.h". It uses the same datatypes as
! calls.c, since libraries treat datatypes differently. Without an argument it lists its cases.
module loops
  use mpi_f08
  implicit none
  integer :: rank, count
  double precision, asynchronous :: source = 1, target_of_all
  type(MPI_Status) :: status
  type(MPI_Request) :: pair(2)
contains
  subroutine comm_rank(iterations)
    integer, intent(in) :: iterations
    integer :: i
    do i = 1, iterations
      call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    end do
  end subroutine comm_rank

  subroutine get_count(iterations)
    integer, intent(in) :: iterations
    integer :: i
    do i = 1, iterations
      call MPI_Get_count(status, MPI_DOUBLE, count)
    end do
  end subroutine get_count

  subroutine bcast(iterations)
    integer, intent(in) :: iterations
    integer :: i
    do i = 1, iterations
      call MPI_Bcast(source, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD)
    end do
  end subroutine bcast

  subroutine allreduce(iterations)
    integer, intent(in) :: iterations
    integer :: i
    do i = 1, iterations
      call MPI_Allreduce(source, target_of_all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)
    end do
  end subroutine allreduce

  subroutine sendrecv(iterations)
    integer, intent(in) :: iterations
    integer :: i
    do i = 1, iterations
      call MPI_Sendrecv(source, 1, MPI_DOUBLE, 0, 1, target_of_all, 1, MPI_DOUBLE, 0, 1, &
          MPI_COMM_SELF, status)
    end do
  end subroutine sendrecv

  subroutine waitall(iterations)
    integer, intent(in) :: iterations
    integer :: i
    do i = 1, iterations
      call MPI_Irecv(target_of_all, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, pair(1))
      call MPI_Isend(source, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, pair(2))
      call MPI_Waitall(2, pair, MPI_STATUSES_IGNORE)
    end do
  end subroutine waitall
end module loops

program fortran
  use loops, only: comm_rank, get_count, bcast, allreduce, sendrecv, waitall, rank, count, target_of_all
  use mpi_f08, only: MPI_Init, MPI_Finalize
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
  implicit none
  interface
    subroutine start_counting() bind(C)
    end subroutine start_counting
    subroutine count_or_pause() bind(C)
    end subroutine count_or_pause
    subroutine dump(name, iterations) bind(C)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: iterations
    end subroutine dump
    subroutine loop(iterations)
      integer, intent(in) :: iterations
    end subroutine loop
  end interface
  procedure(loop) :: comm_rank_77, get_count_77, bcast_77, allreduce_77, sendrecv_77, waitall_77
  integer :: iterations
  character(len=32) :: word

  iterations = 0
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) iterations
    call MPI_Init()
    call sendrecv(1)
    call start_counting
  end if
  call measure('Comm_rank(WORLD)', comm_rank, comm_rank_77)
  call measure('Get_count', get_count, get_count_77)
  call measure('Bcast 8 B', bcast, bcast_77)
  call measure('Allreduce 8 B SUM', allreduce, allreduce_77)
  call measure('Sendrecv 8 B, status', sendrecv, sendrecv_77)
  call measure('Irecv+Isend+Waitall(2), ignore', waitall, waitall_77)
  if (iterations > 0) then
    if (rank /= 0 .or. count /= 1 .or. target_of_all /= 1) error stop 'wrong results'
    call MPI_Finalize()
  end if

contains

  subroutine measure(name, f08, f77)
    character(len=*), intent(in) :: name
    procedure(loop) :: f08, f77
    if (iterations == 0) then
      print '(2a)', name, '|1'
      return
    end if
    call count_loop(name // ' in mpi_f08', f08)
    call count_loop(name // ' in mpif.h', f77)
  end subroutine measure

  subroutine count_loop(name, measured)
    character(len=*), intent(in) :: name
    procedure(loop) :: measured
    integer :: twice
    call measured(64)
    do twice = 1, 2
      call count_or_pause
      call measured(twice * iterations)
      call count_or_pause
      call dump(name // c_null_char, twice * iterations)
    end do
  end subroutine count_loop
end program fortran

subroutine comm_rank_77(iterations)
  implicit none
  include 'mpif.h'
  integer, intent(in) :: iterations
  integer :: i, rank, ierror
  do i = 1, iterations
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)
  end do
end subroutine comm_rank_77

subroutine get_count_77(iterations)
  implicit none
  include 'mpif.h'
  integer, intent(in) :: iterations
  integer :: i, count, status(MPI_STATUS_SIZE), ierror
  status = 0
  do i = 1, iterations
    call MPI_GET_COUNT(status, MPI_DOUBLE, count, ierror)
  end do
end subroutine get_count_77

subroutine bcast_77(iterations)
  implicit none
  include 'mpif.h'
  integer, intent(in) :: iterations
  double precision :: source
  integer :: i, ierror
  do i = 1, iterations
    call MPI_BCAST(source, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, ierror)
  end do
end subroutine bcast_77

subroutine allreduce_77(iterations)
  implicit none
  include 'mpif.h'
  integer, intent(in) :: iterations
  double precision :: source, target_of_all
  integer :: i, ierror
  source = 1
  do i = 1, iterations
    call MPI_ALLREDUCE(source, target_of_all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, ierror)
  end do
end subroutine allreduce_77

subroutine sendrecv_77(iterations)
  implicit none
  include 'mpif.h'
  integer, intent(in) :: iterations
  double precision :: source, received
  integer :: i, status(MPI_STATUS_SIZE), ierror
  source = 1
  do i = 1, iterations
    call MPI_SENDRECV(source, 1, MPI_DOUBLE, 0, 1, received, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &
        status, ierror)
  end do
end subroutine sendrecv_77

subroutine waitall_77(iterations)
  implicit none
  include 'mpif.h'
  integer, intent(in) :: iterations
  double precision :: source, received
  integer :: i, pair(2), ierror
  source = 1
  do i = 1, iterations
    call MPI_IRECV(received, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, pair(1), ierror)
    call MPI_ISEND(source, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, pair(2), ierror)
    call MPI_WAITALL(2, pair, MPI_STATUSES_IGNORE, ierror)
  end do
end subroutine waitall_77
