! The same calls with each support method of Fortran: -DWITH_MPIF, -DWITH_MPI or -DWITH_F08.
program calls_in_fortran
#ifdef WITH_MPI
  use mpi
#endif
#ifdef WITH_F08
  use mpi_f08
#endif
  use, intrinsic :: iso_c_binding
  implicit none
#ifdef WITH_MPIF
  include 'mpif.h'
#endif
#ifdef WITH_F08
#define COMMUNICATOR type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define REQUEST type(MPI_Request)
#define STATUS type(MPI_Status)
#define SOURCE_OF(status) status%MPI_SOURCE
#else
#define COMMUNICATOR integer
#define DATATYPE integer
#define REQUEST integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define SOURCE_OF(status) status(MPI_SOURCE)
#endif
  interface
    subroutine tell_cell(rank, ranks, is_right, version, length) bind(c)
      import
      integer(c_int), value :: rank, ranks, is_right, length
      character(kind=c_char), intent(in) :: version(*)
    end subroutine
  end interface
  integer :: rank, ranks, length, code, number, total
  logical :: is_right
  character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: version

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  number = rank + 1
  total = 0
  call MPI_Allreduce(number, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  is_right = total == ranks * (ranks + 1) / 2
  call exchange(is_right)
  call compare(is_right)
  call reduce_in_place(is_right)
  call MPI_Get_library_version(version, length, code)
  call tell_cell(int(rank, c_int), int(ranks, c_int), merge(1_c_int, 0_c_int, is_right), version, int(length, c_int))
  call MPI_Finalize(code)

contains

  ! Every second number of the rank before.
  subroutine exchange(is_right)
    logical, intent(inout) :: is_right
    integer :: sent(4), received(2), before, after
    DATATYPE :: pair
    REQUEST :: waiting
    STATUS :: state
    before = mod(rank + ranks - 1, ranks)
    after = mod(rank + 1, ranks)
    sent = (/ rank, -1, rank + 10, -1 /)
    received = -1
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, pair, code)
    call MPI_Type_commit(pair, code)
    call MPI_Irecv(received, 2, MPI_INTEGER, before, 7, MPI_COMM_WORLD, waiting, code)
    call MPI_Send(sent, 1, pair, after, 7, MPI_COMM_WORLD, code)
    call MPI_Wait(waiting, state, code)
    call MPI_Type_free(pair, code)
    is_right = is_right .and. all(received == (/ before, before + 10 /)) .and. SOURCE_OF(state) == before
  end subroutine

  ! Handles of mpi_f08 are compared by procedures of the library.
  subroutine compare(is_right)
    logical, intent(inout) :: is_right
    COMMUNICATOR :: part
    call MPI_Comm_dup(MPI_COMM_WORLD, part, code)
    is_right = is_right .and. part /= MPI_COMM_WORLD .and. .not. (part == MPI_COMM_NULL)
    call MPI_Comm_free(part, code)
    is_right = is_right .and. part == MPI_COMM_NULL
  end subroutine

  ! Special addresses of the library.
  subroutine reduce_in_place(is_right)
    logical, intent(inout) :: is_right
    double precision :: value
    value = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
    is_right = is_right .and. nint(value) == ranks * (ranks + 1) / 2
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, MPI_PROC_NULL, 0, number, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, code)
    is_right = is_right .and. code == MPI_SUCCESS
  end subroutine

end program
