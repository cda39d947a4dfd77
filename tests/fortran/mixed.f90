! One program in two languages, this part and mixed.c: handles, statuses, attributes and callbacks that one part makes
! and the other uses. The attributes also use the functions of MPI-1.
! ranks: 2
! with: mixed.c
module functions_of_fortran
   use mpi
   implicit none
   integer, parameter :: aint = MPI_ADDRESS_KIND
   integer(aint), parameter :: wide = 2_aint**40 + 5

   ! what the functions have seen
   integer(aint) :: seen_value, seen_state, seen_position
   integer :: received, sent
   integer :: copies, deletes, handled, seen_comm, seen_code, seen_type, seen_keyval, conversions, queries, frees

contains

   subroutine add(in, inout, count, datatype)
      integer :: count, datatype
      integer :: in(count), inout(count)
      seen_type = datatype
      inout = in + inout
   end subroutine

   subroutine on_error(comm, code)
      integer :: comm, code
      handled = handled + 1
      seen_comm = comm
      seen_code = code
   end subroutine

   subroutine copy_and_step(comm, keyval, extra_state, in, out, flag, ierror)
      integer :: comm, keyval, ierror
      integer(aint) :: extra_state, in, out
      logical :: flag
      copies = copies + 1
      seen_comm = comm
      seen_keyval = keyval
      seen_state = extra_state
      seen_value = in
      out = in + 8
      flag = .true.
      ierror = MPI_SUCCESS
   end subroutine

   subroutine note_delete(comm, keyval, val, extra_state, ierror)
      integer :: comm, keyval, ierror
      integer(aint) :: val, extra_state
      deletes = deletes + 1
      seen_comm = comm
      seen_keyval = keyval
      seen_state = extra_state
      seen_value = val
      ierror = MPI_SUCCESS
   end subroutine

   subroutine old_copy(comm, keyval, extra_state, in, out, flag, ierror)
      integer :: comm, keyval, extra_state, in, out, ierror
      logical :: flag
      copies = copies + 1
      seen_comm = comm
      seen_state = extra_state
      seen_value = in
      out = -in
      flag = .true.
      ierror = MPI_SUCCESS
   end subroutine

   subroutine old_delete(comm, keyval, val, extra_state, ierror)
      integer :: comm, keyval, val, extra_state, ierror
      deletes = deletes + 1
      seen_value = val
      seen_state = extra_state
      ierror = MPI_SUCCESS
   end subroutine

   subroutine query(extra_state, status, ierror)
      integer(aint) :: extra_state
      integer :: status(MPI_STATUS_SIZE), ierror
      queries = queries + 1
      seen_state = extra_state
      status(MPI_SOURCE) = 8
      status(MPI_TAG) = 9
      call MPI_STATUS_SET_ELEMENTS(status, MPI_INTEGER, 7, ierror)
      call MPI_STATUS_SET_CANCELLED(status, .true., ierror)
   end subroutine

   subroutine free_it(extra_state, ierror)
      integer(aint) :: extra_state
      integer :: ierror
      frees = frees + 1
      seen_state = extra_state
      ierror = MPI_SUCCESS
   end subroutine

   subroutine cancel(extra_state, complete, ierror)
      integer(aint) :: extra_state
      logical :: complete
      integer :: ierror
      seen_state = extra_state
      if (.not. complete) ierror = MPI_SUCCESS
   end subroutine

   subroutine convert(memory, datatype, count, file, position, extra_state, ierror)
      integer :: datatype, count, ierror
      integer :: memory(count), file(count)
      integer(MPI_OFFSET_KIND) :: position
      integer(aint) :: extra_state
      conversions = conversions + 1
      seen_type = datatype
      seen_position = position
      seen_state = extra_state
      memory = file + 1
      ierror = MPI_ERR_CONVERSION
   end subroutine

   subroutine extent_in_file(datatype, extent, extra_state, ierror)
      integer :: datatype, ierror
      integer(aint) :: extent, extra_state
      seen_type = datatype
      extent = extra_state + 1
      ierror = MPI_SUCCESS
   end subroutine
end module

program mixed
   use functions_of_fortran
   implicit none
   integer :: rank, ierror

   call MPI_INIT(ierror)
   call check_begin()
   call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)
   call handles()
   call statuses()
   call keys_of_c()
   call keys_of_fortran()
   call keys_of_mpi1()
   call reductions()
   call error_handlers()
   call requests()
   call messages()
   call representations()
   call check_end()

contains

   subroutine handles()
      integer :: comm, datatype, group, info, win, request, op
      integer :: memory(2)
      call check_name('handles')
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierror)
      call MPI_TYPE_CONTIGUOUS(3, MPI_INTEGER, datatype, ierror)
      call MPI_COMM_GROUP(comm, group, ierror)
      call MPI_INFO_CREATE(info, ierror)
      call MPI_INFO_SET(info, ' language ', 'Fortran ', ierror)
      call MPI_WIN_CREATE(memory, 8_aint, 4, MPI_INFO_NULL, comm, win, ierror)
      call MPI_SEND_INIT(memory, 1, MPI_INTEGER, MPI_PROC_NULL, 0, comm, request, ierror)
      call MPI_OP_CREATE(add, .true., op, ierror)
      call use_handles(comm, datatype, group, info, win, request, op)
      call use_lengths(comm, info)
      call MPI_OP_FREE(op, ierror)
      call MPI_REQUEST_FREE(request, ierror)
      call MPI_WIN_FREE(win, ierror)
      call MPI_INFO_FREE(info, ierror)
      call MPI_GROUP_FREE(group, ierror)
      call MPI_TYPE_FREE(datatype, ierror)
      call MPI_COMM_FREE(comm, ierror)
      call check_ok(ierror, 'what C has used can be freed')
      call use_predefined(MPI_COMM_WORLD, MPI_COMM_NULL, MPI_INTEGER, MPI_DOUBLE_PRECISION, MPI_DATATYPE_NULL, &
                          MPI_SUM, MPI_GROUP_EMPTY, MPI_INFO_NULL, MPI_REQUEST_NULL, MPI_ERRORS_RETURN)
      call make_handles(comm, datatype)
      call MPI_TYPE_FREE(datatype, ierror)
      call check_ok(ierror, 'a datatype of C')
      call MPI_COMM_FREE(comm, ierror)
      call check_ok(ierror, 'a communicator of C')
   end subroutine

   subroutine statuses()
      integer :: status(MPI_STATUS_SIZE), of_c(MPI_STATUS_SIZE), mine(3), theirs(5), count
      call check_name('statuses')
      mine = rank
      call MPI_SENDRECV(mine, 3, MPI_INTEGER, 1 - rank, 21, theirs, 5, MPI_INTEGER, MPI_ANY_SOURCE, 21, &
                        MPI_COMM_WORLD, status, ierror)
      call check_equal(status(MPI_SOURCE), 1 - rank, 'the source')
      call check_equal(status(MPI_TAG), 21, 'the tag')
      call use_status(status, 1 - rank, 21, 3)
      call make_status(of_c, 1 - rank, 2)
      call check_equal(of_c(MPI_SOURCE), 1 - rank, 'the source that C received from')
      call check_equal(of_c(MPI_TAG), 22, 'the tag')
      call MPI_GET_COUNT(of_c, MPI_INTEGER, count, ierror)
      call check_equal(count, 2, 'the count')
      call ignore_status(MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE)
   end subroutine

   ! The callbacks are functions of C.
   subroutine keys_of_c()
      integer :: keyval, comm, other, old_value
      integer(aint) :: val, address
      logical :: flag
      call check_name('keys of C')
      call make_key(keyval)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierror)

      call MPI_COMM_SET_ATTR(comm, keyval, wide, ierror)
      call read_long(comm, keyval, wide)
      call MPI_ATTR_GET(comm, keyval, old_value, flag, ierror)
      call check_true(flag .and. old_value == 5, 'its lower half')
      call MPI_COMM_DUP(comm, other, ierror)
      call was_copied_in_c(wide)
      call MPI_COMM_GET_ATTR(other, keyval, val, flag, ierror)
      call check_true(flag, 'the copy')
      call check_equal_long(val, wide, 'made by C')

      call MPI_ATTR_PUT(comm, keyval, -7, ierror)
      call read_int(comm, keyval, -7)
      call MPI_COMM_GET_ATTR(comm, keyval, val, flag, ierror)
      call check_true(flag .and. val == -7, 'the sign goes to the upper half')
      call MPI_COMM_GET_ATTR(other, keyval, val, flag, ierror)
      call check_true(flag .and. val == wide, 'the copy is not touched')
      call MPI_COMM_FREE(other, ierror)

      call set_address(comm, keyval, address)
      call MPI_COMM_GET_ATTR(comm, keyval, val, flag, ierror)
      call check_true(flag, 'what C has set')
      call check_equal_long(val, address, 'is an address')
      call MPI_ATTR_GET(comm, keyval, old_value, flag, ierror)
      call check_true(flag .and. iand(address, 2_aint**31 - 1) == iand(int(old_value, aint), 2_aint**31 - 1), 'its half')
      call set_null(comm, keyval)
      val = 3
      call MPI_COMM_GET_ATTR(comm, keyval, val, flag, ierror)
      call check_true(flag .and. val == 0, 'a null pointer')
      call MPI_COMM_DELETE_ATTR(comm, keyval, ierror)
      call MPI_COMM_GET_ATTR(comm, keyval, val, flag, ierror)
      call check_true(.not. flag, 'deleted')
      call MPI_COMM_FREE_KEYVAL(keyval, ierror)
      call check_equal(keyval, MPI_KEYVAL_INVALID, 'freed here')
      call MPI_COMM_FREE(comm, ierror)
   end subroutine

   ! The callbacks are functions of Fortran.
   subroutine keys_of_fortran()
      integer :: keyval, comm, other
      integer(aint) :: val, address
      logical :: flag
      call check_name('keys of Fortran')
      copies = 0
      deletes = 0
      call MPI_COMM_CREATE_KEYVAL(copy_and_step, note_delete, keyval, -wide, ierror)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierror)

      call set_address(comm, keyval, address)
      call MPI_COMM_DUP(comm, other, ierror)
      call check_equal(copies, 1, 'copied')
      call check_equal(seen_comm, comm, 'with its communicator')
      call check_equal(seen_keyval, keyval, 'with its key')
      call check_equal_long(seen_value, address, 'with the address that C has set')
      call check_equal_long(seen_state, -wide, 'with its state')
      call read_address(other, keyval, address + 8)

      call MPI_COMM_SET_ATTR(comm, keyval, wide, ierror)
      call check_true(deletes == 1 .and. seen_value == address, 'replaced')
      call pass_on(comm, other, keyval)
      call check_true(deletes == 2 .and. seen_value == address + 8, 'replaced by C')
      call MPI_COMM_DELETE_ATTR(comm, keyval, ierror)
      call check_true(deletes == 3 .and. seen_value == wide, 'deleted')
      call MPI_COMM_GET_ATTR(other, keyval, val, flag, ierror)
      call check_true(flag .and. val == wide, 'what C has passed on')
      call read_long(other, keyval, wide)
      call MPI_COMM_DUP(other, comm, ierror)
      call read_long(comm, keyval, wide + 8)
      call MPI_COMM_FREE(comm, ierror)
      call MPI_COMM_FREE(other, ierror)
      call check_equal(deletes, 5, 'all are deleted')
      call free_key(keyval)
   end subroutine

   subroutine keys_of_mpi1()
      integer :: keyval, comm, other, old_value
      integer(aint) :: val, address
      logical :: flag
      call check_name('keys of MPI-1')
      copies = 0
      deletes = 0
      call MPI_COMM_DUP(MPI_COMM_SELF, comm, ierror)
      call MPI_KEYVAL_CREATE(old_copy, old_delete, keyval, -3, ierror)
      call MPI_ATTR_PUT(comm, keyval, 40, ierror)
      call MPI_COMM_DUP(comm, other, ierror)
      call check_true(copies == 1 .and. seen_value == 40 .and. seen_state == -3, 'copied')
      call check_equal(seen_comm, comm, 'with its communicator')
      call MPI_ATTR_GET(other, keyval, old_value, flag, ierror)
      call check_true(flag .and. old_value == -40, 'as the function made it')
      call read_int(other, keyval, -40)
      call MPI_COMM_GET_ATTR(other, keyval, val, flag, ierror)
      call check_true(flag .and. val == -40, 'the sign goes to the upper half')
      call MPI_COMM_SET_ATTR(comm, keyval, wide, ierror)
      call check_true(deletes == 1 .and. seen_value == 40, 'replaced')
      call MPI_ATTR_DELETE(comm, keyval, ierror)
      call check_true(deletes == 2 .and. seen_value == 5, 'the function sees the lower half')
      call MPI_COMM_FREE(other, ierror)
      call check_true(deletes == 3 .and. seen_value == -40, 'deleted with its communicator')
      call MPI_KEYVAL_FREE(keyval, ierror)
      call check_equal(keyval, MPI_KEYVAL_INVALID, 'freed')

      call MPI_KEYVAL_CREATE(MPI_DUP_FN, MPI_NULL_DELETE_FN, keyval, 0, ierror)
      call set_address(comm, keyval, address)
      call MPI_COMM_DUP(comm, other, ierror)
      call read_address(other, keyval, address)
      call MPI_COMM_GET_ATTR(other, keyval, val, flag, ierror)
      call check_true(flag .and. val == address, 'MPI_DUP_FN copies all of it')
      call MPI_COMM_FREE(other, ierror)
      call MPI_COMM_FREE(comm, ierror)
      call MPI_KEYVAL_FREE(keyval, ierror)
      call MPI_ATTR_GET(MPI_COMM_WORLD, MPI_TAG_UB, old_value, flag, ierror)
      call check_true(flag .and. old_value >= 32767, 'MPI_TAG_UB')
   end subroutine

   subroutine reductions()
      integer :: op, mine(3), all(3)
      call check_name('reductions')
      call make_op(op)
      mine = rank + 1
      call MPI_ALLREDUCE(mine, all, 3, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
      call check_equal(all(3), 2, 'an operation of C')
      call MPI_OP_FREE(op, ierror)
      call MPI_OP_CREATE(add, .false., op, ierror)
      call use_op(op)
      call MPI_OP_FREE(op, ierror)
      call use_fortran_callback(add)
   end subroutine

   subroutine error_handlers()
      integer :: handler, comm
      call check_name('error handlers')
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierror)
      call MPI_COMM_CREATE_ERRHANDLER(on_error, handler, ierror)
      handled = 0
      call use_handler(comm, handler)
      call check_true(handled == 1 .and. seen_comm == comm .and. seen_code == MPI_ERR_TOPOLOGY, 'called by C')
      call MPI_ERRHANDLER_FREE(handler, ierror)
      call make_handler(handler)
      call MPI_COMM_SET_ERRHANDLER(comm, handler, ierror)
      call MPI_COMM_CALL_ERRHANDLER(comm, MPI_ERR_DIMS, ierror)
      call was_handled_in_c(comm, MPI_ERR_DIMS)
      call MPI_ERRHANDLER_FREE(handler, ierror)
      call MPI_COMM_FREE(comm, ierror)
   end subroutine

   subroutine requests()
      integer :: request
      call check_name('generalized requests')
      queries = 0
      frees = 0
      call MPI_GREQUEST_START(query, free_it, cancel, wide, request, ierror)
      call complete_request(request)
      call check_true(queries >= 1 .and. frees == 1 .and. seen_state == wide, 'completed by C')
   end subroutine

   ! Requests that either language makes and completes. Nothing about them is kept: the memory does not grow.
   subroutine messages()
      integer, parameter :: turns = 100000, warm_up = 20000
      integer :: pair(2), i, wrong
      call check_name('messages')
      wrong = 0
      do i = 1, turns
         if (i == warm_up) call remember_memory()
         sent = i
         received = 0
         if (mod(i, 3) == 0) then
            call start_in_c(received, sent, pair)
         else
            call MPI_IRECV(received, 1, MPI_INTEGER, 0, 3, MPI_COMM_SELF, pair(1), ierror)
            call MPI_ISEND(sent, 1, MPI_INTEGER, 0, 3, MPI_COMM_SELF, pair(2), ierror)
         end if
         if (mod(i, 2) == 0) then
            call complete_in_c(pair)
         else
            call MPI_WAITALL(2, pair, MPI_STATUSES_IGNORE, ierror)
         end if
         if (received /= i .or. any(pair /= MPI_REQUEST_NULL)) wrong = wrong + 1
      end do
      call check_equal(wrong, 0, 'exchanges that went wrong')
      call compare_memory()
   end subroutine

   ! Libraries hardly ever call these functions: C replaces MPI_Register_datarep and calls them.
   subroutine representations()
      call check_name('representations')
      conversions = 0
      call register_representation(ierror)
      call check_ok(ierror, 'MPI_REGISTER_DATAREP')
      call call_conversions(wide)
      call check_equal(conversions, 1, 'called')
      call check_equal(seen_type, MPI_INTEGER, 'with the datatype')
      call check_equal_long(seen_position, 2_aint**33, 'with the position')
      call check_equal_long(seen_state, wide, 'with its state')
   end subroutine
end program

! Not every module mpi has MPI_CONVERSION_FN_NULL.
subroutine register_representation(ierror)
   use functions_of_fortran, only: convert, extent_in_file, wide
   implicit none
   include 'mpif.h'
   integer :: ierror
   call MPI_REGISTER_DATAREP('mine  ', convert, MPI_CONVERSION_FN_NULL, extent_in_file, wide, ierror)
end subroutine
