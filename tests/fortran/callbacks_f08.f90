! Functions of the program that MPI calls, from the module mpi_f08: reductions, error handlers, attributes, generalized
! requests; predefined callbacks; attributes of MPI itself.
! ranks: 2
! with: checks.c
module functions_of_the_program
   use, intrinsic :: iso_c_binding
   use mpi_f08
   implicit none

   integer, parameter :: user_error = 77
   integer(MPI_ADDRESS_KIND), parameter :: wide = 2_MPI_ADDRESS_KIND**40 + 5

   type(MPI_Datatype) :: seen_type
   type(MPI_Comm) :: seen_comm
   type(MPI_Win) :: seen_win
   type(MPI_File) :: seen_file
   integer :: seen_code, handled
   integer :: copies, deletes, seen_keyval, delete_result
   logical :: to_be_copied
   integer(MPI_ADDRESS_KIND) :: seen_state, seen_value
   integer :: queries, frees, cancels
   logical :: was_complete

contains

   ! Not commutative: 2 a + b.
   subroutine twice_and_add(invec, inoutvec, len, datatype)
      type(c_ptr), value :: invec, inoutvec
      integer :: len
      type(MPI_Datatype) :: datatype
      integer, pointer :: a(:), b(:)
      call c_f_pointer(invec, a, [len])
      call c_f_pointer(inoutvec, b, [len])
      seen_type = datatype
      b = 2*a + b
   end subroutine

   subroutine product_of_pairs(invec, inoutvec, len, datatype)
      type(c_ptr), value :: invec, inoutvec
      integer :: len
      type(MPI_Datatype) :: datatype
      integer, pointer :: a(:), b(:)
      call c_f_pointer(invec, a, [2*len])
      call c_f_pointer(inoutvec, b, [2*len])
      seen_type = datatype
      b = a*b
   end subroutine

   subroutine on_comm_error(comm, error_code)
      type(MPI_Comm) :: comm
      integer :: error_code
      handled = handled + 1
      seen_comm = comm
      seen_code = error_code
   end subroutine

   subroutine on_win_error(win, error_code)
      type(MPI_Win) :: win
      integer :: error_code
      handled = handled + 1
      seen_win = win
      seen_code = error_code
   end subroutine

   subroutine on_file_error(file, error_code)
      type(MPI_File) :: file
      integer :: error_code
      handled = handled + 1
      seen_file = file
      seen_code = error_code
   end subroutine

   subroutine note_copy(keyval, extra_state, in, out, flag, ierror)
      integer :: keyval, ierror
      integer(MPI_ADDRESS_KIND) :: extra_state, in, out
      logical :: flag
      copies = copies + 1
      seen_keyval = keyval
      seen_state = extra_state
      seen_value = in
      out = in + 1
      flag = to_be_copied
      ierror = MPI_SUCCESS
   end subroutine

   subroutine note_delete(keyval, val, extra_state, ierror)
      integer :: keyval, ierror
      integer(MPI_ADDRESS_KIND) :: val, extra_state
      deletes = deletes + 1
      seen_keyval = keyval
      seen_state = extra_state
      seen_value = val
      ierror = delete_result
   end subroutine

   subroutine comm_copy(comm, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
      type(MPI_Comm) :: comm
      integer :: keyval, ierror
      integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
      logical :: flag
      seen_comm = comm
      call note_copy(keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
   end subroutine

   subroutine comm_delete(comm, keyval, attribute_val, extra_state, ierror)
      type(MPI_Comm) :: comm
      integer :: keyval, ierror
      integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
      seen_comm = comm
      call note_delete(keyval, attribute_val, extra_state, ierror)
   end subroutine

   subroutine type_copy(datatype, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
      type(MPI_Datatype) :: datatype
      integer :: keyval, ierror
      integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
      logical :: flag
      seen_type = datatype
      call note_copy(keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
   end subroutine

   subroutine type_delete(datatype, keyval, attribute_val, extra_state, ierror)
      type(MPI_Datatype) :: datatype
      integer :: keyval, ierror
      integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
      seen_type = datatype
      call note_delete(keyval, attribute_val, extra_state, ierror)
   end subroutine

   subroutine win_delete(win, keyval, attribute_val, extra_state, ierror)
      type(MPI_Win) :: win
      integer :: keyval, ierror
      integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
      seen_win = win
      call note_delete(keyval, attribute_val, extra_state, ierror)
   end subroutine

   subroutine query(extra_state, status, ierror)
      integer(MPI_ADDRESS_KIND) :: extra_state
      type(MPI_Status) :: status
      integer :: ierror
      queries = queries + 1
      seen_state = extra_state
      status%MPI_SOURCE = 3
      status%MPI_TAG = 4
      call MPI_Status_set_elements(status, MPI_INTEGER, 6)
      call MPI_Status_set_cancelled(status, .false.)
      ierror = MPI_SUCCESS
   end subroutine

   subroutine free_it(extra_state, ierror)
      integer(MPI_ADDRESS_KIND) :: extra_state
      integer :: ierror
      frees = frees + 1
      seen_state = extra_state
      extra_state = extra_state - 1
      ierror = MPI_SUCCESS
   end subroutine

   subroutine cancel(extra_state, complete, ierror)
      integer(MPI_ADDRESS_KIND) :: extra_state
      logical :: complete
      integer :: ierror
      cancels = cancels + 1
      seen_state = extra_state
      was_complete = complete
      ierror = MPI_SUCCESS
   end subroutine
end module

program callbacks_f08
   use functions_of_the_program
   implicit none
   integer :: rank, ranks

   call MPI_Init()
   call check_begin()
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks)
   call reductions()
   call error_handlers()
   call attributes_of_communicators()
   call attributes_of_datatypes()
   call attributes_of_windows()
   call attributes_of_mpi()
   call generalized_requests()
   call check_end()

contains

   ! The result of twice_and_add for 1, 2, 3 ... in this order.
   integer function expected_sum()
      integer :: i
      expected_sum = ranks
      do i = ranks - 1, 1, -1
         expected_sum = 2*i + expected_sum
      end do
   end function

   subroutine reductions()
      type(MPI_Op) :: op
      type(MPI_Datatype) :: pair
      type(MPI_Request) :: request
      integer :: mine(4), all(4), ierror
      logical :: commutes

      call check_name('reductions')
      call MPI_Op_create(twice_and_add, .false., op)
      call MPI_Op_commutative(op, commutes)
      call check_true(.not. commutes, 'not commutative')
      mine = rank + 1
      call MPI_Allreduce(mine, all, 4, MPI_INTEGER, op, MPI_COMM_WORLD, ierror)
      call check_ok(ierror, 'MPI_Allreduce')
      call check_equal(all(1), expected_sum(), 'first of the sum')
      call check_equal(all(4), expected_sum(), 'last of the sum')
      if (ranks > 1) call check_true(seen_type == MPI_INTEGER, 'the reduction sees MPI_INTEGER')
      all = 5
      mine = 7
      call MPI_Reduce_local(mine, all, 3, MPI_INTEGER, op)
      call check_equal(all(3), 19, 'a local reduction')
      call check_equal(all(4), 5, 'is as long as it says')
      call MPI_Iallreduce(mine, all, 4, MPI_INTEGER, op, MPI_COMM_SELF, request)
      call MPI_Op_free(op)
      call check_true(op == MPI_OP_NULL, 'a freed operation')
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call check_equal(all(4), 7, 'of one rank')

      call MPI_Op_create(product_of_pairs, .true., op)
      call MPI_Op_commutative(op, commutes)
      call check_true(commutes, 'commutative')
      call MPI_Type_contiguous(2, MPI_INTEGER, pair)
      call MPI_Type_commit(pair)
      mine = 3
      all = 2
      call MPI_Reduce_local(mine, all, 2, pair, op)
      call check_equal(all(4), 6, 'a datatype of the program')
      call check_true(seen_type == pair, 'which the reduction sees')
      call MPI_Type_free(pair)
      call MPI_Op_free(op)
   end subroutine

   subroutine error_handlers()
      type(MPI_Errhandler) :: handler, of_win, of_file
      type(MPI_Comm) :: comm
      type(MPI_Win) :: win
      type(MPI_File) :: file
      integer :: class, ierror, memory(1)

      call check_name('error handlers')
      call MPI_Comm_create_errhandler(on_comm_error, handler)
      call MPI_Comm_dup(MPI_COMM_WORLD, comm)
      call MPI_Comm_set_errhandler(comm, handler)
      handled = 0
      call MPI_Comm_call_errhandler(comm, MPI_ERR_TAG)
      call check_equal(handled, 1, 'called')
      call check_true(seen_comm == comm, 'with its communicator')
      call check_equal(seen_code, MPI_ERR_TAG, 'and its code')
      call MPI_Send(memory, 1, MPI_INTEGER, ranks + 5, 0, comm, ierror)
      call check_equal(handled, 2, 'by a bad rank')
      call MPI_Error_class(seen_code, class)
      call check_equal(class, MPI_ERR_RANK, 'with the class')
      call check_true(seen_comm == comm, 'with its communicator again')
      call MPI_Comm_free(comm)
      call MPI_Errhandler_free(handler)

      call MPI_Win_create_errhandler(on_win_error, of_win)
      call MPI_Win_create(memory, 4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
      call MPI_Win_set_errhandler(win, of_win)
      call MPI_Win_call_errhandler(win, MPI_ERR_DISP)
      call check_equal(handled, 3, 'of a window')
      call check_true(seen_win == win, 'with its window')
      call check_equal(seen_code, MPI_ERR_DISP, 'and its code')
      call MPI_Errhandler_free(of_win)
      call MPI_Win_free(win)

      call MPI_File_create_errhandler(on_file_error, of_file)
      call MPI_File_set_errhandler(MPI_FILE_NULL, of_file)
      call MPI_File_open(MPI_COMM_SELF, '/nowhere/to/be/found', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierror)
      call check_equal(handled, 4, 'of a file')
      call check_true(seen_file == MPI_FILE_NULL, 'that is not open')
      call MPI_Error_class(seen_code, class)
      call check_true(class == MPI_ERR_NO_SUCH_FILE .or. class == MPI_ERR_IO .or. class == MPI_ERR_ACCESS, 'its class')
      call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN)
      call MPI_Errhandler_free(of_file)
   end subroutine

   subroutine forget()
      copies = 0
      deletes = 0
      seen_keyval = MPI_KEYVAL_INVALID
      seen_state = 0
      seen_value = 0
      to_be_copied = .true.
      delete_result = MPI_SUCCESS
   end subroutine

   subroutine attributes_of_communicators()
      type(MPI_Comm) :: comm, other
      integer :: keyval, ierror, i
      integer(MPI_ADDRESS_KIND) :: val
      logical :: flag

      call check_name('attributes of communicators')
      call forget()
      call MPI_Comm_create_keyval(comm_copy, comm_delete, keyval, wide)
      call MPI_Comm_dup(MPI_COMM_WORLD, comm)
      call MPI_Comm_get_attr(comm, keyval, val, flag)
      call check_true(.not. flag, 'no attribute yet')
      call MPI_Comm_set_attr(comm, keyval, -wide)
      call MPI_Comm_get_attr(comm, keyval, val, flag)
      call check_true(flag, 'an attribute')
      call check_equal_long(val, -wide, 'its value')

      call MPI_Comm_dup(comm, other)
      call check_equal(copies, 1, 'copied')
      call check_true(seen_comm == comm, 'from its communicator')
      call check_equal(seen_keyval, keyval, 'with its key')
      call check_equal_long(seen_state, wide, 'and its state')
      call check_equal_long(seen_value, -wide, 'and its value')
      call MPI_Comm_get_attr(other, keyval, val, flag)
      call check_true(flag, 'in the duplicate')
      call check_equal_long(val, 1 - wide, 'as the function made it')

      call MPI_Comm_set_attr(other, keyval, 0_MPI_ADDRESS_KIND)
      call check_equal(deletes, 1, 'replaced')
      call check_equal_long(seen_value, 1 - wide, 'the old value goes')
      call MPI_Comm_get_attr(other, keyval, val, flag)
      call check_true(flag .and. val == 0, 'zero is a value')
      delete_result = user_error
      call MPI_Comm_delete_attr(other, keyval, ierror)
      call check_equal(ierror, user_error, 'what the delete function says')
      call MPI_Comm_get_attr(other, keyval, val, flag)
      call check_true(flag, 'the attribute stays')
      delete_result = MPI_SUCCESS
      call MPI_Comm_free(other)
      call check_equal(deletes, 3, 'deleted with the communicator')

      to_be_copied = .false.
      call MPI_Comm_dup(comm, other)
      call MPI_Comm_get_attr(other, keyval, val, flag)
      call check_true(.not. flag, 'not copied')
      call MPI_Comm_free(other)
      call MPI_Comm_free_keyval(keyval)
      call check_equal(keyval, MPI_KEYVAL_INVALID, 'a freed key')
      call MPI_Comm_free(comm)
      call check_equal(deletes, 4, 'the attribute outlives its key')

      call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND)
      do i = 1, 300
         call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, wide + i)
      end do
      call MPI_Comm_dup(MPI_COMM_SELF, comm)
      call MPI_Comm_get_attr(comm, keyval, val, flag)
      call check_true(flag .and. val == wide + 300, 'copied by MPI_COMM_DUP_FN')
      call MPI_Comm_free(comm)
      call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval)
      call MPI_Comm_free_keyval(keyval)

      call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, comm_delete, keyval, 4_MPI_ADDRESS_KIND)
      call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, 9_MPI_ADDRESS_KIND)
      call MPI_Comm_dup(MPI_COMM_SELF, comm)
      call MPI_Comm_get_attr(comm, keyval, val, flag)
      call check_true(.not. flag, 'not copied by MPI_COMM_NULL_COPY_FN')
      call MPI_Comm_free(comm)
      call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval)
      call check_equal(deletes, 5, 'but deleted')
      call check_equal_long(seen_state, 4_MPI_ADDRESS_KIND, 'with its own state')
      call MPI_Comm_free_keyval(keyval)
   end subroutine

   subroutine attributes_of_datatypes()
      type(MPI_Datatype) :: old, new
      integer :: keyval
      integer(MPI_ADDRESS_KIND) :: val
      logical :: flag

      call check_name('attributes of datatypes')
      call forget()
      call MPI_Type_create_keyval(type_copy, type_delete, keyval, -3_MPI_ADDRESS_KIND)
      call MPI_Type_contiguous(3, MPI_REAL, old)
      call MPI_Type_set_attr(old, keyval, wide)
      call MPI_Type_dup(old, new)
      call check_equal(copies, 1, 'copied')
      call check_true(seen_type == old, 'from its datatype')
      call check_equal_long(seen_state, -3_MPI_ADDRESS_KIND, 'with its state')
      call MPI_Type_get_attr(new, keyval, val, flag)
      call check_true(flag .and. val == wide + 1, 'as the function made it')
      call MPI_Type_delete_attr(new, keyval)
      call check_true(deletes == 1 .and. seen_type == new, 'deleted')
      call MPI_Type_free(new)
      call MPI_Type_free(old)
      call check_equal(deletes, 2, 'deleted with the datatype')
      call MPI_Type_free_keyval(keyval)

      call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND)
      call MPI_Type_contiguous(3, MPI_REAL, old)
      call MPI_Type_set_attr(old, keyval, wide)
      call MPI_Type_dup(old, new)
      call MPI_Type_get_attr(new, keyval, val, flag)
      call check_true(flag .and. val == wide, 'copied by MPI_TYPE_DUP_FN')
      call MPI_Type_free(old)
      call MPI_Type_free(new)
      call MPI_Type_free_keyval(keyval)
   end subroutine

   subroutine attributes_of_windows()
      type(MPI_Win) :: win
      integer :: keyval
      integer, target :: memory(6)
      integer(MPI_ADDRESS_KIND) :: val, base
      logical :: flag

      call check_name('attributes of windows')
      call forget()
      call MPI_Win_create(memory, 24_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
      call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, win_delete, keyval, 6_MPI_ADDRESS_KIND)
      call MPI_Win_set_attr(win, keyval, wide)
      call MPI_Win_get_attr(win, keyval, val, flag)
      call check_true(flag .and. val == wide, 'its value')

      call MPI_Get_address(memory, base)
      call MPI_Win_get_attr(win, MPI_WIN_BASE, val, flag)
      call check_true(flag, 'MPI_WIN_BASE')
      call check_equal_long(val, base, 'the base')
      call MPI_Win_get_attr(win, MPI_WIN_SIZE, val, flag)
      call check_true(flag .and. val == 24, 'MPI_WIN_SIZE')
      call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, val, flag)
      call check_true(flag .and. val == 4, 'MPI_WIN_DISP_UNIT')
      call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, val, flag)
      call check_true(flag .and. val == MPI_WIN_FLAVOR_CREATE, 'MPI_WIN_CREATE_FLAVOR')
      call MPI_Win_get_attr(win, MPI_WIN_MODEL, val, flag)
      call check_true(flag .and. (val == MPI_WIN_UNIFIED .or. val == MPI_WIN_SEPARATE), 'MPI_WIN_MODEL')

      call MPI_Win_free(win)
      call check_true(deletes == 1 .and. seen_value == wide .and. seen_state == 6, 'deleted with the window')
      call MPI_Win_free_keyval(keyval)
   end subroutine

   subroutine attributes_of_mpi()
      integer(MPI_ADDRESS_KIND) :: val
      logical :: flag

      call check_name('attributes of MPI')
      call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, val, flag)
      call check_true(flag .and. val >= 32767 .and. val <= huge(1), 'MPI_TAG_UB')
      call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, val, flag)
      call check_true(flag .and. (val == 0 .or. val == 1), 'MPI_WTIME_IS_GLOBAL')
      call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, val, flag)
      call check_true(flag .and. val >= MPI_ERR_LASTCODE, 'MPI_LASTUSEDCODE')
      call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, val, flag)
      if (flag) call check_true(val >= 1 .and. val < 100000, 'MPI_UNIVERSE_SIZE')
   end subroutine

   subroutine generalized_requests()
      type(MPI_Request) :: request
      type(MPI_Status) :: status
      integer :: count
      integer(MPI_ADDRESS_KIND) :: state
      logical :: flag

      call check_name('generalized requests')
      queries = 0
      frees = 0
      cancels = 0
      state = wide
      call MPI_Grequest_start(query, free_it, cancel, state, request)
      call MPI_Test(request, flag, status)
      call check_true(.not. flag, 'pending')
      call MPI_Cancel(request)
      call check_equal(cancels, 1, 'cancelled')
      call check_true(.not. was_complete, 'before its end')
      call check_equal_long(seen_state, wide, 'with its state')
      call MPI_Grequest_complete(request)
      call MPI_Wait(request, status)
      call check_true(queries >= 1 .and. frees == 1, 'asked and freed')
      call check_true(status%MPI_SOURCE == 3 .and. status%MPI_TAG == 4, 'the fields of its status')
      call MPI_Get_elements(status, MPI_INTEGER, count)
      call check_equal(count, 6, 'its elements')
      call check_true(request == MPI_REQUEST_NULL, 'no request any more')
      call check_equal_long(state, wide - 1, 'a function may change the state')
   end subroutine
end program
