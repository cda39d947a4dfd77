! The same calls with each support method of Fortran: -DWITH_MPIF, -DWITH_MPI or -DWITH_F08.
! They use the parts that differ between the versions of a library: names of modules, operators, sentinels, callbacks.
#ifdef WITH_F08
#define COMMUNICATOR type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define ERRHANDLER type(MPI_Errhandler)
#define GROUP type(MPI_Group)
#define OPERATION type(MPI_Op)
#define REQUEST type(MPI_Request)
#define STATUS type(MPI_Status)
#define STATUSES(n) type(MPI_Status), dimension(n)
#define SOURCE_OF(status) status%MPI_SOURCE
#else
#define COMMUNICATOR integer
#define DATATYPE integer
#define ERRHANDLER integer
#define GROUP integer
#define OPERATION integer
#define REQUEST integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define STATUSES(n) integer, dimension(MPI_STATUS_SIZE, n)
#define SOURCE_OF(status) status(MPI_SOURCE)
#endif
module callbacks
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
  integer :: last_error = 0

contains

  subroutine keep_error(comm, error_code)
    COMMUNICATOR :: comm
    integer :: error_code
    if (comm == MPI_COMM_WORLD) last_error = error_code
  end subroutine

#ifdef WITH_F08
  subroutine add_absolute(given, result, length, datatype_of_both)
    type(c_ptr), value :: given, result
    integer :: length
    type(MPI_Datatype) :: datatype_of_both
    integer, pointer :: left(:), right(:)
    call c_f_pointer(given, left, [length])
    call c_f_pointer(result, right, [length])
    right = abs(left) + abs(right)
  end subroutine
#else
  subroutine add_absolute(left, right, length, datatype_of_both)
    integer :: length, datatype_of_both
    integer :: left(length), right(length)
    right = abs(left) + abs(right)
  end subroutine
#endif

end module

program calls_in_fortran
#ifdef WITH_MPI
  use mpi
#endif
#ifdef WITH_F08
  use mpi_f08
#endif
  use, intrinsic :: iso_c_binding
  use callbacks, only: keep_error, add_absolute, last_error
  implicit none
#ifdef WITH_MPIF
  include 'mpif.h'
#endif
  interface
    subroutine tell_cell(rank, ranks, is_right, version, length) bind(c)
      import
      integer(c_int), value :: rank, ranks, is_right, length
      character(kind=c_char), intent(in) :: version(*)
    end subroutine
  end interface
  integer :: rank, ranks, length, code, total
  logical :: is_right = .true.
  character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: version

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call PMPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  total = ranks * (ranks + 1) / 2
  call exchange
  call exchange_sections
  call complete_many
  call compare
  call reduce
  call ignore_results
  call use_bottom
  call weigh_neighbors
  call use_logicals
  call use_texts
  call duplicate_attributes
  call handle_errors
#ifdef WITH_F08
  call convert_statuses
#endif
#ifndef WITH_MPIF
  call measure_types
#endif
  call MPI_Get_library_version(version, length, code)
  call tell_cell(int(rank, c_int), int(ranks, c_int), merge(1_c_int, 0_c_int, is_right), version, int(length, c_int))
  call MPI_Finalize(code)

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (.not. holds) print '(2a)', 'not right: ', what
    is_right = is_right .and. holds
  end subroutine

  ! Every second number of the rank before.
  subroutine exchange
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
    call check(all(received == (/ before, before + 10 /)) .and. SOURCE_OF(state) == before, 'exchange')
    call check(waiting == MPI_REQUEST_NULL .and. pair == MPI_DATATYPE_NULL, 'handles that were freed')
  end subroutine

  ! A module that supports sections takes them in nonblocking calls, too.
  subroutine exchange_sections
    integer :: sent(10), received(10), before, after, i
    REQUEST :: waiting(2)
    before = mod(rank + ranks - 1, ranks)
    after = mod(rank + 1, ranks)
    sent = (/ (100 * rank + i, i = 1, 10) /)
    received = -1
    call MPI_Sendrecv(sent(1:10:3), 4, MPI_INTEGER, after, 8, received(2:8:2), 4, MPI_INTEGER, before, 8, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, code)
    call check(all(received(2:8:2) == (/ (100 * before + i, i = 1, 10, 3) /)) .and. all(received(1:9:2) == -1), 'sections')
    if (MPI_SUBARRAYS_SUPPORTED) then
      received = -1
      call MPI_Irecv(received(1:10:3), 4, MPI_INTEGER, before, 9, MPI_COMM_WORLD, waiting(1), code)
      call MPI_Isend(sent(10:1:-3), 4, MPI_INTEGER, after, 9, MPI_COMM_WORLD, waiting(2), code)
      call MPI_Waitall(2, waiting, MPI_STATUSES_IGNORE, code)
      call check(all(received(1:10:3) == (/ (100 * before + i, i = 10, 1, -3) /)) .and. received(2) == -1, 'nonblocking sections')
    end if
  end subroutine

  subroutine complete_many
    integer :: sent, received, which
    REQUEST :: waiting(2)
    STATUSES(2) :: states
    logical :: are_complete
    sent = rank
    received = -1
    call MPI_Irecv(received, 1, MPI_INTEGER, mod(rank + ranks - 1, ranks), 11, MPI_COMM_WORLD, waiting(2), code)
    call MPI_Isend(sent, 1, MPI_INTEGER, mod(rank + 1, ranks), 11, MPI_COMM_WORLD, waiting(1), code)
#ifndef WITH_F08
    ! mpi_f08 of MPICH 4.0 itself counts from 0.
    call MPI_Waitany(2, waiting, which, MPI_STATUS_IGNORE, code)
    call check(which == 1 .or. which == 2, 'the place of a request')
    call check(waiting(which) == MPI_REQUEST_NULL, 'a request of several')
#endif
    call MPI_Waitall(2, waiting, states, code)
    call MPI_Testall(2, waiting, are_complete, MPI_STATUSES_IGNORE, code)
    call check(are_complete .and. received == mod(rank + ranks - 1, ranks), 'several requests')
  end subroutine

  ! Handles of mpi_f08 are compared by functions of the library.
  subroutine compare
    COMMUNICATOR :: part
    GROUP :: everybody
    call MPI_Comm_dup(MPI_COMM_WORLD, part, code)
    call check(part /= MPI_COMM_WORLD .and. .not. (part == MPI_COMM_NULL), 'a communicator')
    call MPI_Comm_group(part, everybody, code)
    call check(everybody /= MPI_GROUP_NULL .and. .not. (everybody == MPI_GROUP_EMPTY), 'a group')
    call MPI_Group_free(everybody, code)
    call MPI_Comm_free(part, code)
    call check(part == MPI_COMM_NULL .and. .not. (part /= MPI_COMM_NULL), 'a communicator that was freed')
    call check(everybody == MPI_GROUP_NULL .and. .not. (everybody /= MPI_GROUP_NULL), 'a group that was freed')
    call check(MPI_INTEGER == MPI_INTEGER .and. MPI_INTEGER /= MPI_REAL, 'datatypes')
    call check(MPI_ERRORS_RETURN == MPI_ERRORS_RETURN .and. MPI_ERRORS_RETURN /= MPI_ERRORS_ARE_FATAL, 'error handlers')
    call check(MPI_FILE_NULL == MPI_FILE_NULL .and. .not. (MPI_FILE_NULL /= MPI_FILE_NULL), 'files')
    call check(MPI_INFO_NULL == MPI_INFO_NULL .and. .not. (MPI_INFO_NULL /= MPI_INFO_NULL), 'infos')
    call check(MPI_MESSAGE_NULL == MPI_MESSAGE_NULL .and. MPI_MESSAGE_NULL /= MPI_MESSAGE_NO_PROC, 'messages')
    call check(MPI_SUM == MPI_SUM .and. MPI_SUM /= MPI_MAX, 'operations')
    call check(MPI_REQUEST_NULL == MPI_REQUEST_NULL .and. .not. (MPI_REQUEST_NULL /= MPI_REQUEST_NULL), 'requests')
    call check(MPI_WIN_NULL == MPI_WIN_NULL .and. .not. (MPI_WIN_NULL /= MPI_WIN_NULL), 'windows')
  end subroutine

  subroutine reduce
    double precision :: value
    integer :: number, absolutes
    OPERATION :: own
    number = rank + 1
    absolutes = 0
    call MPI_Allreduce(number, absolutes, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    call check(absolutes == total, 'a sum')
    value = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, code)
    call check(nint(value) == total, 'a sum in place')
    number = -number
    call MPI_Op_create(add_absolute, .true., own, code)
    call MPI_Allreduce(number, absolutes, 1, MPI_INTEGER, own, MPI_COMM_WORLD, code)
    call check(absolutes == total, 'an operation of the program')
    call MPI_Op_free(own, code)
    call check(own == MPI_OP_NULL, 'an operation that was freed')
  end subroutine

  subroutine ignore_results
    integer :: number
    COMMUNICATOR :: children
    number = 0
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, MPI_PROC_NULL, 0, number, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, code)
    call check(code == MPI_SUCCESS, 'a status that is ignored')
    if (ranks > 1000) & ! never: some libraries cannot spawn, but its sentinels must be found
      call MPI_Comm_spawn('none', MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, children, MPI_ERRCODES_IGNORE, code)
  end subroutine

  subroutine use_bottom
    integer, volatile :: numbers(2) ! changed by a call that does not name it
    integer :: lengths(2)
    integer(kind=MPI_ADDRESS_KIND) :: places(2)
    DATATYPE :: both
    numbers = (/ merge(5, 0, rank == 0), merge(6, 0, rank == 0) /)
    lengths = 1
    call MPI_Get_address(numbers(1), places(1), code)
    call MPI_Get_address(numbers(2), places(2), code)
    call MPI_Type_create_hindexed(2, lengths, places, MPI_INTEGER, both, code)
    call MPI_Type_commit(both, code)
    call MPI_Bcast(MPI_BOTTOM, 1, both, 0, MPI_COMM_WORLD, code)
    call MPI_Type_free(both, code)
    call check(all(numbers == (/ 5, 6 /)), 'MPI_BOTTOM')
  end subroutine

  subroutine weigh_neighbors
    COMMUNICATOR :: ring, alone
    integer :: peer(1), none(0), incoming, outgoing
    logical :: are_weighted
    peer = mod(rank + 1, ranks)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, peer, MPI_UNWEIGHTED, 1, peer, MPI_UNWEIGHTED, MPI_INFO_NULL, &
                                        .false., ring, code)
    call MPI_Dist_graph_neighbors_count(ring, incoming, outgoing, are_weighted, code)
    call check(incoming == 1 .and. outgoing == 1 .and. .not. are_weighted, 'MPI_UNWEIGHTED')
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, none, MPI_WEIGHTS_EMPTY, 0, none, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, &
                                        .false., alone, code)
    call MPI_Dist_graph_neighbors_count(alone, incoming, outgoing, are_weighted, code)
    call check(incoming == 0 .and. outgoing == 0 .and. are_weighted, 'MPI_WEIGHTS_EMPTY')
    call MPI_Comm_free(ring, code)
    call MPI_Comm_free(alone, code)
  end subroutine

  subroutine use_logicals
    COMMUNICATOR :: grid
    integer :: sizes(2), place(2)
    logical :: periods(2), flag
    call MPI_Initialized(flag, code)
    call check(flag .eqv. .true., 'a true flag')
    call MPI_Comm_test_inter(MPI_COMM_WORLD, flag, code)
    call check(flag .eqv. .false., 'a false flag')
    call MPI_Cart_create(MPI_COMM_WORLD, 2, (/ ranks, 1 /), (/ .true., .false. /), .false., grid, code)
    call MPI_Cart_get(grid, 2, sizes, periods, place, code)
    call check(sizes(1) == ranks .and. (periods(1) .eqv. .true.) .and. (periods(2) .eqv. .false.), 'an array of flags')
    call MPI_Comm_free(grid, code)
  end subroutine

  subroutine use_texts
    character(len=MPI_MAX_OBJECT_NAME) :: name
    COMMUNICATOR :: named
    call MPI_Comm_dup(MPI_COMM_WORLD, named, code)
    call MPI_Comm_set_name(named, 'named  ', code)
    name = repeat('x', len(name))
    call MPI_Comm_get_name(named, name, length, code)
    call check(name == 'named' .and. length == 5, 'a name')
    call MPI_Comm_free(named, code)
  end subroutine

  subroutine duplicate_attributes
    integer :: kept, dropped
    integer(kind=MPI_ADDRESS_KIND) :: extra, value
    logical :: is_kept, is_dropped, is_set
    COMMUNICATOR :: copy
    extra = 0
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, is_set, code)
    call check(is_set .and. value >= 32767, 'MPI_TAG_UB')
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, kept, extra, code)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, dropped, extra, code)
    value = 42
    call MPI_Comm_set_attr(MPI_COMM_WORLD, kept, value, code)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, dropped, value, code)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, code)
    call MPI_Comm_get_attr(copy, dropped, value, is_dropped, code)
    value = 0
    call MPI_Comm_get_attr(copy, kept, value, is_kept, code)
    call check(is_kept .and. value == 42 .and. .not. is_dropped, 'attributes of a copy')
    call MPI_Comm_free(copy, code)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, kept, code)
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, dropped, code)
    call MPI_Comm_free_keyval(kept, code)
    call MPI_Comm_free_keyval(dropped, code)
  end subroutine

  subroutine handle_errors
    ERRHANDLER :: own, found
    integer :: number, class
    number = 0
    call MPI_Comm_create_errhandler(keep_error, own, code)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, own, code)
    call MPI_Send(number, 1, MPI_INTEGER, ranks, 0, MPI_COMM_WORLD, code)
    call MPI_Error_class(last_error, class, code)
    call check(class == MPI_ERR_RANK, 'an error handler of the program')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, code)
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, found, code)
    call check(found == MPI_ERRORS_RETURN, 'MPI_ERRORS_RETURN')
    call MPI_Send(number, 1, MPI_INTEGER, ranks, 0, MPI_COMM_WORLD, code)
    call MPI_Error_class(code, class, length)
    call check(class == MPI_ERR_RANK, 'an error that is returned')
    call MPI_Errhandler_free(own, code)
  end subroutine

#ifdef WITH_F08
  subroutine convert_statuses
    type(MPI_Status) :: state, copy
    integer :: old(MPI_STATUS_SIZE), count
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, rank, 12, count, 1, MPI_INTEGER, rank, 12, MPI_COMM_WORLD, state)
    copy = state
    call check(copy%MPI_SOURCE == rank .and. copy%MPI_TAG == 12, 'a copy of a status')
#ifndef WITHOUT_STATUS_CONVERSIONS
    call MPI_Status_f082f(state, old)
    copy%MPI_SOURCE = -7
    call MPI_Status_f2f08(old, copy)
    call check(old(MPI_SOURCE) == rank .and. copy%MPI_SOURCE == rank .and. copy%MPI_TAG == 12, 'a converted status')
#endif
    call MPI_Get_count(copy, MPI_INTEGER, count)
    call check(count == 1, 'the count of a copy')
  end subroutine
#endif

#ifndef WITH_MPIF
  subroutine measure_types
    double precision :: value, values(3)
    complex :: number
    character :: letter
    logical :: flag
    integer :: sizes(5)
    value = 0
    values = 0
    number = 0
    letter = ' '
    flag = .true.
    call MPI_Sizeof(value, sizes(1), code)
    call MPI_Sizeof(values, sizes(2), code)
    call MPI_Sizeof(number, sizes(3), code)
    call MPI_Sizeof(letter, sizes(4), code)
    call MPI_Sizeof(flag, sizes(5), code)
    call check(all(sizes == (/ 8, 8, 8, 1, 4 /)), 'sizes of types')
  end subroutine
#endif

end program
