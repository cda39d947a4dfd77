! Fortran 2008 with the module mpi_f08: handles that are types, statuses, absent error codes, large counts, requests, collective
! operations of all forms, windows, files, sessions, partitioned messages, texts.
! ranks: 2
! with: checks.c
module shared_by_all
   use mpi_f08
   implicit none
   integer, parameter :: aint = MPI_ADDRESS_KIND, long = MPI_COUNT_KIND, off = MPI_OFFSET_KIND
   integer :: rank, ranks, other, ierr
end module

program module_f08
   use shared_by_all
   implicit none
   call MPI_Init()
   call check_begin
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   call MPI_Comm_size(MPI_COMM_WORLD, size=ranks, ierror=ierr)
   call check_ok(ierr, 'size')
   other = 1 - rank
   call check_true(MPI_SUBARRAYS_SUPPORTED .and. MPI_ASYNC_PROTECTS_NONBLOCKING, 'subarrays')
   call handles
   call messages
   call requests
   call matched
   call large_counts
   call large_types
   call reductions
   call wide_reduction
   call irregular
   call nonblocking
   call persistent
   call neighbors
   call partitioned
   call windows
   call files
   call texts
   call sessions
   call versions
   call check_end

contains

   subroutine handles
      type(MPI_Comm) :: comm, same
      type(MPI_Group) :: group, none
      type(MPI_Datatype) :: types(3)
      integer :: old, n
      call check_name('handles')
      comm = MPI_COMM_WORLD
      call check_true(comm == MPI_COMM_WORLD, '==')
      call check_true(comm /= MPI_COMM_SELF, '/=')
      old = comm%MPI_VAL
      same%MPI_VAL = old
      call check_true(same == comm, 'by number')
      call check_equal(old, 257, 'the number of the standard ABI')
      types = [MPI_INTEGER, MPI_REAL, MPI_INTEGER]
      call check_equal(count(types == MPI_INTEGER), 2, 'arrays of handles')
      call MPI_Comm_dup(MPI_COMM_WORLD, comm)
      call check_true(comm /= MPI_COMM_WORLD, 'a duplicate')
      call check_true(MPI_Comm_c2f(MPI_Comm_f2c(comm%MPI_VAL)) == comm%MPI_VAL, 'through C')
      call MPI_Comm_compare(comm, MPI_COMM_WORLD, n)
      call check_equal(n, MPI_CONGRUENT, 'congruent')
      call MPI_Comm_group(comm, group)
      call MPI_Group_excl(group, 2, [0, 1], none)
      call check_true(none == MPI_GROUP_EMPTY, 'empty')
      call MPI_Group_free(group)
      call check_true(group == MPI_GROUP_NULL, 'freed')
      call MPI_Comm_free(comm)
      call check_true(comm == MPI_COMM_NULL, 'freed')
      call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, comm)
      call MPI_Comm_size(comm, n)
      call check_equal(n, 2, 'on this machine')
      call MPI_Comm_free(comm)
   end subroutine

   subroutine messages
      type(MPI_Status) :: status
      integer :: old(MPI_STATUS_SIZE), n, m
      real(8) :: x(5), y(5)
      complex(8) :: z
      call check_name('messages')
      x = rank + [1, 2, 3, 4, 5]
      call MPI_Sendrecv(x, 5, MPI_REAL8, other, 1, y, 5, MPI_REAL8, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status)
      call check_true(all(y == other + [1, 2, 3, 4, 5]), 'values')
      call check_true(status%MPI_SOURCE == other .and. status%MPI_TAG == 1, 'status')
      call MPI_Get_count(status, MPI_REAL8, n)
      call check_equal(n, 5, 'count')
      call MPI_Status_f082f(status, old)
      call check_equal(old(MPI_SOURCE), other, 'as an array')
      status%MPI_SOURCE = -77
      call MPI_Status_f2f08(old, status)
      call check_equal(status%MPI_SOURCE, other, 'and back')
      z = (1d0, -2d0)
      if (rank == 0) then
         call MPI_Send(z, 1, MPI_DOUBLE_COMPLEX, 1, 5, MPI_COMM_WORLD)
      else
         z = 0
         call MPI_Recv(z, 1, MPI_DOUBLE_COMPLEX, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
         call check_true(z == (1d0, -2d0), 'a complex number')
      end if
      call MPI_Send(x, 1, MPI_REAL8, 99, 0, MPI_COMM_WORLD, ierr)
      call MPI_Error_class(ierr, n, m)
      call check_equal(n, MPI_ERR_RANK, 'an error')
   end subroutine

   subroutine requests
      type(MPI_Request) :: request(4)
      type(MPI_Status) :: status(4)
      integer, asynchronous :: box(2), mine(2)
      integer :: n, found(4)
      logical :: flag
      call check_name('requests')
      mine = [rank, 10 + rank]
      call MPI_Irecv(box(1), 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, request(1))
      call MPI_Irecv(box(2), 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, request(2))
      call MPI_Isend(mine(1), 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, request(3))
      call MPI_Issend(mine(2), 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, request(4))
      call MPI_Waitall(4, request, status)
      call check_true(all(box == [other, 10 + other]), 'received')
      call check_true(status(2)%MPI_TAG == 2, 'status')
      call check_true(all(request == MPI_REQUEST_NULL), 'null')
      call MPI_Irecv(box(1), 1, MPI_INTEGER, other, 3, MPI_COMM_WORLD, request(2))
      call MPI_Request_get_status(request(2), flag, MPI_STATUS_IGNORE)
      call check_true(.not. flag, 'not yet')
      call MPI_Barrier(MPI_COMM_WORLD)
      call MPI_Send(mine, 1, MPI_INTEGER, other, 3, MPI_COMM_WORLD)
      call MPI_Waitany(4, request, n, status(1))
      call check_equal(n, 2, 'any')
      call MPI_Irecv(box(1), 1, MPI_INTEGER, other, 4, MPI_COMM_WORLD, request(4))
      call MPI_Send(mine, 1, MPI_INTEGER, other, 4, MPI_COMM_WORLD)
      call MPI_Waitsome(4, request, n, found, MPI_STATUSES_IGNORE)
      call check_true(n == 1 .and. found(1) == 4, 'some')
   end subroutine

   subroutine matched
      type(MPI_Message) :: message
      type(MPI_Status) :: status
      type(MPI_Request) :: request
      integer :: n
      call check_name('matched messages')
      call MPI_Isend(rank, 1, MPI_INTEGER, other, 6, MPI_COMM_WORLD, request)
      call MPI_Mprobe(other, 6, MPI_COMM_WORLD, message, status)
      call check_true(message /= MPI_MESSAGE_NULL, 'found')
      call MPI_Mrecv(n, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE)
      call check_equal(n, other, 'received')
      call check_true(message == MPI_MESSAGE_NULL, 'used up')
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, message, status)
      call check_true(message == MPI_MESSAGE_NO_PROC, 'from nobody')
      call MPI_Mrecv(n, 0, MPI_INTEGER, message, status)
   end subroutine

   subroutine large_counts
      type(MPI_Status) :: status
      integer :: x(6), y(6)
      integer(long) :: n, counts(2)
      integer(aint) :: displs(2)
      call check_name('large counts')
      x = rank
      call MPI_Sendrecv(x, 6_long, MPI_INTEGER, other, 1, y, 6_long, MPI_INTEGER, other, 1, MPI_COMM_WORLD, status)
      call check_true(all(y == other), 'sendrecv')
      call MPI_Get_count(status, MPI_INTEGER, n)
      call check_equal_long(n, 6_8, 'count')
      call MPI_Allreduce(MPI_IN_PLACE, x, 6_long, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
      call check_true(all(x == 1), 'allreduce')
      counts = [1, 2]
      displs = [2, 0]
      x = 5 + rank
      y = -1
      call MPI_Allgatherv(x, counts(rank + 1), MPI_INTEGER, y, counts, displs, MPI_INTEGER, MPI_COMM_WORLD)
      call check_true(all(y(1:3) == [6, 6, 5]), 'allgatherv')
      call MPI_Bcast(x, 1_long, MPI_INTEGER, 1, MPI_COMM_WORLD)
      call check_equal(x(1), 6, 'bcast')
      call MPI_Pack_size(3_long, MPI_INTEGER, MPI_COMM_WORLD, n)
      call check_true(n >= 12, 'pack_size')
   end subroutine

   subroutine large_types
      type(MPI_Datatype) :: type
      integer(long) :: n, ints, addresses, counts, types
      integer(aint) :: lb, extent
      integer :: combiner
      call check_name('large datatypes')
      call MPI_Type_contiguous(2_long**33, MPI_REAL8, type)
      call MPI_Type_size(type, n)
      call check_equal_long(n, 2_8**36, 'size')
      call MPI_Type_get_extent(type, lb, extent)
      call check_equal_long(extent, 2_8**36, 'extent')
      call MPI_Type_get_envelope(type, ints, addresses, counts, types, combiner)
      call check_equal(combiner, MPI_COMBINER_CONTIGUOUS, 'combiner')
      call MPI_Type_free(type)
      call MPI_Type_vector(2_long, 1_long, 2_long, MPI_INTEGER, type)
      call MPI_Type_size(type, n)
      call check_equal_long(n, 8_8, 'vector')
      call MPI_Type_free(type)
   end subroutine

   subroutine reductions
      real(8) :: x
      integer :: n
      logical :: l, all_of_them
      call check_name('reductions')
      x = rank + 1
      call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE_PRECISION, MPI_PROD, MPI_COMM_WORLD)
      call check_true(x == 2, 'product')
      l = rank == 1
      call MPI_Allreduce(l, all_of_them, 1, MPI_LOGICAL, MPI_LXOR, MPI_COMM_WORLD)
      call check_true(all_of_them, 'lxor')
      n = 0
      call MPI_Exscan(rank + 5, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
      if (rank == 1) call check_equal(n, 5, 'exscan')
      call MPI_Reduce_scatter_block([1, 2], n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
      call check_equal(n, 2*(rank + 1), 'reduce_scatter_block')
      call MPI_Op_commutative(MPI_SUM, l)
      call check_true(l, 'commutative')
   end subroutine

   subroutine wide_reduction
      integer, parameter :: wide = selected_int_kind(30)
      integer(wide) :: large, largest
      call check_name('wide reduction')
      large = huge(0_8)*int(rank + 2, wide)
      call MPI_Allreduce(large, largest, 1, MPI_INTEGER16, MPI_MAX, MPI_COMM_WORLD)
      call check_true(largest == huge(0_8)*3_wide, 'integers of 16 bytes')
   end subroutine

   subroutine irregular
      integer :: send(2), recv(2)
      type(MPI_Datatype) :: types(2)
      call check_name('irregular')
      types = MPI_INTEGER
      send = [100*rank, 100*rank + 1]
      call MPI_Alltoallw(send, [1, 1], [0, 4], types, recv, [1, 1], [4, 0], types, MPI_COMM_WORLD)
      call check_true(all(recv == [100 + rank, rank]), 'alltoallw')
      call MPI_Alltoallv(send, [1, 1], [0, 1], MPI_INTEGER, recv, [1, 1], [0, 1], MPI_INTEGER, MPI_COMM_WORLD)
      call check_true(all(recv == [rank, 100 + rank]), 'alltoallv')
      call MPI_Scatterv(send, [1, 1], [1, 0], MPI_INTEGER, recv, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
      call check_equal(recv(1), 1 - rank, 'scatterv')
   end subroutine

   subroutine nonblocking
      type(MPI_Request) :: request(3)
      type(MPI_Comm) :: comm
      integer, asynchronous :: n, m, all(2)
      call check_name('nonblocking')
      n = rank
      m = rank + 1
      all = -1
      call MPI_Ibcast(n, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, request(1))
      call MPI_Iallreduce(MPI_IN_PLACE, m, 1_long, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request(2))
      call MPI_Iallgather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, request(3))
      call MPI_Waitall(3, request, MPI_STATUSES_IGNORE)
      call check_true(n == 1 .and. m == 3 .and. all(2) == 1, 'values')
      call MPI_Comm_idup(MPI_COMM_WORLD, comm, request(1))
      call MPI_Wait(request(1), MPI_STATUS_IGNORE)
      call MPI_F_sync_reg(comm)
      call MPI_Comm_rank(comm, n)
      call check_equal((n), rank, 'duplicated')
      call MPI_Comm_free(comm)
      call MPI_Ibarrier(MPI_COMM_WORLD, request(1))
      call MPI_Wait(request(1), MPI_STATUS_IGNORE, ierr)
      call check_ok(ierr, 'barrier')
   end subroutine

   subroutine persistent
      type(MPI_Request) :: request(2)
      integer, asynchronous :: n, m, i
      call check_name('persistent')
      call MPI_Send_init(n, 1, MPI_INTEGER, other, 9, MPI_COMM_WORLD, request(1))
      call MPI_Recv_init(m, 1, MPI_INTEGER, other, 9, MPI_COMM_WORLD, request(2))
      do i = 1, 2
         n = i*10 + rank
         call MPI_Startall(2, request)
         call MPI_Waitall(2, request, MPI_STATUSES_IGNORE)
         call check_equal((m), i*10 + other, 'message')
      end do
      call MPI_Request_free(request(1))
      call MPI_Request_free(request(2))
      call MPI_Allreduce_init(n, m, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request(1))
      do i = 1, 2
         n = i
         call MPI_Start(request(1))
         call MPI_Wait(request(1), MPI_STATUS_IGNORE)
         call check_equal((m), 2*i, 'reduction')
      end do
      call MPI_Request_free(request(1))
   end subroutine

   subroutine neighbors
      type(MPI_Comm) :: ring
      type(MPI_Request) :: request
      integer, asynchronous :: got(2)
      integer :: source, target
      logical :: periods(1)
      integer :: dims(1), coords(1)
      call check_name('neighbors')
      call MPI_Cart_create(MPI_COMM_WORLD, 1, [2], [.true.], .false., ring)
      call MPI_Cart_get(ring, 1, dims, periods, coords)
      call check_true(periods(1) .and. dims(1) == 2 .and. coords(1) == rank, 'ring')
      call MPI_Cart_shift(ring, 0, 1, source, target)
      call check_equal(target, other, 'next')
      call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, ring)
      call check_true(all(got == other), 'gathered')
      got = -1
      call MPI_Ineighbor_allgather(rank, 1_long, MPI_INTEGER, got, 1_long, MPI_INTEGER, ring, request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call check_true(all(got == other), 'nonblocking')
      call MPI_Comm_free(ring)
   end subroutine

   subroutine partitioned
      type(MPI_Request) :: request
      integer, asynchronous :: x(4)
      integer :: i
      logical :: flag
      call check_name('partitions')
      x = 0
      if (rank == 0) then
         call MPI_Psend_init(x, 2, 2_long, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
         call MPI_Start(request)
         x = [1, 2, 3, 4]
         do i = 0, 1
            call MPI_Pready(i, request)
         end do
      else
         call MPI_Precv_init(x, 2, 2_long, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
         call MPI_Start(request)
      end if
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call check_ok(ierr, 'wait')
      call check_true(all(x == [1, 2, 3, 4]), 'both')
      if (rank == 1) then
         call MPI_Parrived(request, 1, flag, ierr)
         call check_true(flag .or. ierr /= MPI_SUCCESS, 'arrived')
      end if
      call MPI_Request_free(request)
   end subroutine

   subroutine windows
      use, intrinsic :: iso_c_binding
      type(MPI_Win) :: window
      type(MPI_Request) :: request
      type(c_ptr) :: base
      integer, pointer :: here(:)
      integer, asynchronous :: n
      call check_name('windows')
      call MPI_Win_allocate(16_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, window)
      call c_f_pointer(base, here, [4])
      here = 0
      call MPI_Win_fence(0, window)
      call MPI_Put(rank + 1, 1, MPI_INTEGER, other, 1_aint, 1, MPI_INTEGER, window)
      call MPI_Win_fence(0, window)
      call check_equal(here(2), other + 1, 'put')
      call MPI_Win_fence(MPI_MODE_NOSUCCEED, window)
      call MPI_Win_lock_all(0, window)
      call MPI_Rget(n, 1_long, MPI_INTEGER, other, 1_aint, 1_long, MPI_INTEGER, window, request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call check_equal((n), rank + 1, 'rget')
      call MPI_Compare_and_swap(50, 0, n, MPI_INTEGER, rank, 3_aint, window)
      call MPI_Win_flush_all(window)
      call MPI_Win_unlock_all(window)
      call check_equal((n), 0, 'swapped')
      call MPI_Win_free(window)
      call check_true(window == MPI_WIN_NULL, 'freed')
      call MPI_Alloc_mem(64_aint, MPI_INFO_NULL, base)
      call c_f_pointer(base, here, [16])
      here = 3
      call check_equal(sum(here), 48, 'memory')
      call MPI_Free_mem(here, ierr)
      call check_ok(ierr, 'free_mem')
   end subroutine

   subroutine files
      type(MPI_File) :: file
      type(MPI_Status) :: status
      type(MPI_Request) :: request
      integer, asynchronous :: n(3)
      integer(long) :: count
      integer(off) :: size
      logical :: flag
      call check_name('files')
      call MPI_File_open(MPI_COMM_WORLD, 'f08', MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file)
      n = rank
      call MPI_File_write_at_all(file, 12_off*rank, n, 3, MPI_INTEGER, status)
      call MPI_Get_count(status, MPI_INTEGER, count)
      call check_equal_long(count, 3_8, 'written')
      call MPI_File_sync(file)
      call MPI_Barrier(MPI_COMM_WORLD)
      call MPI_File_iread_at(file, 12_off*other, n, 3_long, MPI_INTEGER, request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      call check_true(all(n == other), 'read')
      call MPI_File_get_size(file, size)
      call check_equal_long(size, 24_8, 'size')
      call MPI_File_set_atomicity(file, .true.)
      call MPI_File_get_atomicity(file, flag)
      call check_true(flag, 'atomic')
      call MPI_File_close(file)
      call check_true(file == MPI_FILE_NULL, 'closed')
   end subroutine

   subroutine texts
      type(MPI_Info) :: info
      character(len=:), allocatable :: value
      character(len=30) :: name
      integer :: n
      logical :: flag
      call check_name('texts')
      call MPI_Info_create(info)
      call MPI_Info_set(info, ' key ', ' two words ')
      n = 0
      allocate (character(len=20) :: value)
      call MPI_Info_get_string(info, 'key', n, value, flag)
      call check_true(flag, 'there')
      call check_equal(n, 9, 'its length')
      n = 20
      call MPI_Info_get_string(info, 'key', n, value, flag)
      call check_true(value == 'two words', 'value')
      call MPI_Info_get_nkeys(info, n)
      call check_equal(n, 1, 'keys')
      call MPI_Info_free(info)
      call MPI_Type_set_name(MPI_INTEGER, 'whole numbers')
      call MPI_Type_get_name(MPI_INTEGER, name, n)
      call check_true(name == 'whole numbers' .and. n == 13, 'name')
   end subroutine

   subroutine sessions
      type(MPI_Session) :: session
      type(MPI_Group) :: group
      type(MPI_Comm) :: comm
      character(len=MPI_MAX_PSET_NAME_LEN) :: name
      integer :: n, length
      call check_name('sessions')
      call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierr)
      call check_ok(ierr, 'init')
      call MPI_Session_get_num_psets(session, MPI_INFO_NULL, n)
      call check_true(n >= 2, 'sets')
      length = 0
      call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, length, name)
      n = len(name)
      call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, n, name)
      call check_true(name(1:6) == 'mpi://' .and. len_trim(name) == length, 'first set')
      call MPI_Group_from_session_pset(session, 'mpi://WORLD', group)
      call MPI_Comm_create_from_group(group, 'tag', MPI_INFO_NULL, MPI_ERRORS_RETURN, comm)
      call MPI_Comm_size(comm, n)
      call check_equal(n, ranks, 'ranks')
      call MPI_Comm_free(comm)
      call MPI_Group_free(group)
      call MPI_Session_finalize(session)
      call check_true(session == MPI_SESSION_NULL, 'finalized')
   end subroutine

   subroutine versions
      integer :: major, minor, n
      character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: text
      call check_name('versions')
      call MPI_Abi_get_version(major, minor)
      call check_true(major == MPI_ABI_VERSION .and. minor == MPI_ABI_SUBVERSION, 'ABI')
      call MPI_Get_library_version(text, n)
      call check_true(len_trim(text) == n, 'library')
      call check_true(MPI_Wtime() >= 0 .and. MPI_Wtick() > 0, 'time')
      call check_equal_long(MPI_Aint_add(5_aint, 6_aint), 11_8, 'addresses')
      call MPI_Sizeof(1d0, n)
      call check_equal(n, 8, 'sizeof')
   end subroutine

end program
