! Callbacks that are new in MPI 4: large counts in reductions and data representations, error handlers of sessions. Also
! statuses between mpi_f08 and the other methods.
! ranks: 2
! with: callbacks_large.c
module functions_of_the_program
   use, intrinsic :: iso_c_binding
   use mpi_f08
   implicit none

   integer(MPI_COUNT_KIND), parameter :: large = 2_MPI_COUNT_KIND**33
   integer(MPI_ADDRESS_KIND), parameter :: wide = 2_MPI_ADDRESS_KIND**40 + 5
   integer(MPI_COUNT_KIND) :: seen_count
   integer(MPI_ADDRESS_KIND) :: seen_state
   type(MPI_Datatype) :: seen_type
   type(MPI_Session) :: seen_session
   integer :: handled, seen_code

contains

   subroutine twice_and_add(invec, inoutvec, len, datatype)
      type(c_ptr), value :: invec, inoutvec
      integer(MPI_COUNT_KIND) :: len
      type(MPI_Datatype) :: datatype
      integer, pointer :: a(:), b(:)
      call c_f_pointer(invec, a, [len])
      call c_f_pointer(inoutvec, b, [len])
      seen_count = len
      seen_type = datatype
      b = 2*a + b
   end subroutine

   subroutine on_session_error(session, error_code)
      type(MPI_Session) :: session
      integer :: error_code
      handled = handled + 1
      seen_session = session
      seen_code = error_code
   end subroutine

   subroutine convert(userbuf, datatype, count, filebuf, position, extra_state, ierror)
      type(c_ptr), value :: userbuf, filebuf
      type(MPI_Datatype) :: datatype
      integer(MPI_COUNT_KIND) :: count
      integer(MPI_OFFSET_KIND) :: position
      integer(MPI_ADDRESS_KIND) :: extra_state
      integer :: ierror
      integer, pointer :: memory, file
      call c_f_pointer(userbuf, memory)
      call c_f_pointer(filebuf, file)
      seen_count = count
      seen_type = datatype
      seen_state = extra_state
      memory = file + int(position)
      ierror = MPI_SUCCESS
   end subroutine

   subroutine extent_in_file(datatype, extent, extra_state, ierror)
      type(MPI_Datatype) :: datatype
      integer(MPI_ADDRESS_KIND) :: extent, extra_state
      integer :: ierror
      seen_type = datatype
      extent = extra_state
      ierror = MPI_SUCCESS
   end subroutine
end module

program callbacks_large
   use functions_of_the_program
   implicit none
   integer :: rank

   call MPI_Init()
   call check_begin()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call reductions()
   call sessions()
   call representations()
   call statuses()
   call check_end()

contains

   subroutine reductions()
      type(MPI_Op) :: op
      integer :: mine(4), all(4), ierror
      logical :: commutes

      call check_name('reductions')
      call MPI_Op_create_c(twice_and_add, .false., op, ierror)
      call check_ok(ierror, 'MPI_Op_create_c')
      call MPI_Op_commutative(op, commutes)
      call check_true(.not. commutes, 'not commutative')
      mine = 3
      all = 5
      call MPI_Reduce_local(mine, all, 3_MPI_COUNT_KIND, MPI_INTEGER, op, ierror)
      call check_ok(ierror, 'MPI_Reduce_local')
      call check_equal(all(3), 11, 'the last')
      call check_equal(all(4), 5, 'no more than that')
      call check_equal_long(seen_count, 3_MPI_COUNT_KIND, 'the count')
      call check_true(seen_type == MPI_INTEGER, 'the datatype')
      call MPI_Allreduce(rank + 1, all, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
      call check_ok(ierror, 'MPI_Allreduce')
      call check_equal(all(1), 4, 'over the ranks, in their order')
      call MPI_Op_free(op)
   end subroutine

   subroutine sessions()
      type(MPI_Errhandler) :: handler
      type(MPI_Session) :: session
      integer :: ierror

      call check_name('sessions')
      handled = 0
      call MPI_Session_create_errhandler(on_session_error, handler, ierror)
      call check_ok(ierror, 'MPI_Session_create_errhandler')
      call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierror)
      call check_ok(ierror, 'MPI_Session_init')
      call MPI_Session_set_errhandler(session, handler)
      call MPI_Session_call_errhandler(session, MPI_ERR_OTHER, ierror)
      call check_equal(handled, 1, 'called')
      call check_true(seen_session == session, 'with its session')
      call check_equal(seen_code, MPI_ERR_OTHER, 'and its code')
      call MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN)
      call MPI_Errhandler_free(handler)
      call MPI_Session_finalize(session, ierror)
      call check_ok(ierror, 'MPI_Session_finalize')
   end subroutine

   ! Libraries hardly ever call these functions: C replaces MPI_Register_datarep_c and calls them.
   subroutine representations()
      integer :: ierror
      call check_name('representations')
      call MPI_Register_datarep_c(' mine', MPI_CONVERSION_FN_NULL_C, convert, extent_in_file, wide, ierror)
      call check_ok(ierror, 'MPI_Register_datarep_c')
      call call_conversions(large, wide)
      call check_equal_long(seen_count, large, 'the count')
      call check_equal_long(seen_state, wide, 'the state')
      call check_true(seen_type == MPI_REAL, 'the datatype')
   end subroutine

   subroutine statuses()
      type(MPI_Status) :: status, again
      integer :: old(MPI_STATUS_SIZE), mine, theirs(3), count, ierror
      call check_name('statuses')
      mine = rank
      call MPI_Sendrecv(mine, 1, MPI_INTEGER, 1 - rank, 31, theirs, 3, MPI_INTEGER, 1 - rank, 31, MPI_COMM_WORLD, status)
      call MPI_Status_f082f(status, old, ierror)
      call check_ok(ierror, 'MPI_Status_f082f')
      call check_true(old(MPI_SOURCE) == 1 - rank .and. old(MPI_TAG) == 31, 'its fields')
      call MPI_Status_f2f08(old, again, ierror)
      call check_ok(ierror, 'MPI_Status_f2f08')
      call check_true(again%MPI_SOURCE == 1 - rank .and. again%MPI_TAG == 31, 'and back')
      call MPI_Get_count(again, MPI_INTEGER, count)
      call check_equal(count, 1, 'with its count')
   end subroutine
end program
