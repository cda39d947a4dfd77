! Arguments that are converted in special ways, with the module mpi: arrays of handles that last, places counted from 1,
! arrays of LOGICALs, texts, addresses as TYPE(C_PTR), sets of processes, and procedures of MPI-1.
! ranks: 2
! with: checks.c
program arguments
   use mpi
   use, intrinsic :: iso_c_binding
   implicit none
   integer, parameter :: aint = MPI_ADDRESS_KIND
   integer :: rank, ranks, other, ierr
   call MPI_Init(ierr)
   call check_begin
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
   other = 1 - rank
   call exchanges_of_types
   call neighbours
   call places
   call grids
   call names
   call windows
   call duplicates
   call buffers
   call removed
   call check_end

contains

   ! Each process has its own type: the array must last as long as the request.
   subroutine exchanges_of_types
      integer :: types(2), counts(2), places_(2), request, sent(4), got(4), i, round
      integer :: status(MPI_STATUS_SIZE)
      call check_name('alltoallw')
      do i = 1, 2
         call MPI_Type_contiguous(2, MPI_INTEGER, types(i), ierr)
         call MPI_Type_commit(types(i), ierr)
      end do
      counts = 1
      places_ = [0, 8]
      sent = [(10*rank + i, i=1, 4)]
      got = -1
      call MPI_Alltoallw(sent, counts, places_, types, got, counts, places_, types, MPI_COMM_WORLD, ierr)
      call check_ok(ierr, 'alltoallw')
      call check_true(all(got == [1 + 2*rank, 2 + 2*rank, 11 + 2*rank, 12 + 2*rank]), 'what came')
      got = -1
      call MPI_Ialltoallw(sent, counts, places_, types, got, counts, places_, types, MPI_COMM_WORLD, request, ierr)
      call MPI_Wait(request, status, ierr)
      call MPI_F_sync_reg(got)
      call check_true(all(got == [1 + 2*rank, 2 + 2*rank, 11 + 2*rank, 12 + 2*rank]), 'later')
      call MPI_Alltoallw_init(sent, counts, places_, types, got, counts, places_, types, MPI_COMM_WORLD, MPI_INFO_NULL, &
                              request, ierr)
      call check_ok(ierr, 'init')
      do round = 1, 2
         got = -1
         call MPI_F_sync_reg(got)
         call MPI_Start(request, ierr)
         call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
         call MPI_F_sync_reg(got)
         call check_true(all(got == [1 + 2*rank, 2 + 2*rank, 11 + 2*rank, 12 + 2*rank]), 'again')
      end do
      call MPI_Request_free(request, ierr)
      call check_equal(request, MPI_REQUEST_NULL, 'freed')
      got = [1, 2, 3, 4] + 10*rank
      call MPI_Alltoallw(MPI_IN_PLACE, counts, places_, types, got, counts, places_, types, MPI_COMM_WORLD, ierr)
      call check_ok(ierr, 'in place')
      call check_true(all(got == [1 + 2*rank, 2 + 2*rank, 11 + 2*rank, 12 + 2*rank]), 'in place')
      do i = 1, 2
         call MPI_Type_free(types(i), ierr)
      end do
   end subroutine

   subroutine neighbours
      integer :: comm, types(2), counts(2), request, sent(2), got(2)
      integer :: from(1), to(1), weights(1), more(1), in, out
      integer(aint) :: displacements(2)
      logical :: weighted
      call check_name('neighbours')
      call MPI_Cart_create(MPI_COMM_WORLD, 1, [2], [.true.], .false., comm, ierr)
      types = MPI_INTEGER
      counts = 1
      displacements = [0_aint, 4_aint]
      sent = [10 + rank, 20 + rank]
      got = -1
      call MPI_Neighbor_alltoallw(sent, counts, displacements, types, got, counts, displacements, types, comm, ierr)
      call check_ok(ierr, 'alltoallw')
      call check_true(minval(got) == 10 + other .and. maxval(got) == 20 + other, 'what came') ! both sides are one rank
      got = -1
      call MPI_Ineighbor_alltoallw(sent, counts, displacements, types, got, counts, displacements, types, comm, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_F_sync_reg(got)
      call check_true(minval(got) == 10 + other .and. maxval(got) == 20 + other, 'later')
      call MPI_Comm_free(comm, ierr)
      call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [other], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm, ierr)
      call MPI_Dist_graph_neighbors_count(comm, in, out, weighted, ierr)
      call check_true(.not. weighted, 'no weights')
      call MPI_Dist_graph_neighbors(comm, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED, ierr)
      call check_equal(from(1), other, 'from')
      call check_equal(to(1), other, 'to')
      call MPI_Comm_free(comm, ierr)
      call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [other], [7 + rank], MPI_INFO_NULL, .false., comm, ierr)
      call MPI_Dist_graph_neighbors_count(comm, in, out, weighted, ierr)
      call check_true(weighted, 'weights')
      call MPI_Dist_graph_neighbors(comm, 1, from, weights, 1, to, more, ierr)
      call check_equal(weights(1), 7 + other, 'weight in')
      call check_equal(more(1), 7 + rank, 'weight out')
      call MPI_Comm_free(comm, ierr)
   end subroutine

   subroutine places
      integer :: requests(3), statuses(MPI_STATUS_SIZE, 3), done(3), count, place, got(2), first
      logical :: flag
      call check_name('places')
      requests = MPI_REQUEST_NULL
      call MPI_Irecv(got(2), 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, requests(3), ierr)
      call MPI_Testsome(3, requests, count, done, statuses, ierr)
      call check_equal(count, 0, 'none yet')
      call MPI_Request_get_status_any(3, requests, place, flag, MPI_STATUS_IGNORE, ierr)
      call check_true(.not. flag, 'none of them')
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
      call MPI_Send(rank + 5, 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, ierr)
      flag = .false.
      do while (.not. flag)
         call MPI_Request_get_status_any(3, requests, place, flag, MPI_STATUS_IGNORE, ierr)
      end do
      call check_equal(place, 3, 'the third')
      call MPI_Request_get_status_some(3, requests, count, done, MPI_STATUSES_IGNORE, ierr)
      call check_equal(count, 1, 'one of some')
      call check_equal(done(1), 3, 'the third of some')
      call MPI_Testsome(3, requests, count, done, statuses, ierr)
      call check_equal(count, 1, 'one')
      call check_equal(done(1), 3, 'its place')
      call check_equal(statuses(MPI_SOURCE, 1), other, 'its source')
      call MPI_F_sync_reg(got)
      call check_equal(got(2), other + 5, 'what came')
      call check_equal(requests(3), MPI_REQUEST_NULL, 'gone')
      call MPI_Testsome(3, requests, count, done, MPI_STATUSES_IGNORE, ierr)
      call check_equal(count, MPI_UNDEFINED, 'nothing is left')
      call MPI_Waitany(3, requests, first, MPI_STATUS_IGNORE, ierr)
      call check_equal(first, MPI_UNDEFINED, 'no place')
   end subroutine

   subroutine grids
      integer :: comm, part, coords(3), dims(2), count
      logical :: periods(3)
      call check_name('grids')
      call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, 1], [.true., .false.], .true., comm, ierr)
      call MPI_Cartdim_get(comm, count, ierr)
      call check_equal(count, 2, 'dimensions')
      periods = .true.
      call MPI_Cart_get(comm, 2, dims, periods, coords, ierr)
      call check_true(periods(1) .and. .not. periods(2) .and. periods(3), 'periods')
      call MPI_Cart_coords(comm, 1, 2, coords, ierr)
      call check_equal(coords(1), 1, 'coordinates')
      call MPI_Cart_sub(comm, [.false., .true.], part, ierr)
      call MPI_Comm_size(part, count, ierr)
      call check_equal(count, 1, 'a column')
      call MPI_Comm_free(part, ierr)
      call MPI_Comm_free(comm, ierr)
   end subroutine

   subroutine names
      integer :: info, length, session, sets, size_
      logical :: flag
      character(len=12) :: text
      character(len=MPI_MAX_PSET_NAME_LEN) :: set
      call check_name('texts')
      call MPI_Info_create(info, ierr)
      call MPI_Info_set(info, ' a key ', '  a longer value ', ierr)
      call MPI_Info_get_valuelen(info, 'a key', length, flag, ierr)
      call check_equal(length, 14, 'length')
      text = repeat('?', 12)
      length = 0
      call MPI_Info_get_string(info, 'a key  ', length, text, flag, ierr)
      call check_equal(length, 14, 'length asked for')
      call check_true(text == repeat('?', 12), 'nothing written')
      length = 8
      call MPI_Info_get_string(info, 'a key  ', length, text, flag, ierr)
      call check_true(text == 'a longer', 'cut')
      call check_equal(length, 14, 'whole length')
      call MPI_Info_delete(info, ' a key', ierr)
      call MPI_Info_get_valuelen(info, 'a key', length, flag, ierr)
      call check_true(.not. flag, 'deleted')
      call MPI_Info_free(info, ierr)
      call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session, ierr)
      call MPI_Session_get_num_psets(session, MPI_INFO_NULL, sets, ierr)
      call check_true(sets >= 2, 'sets')
      size_ = 0
      call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, size_, set, ierr)
      call check_true(size_ > 0, 'length of a name')
      sets = size_
      call MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, size_, set, ierr)
      call check_equal(len_trim(set), sets, 'a name')
      call MPI_Session_finalize(session, ierr)
      call check_equal(session, MPI_SESSION_NULL, 'session')
   end subroutine

   subroutine windows
      type(c_ptr) :: base
      integer, pointer :: shared(:)
      integer :: win, comm, group, everyone, unit, length
      integer(aint) :: size_
      logical :: flag
      character(len=MPI_MAX_OBJECT_NAME) :: name
      call check_name('windows')
      call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, comm, ierr)
      call MPI_Win_allocate_shared(8_aint, 4, MPI_INFO_NULL, comm, base, win, ierr)
      call MPI_Win_set_name(win, 'a window  ', ierr)
      call MPI_Win_get_name(win, name, length, ierr)
      call check_true(name == 'a window' .and. length == 8, 'name')
      call MPI_Win_shared_query(win, rank, size_, unit, base, ierr)
      call c_f_pointer(base, shared, [2])
      shared = -1
      call MPI_Comm_group(MPI_COMM_WORLD, everyone, ierr)
      call MPI_Group_incl(everyone, 1, [other], group, ierr)
      call MPI_Win_post(group, 0, win, ierr)
      call MPI_Win_start(group, 0, win, ierr)
      call MPI_Put(40 + rank, 1, MPI_INTEGER, other, 1_aint, 1, MPI_INTEGER, win, ierr)
      call MPI_Win_complete(win, ierr)
      flag = .false.
      do while (.not. flag)
         call MPI_Win_test(win, flag, ierr)
      end do
      call MPI_F_sync_reg(shared)
      call check_equal(shared(2), 40 + other, 'put')
      call MPI_Group_free(group, ierr)
      call MPI_Group_free(everyone, ierr)
      call MPI_Win_free(win, ierr)
      call check_equal(win, MPI_WIN_NULL, 'freed')
      call MPI_Comm_free(comm, ierr)
   end subroutine

   ! The handle may be written once more at the end.
   subroutine duplicates
      integer :: comm, request, info, sum_
      call check_name('duplicates')
      call MPI_Comm_idup(MPI_COMM_WORLD, comm, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_F_sync_reg(comm)
      call MPI_Allreduce(rank, sum_, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
      call check_equal(sum_, 1, 'sum')
      call MPI_Comm_free(comm, ierr)
      call MPI_Info_create(info, ierr)
      call MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, comm, request, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_F_sync_reg(comm)
      call MPI_Allreduce(rank, sum_, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
      call check_equal(sum_, 1, 'sum with info')
      call MPI_Comm_free(comm, ierr)
      call MPI_Info_free(info, ierr)
   end subroutine

   subroutine buffers
      integer :: space(1000), length, got
      call check_name('buffers')
      call MPI_Buffer_attach(space, 4000, ierr)
      call MPI_Bsend(rank, 1, MPI_INTEGER, other, 9, MPI_COMM_WORLD, ierr)
      call MPI_Recv(got, 1, MPI_INTEGER, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call check_equal(got, other, 'buffered')
      call MPI_Buffer_detach(space, length, ierr)
      call check_equal(length, 4000, 'its length')
   end subroutine

   subroutine removed
      external :: MPI_Type_struct, MPI_Type_hvector, MPI_Type_hindexed, MPI_Type_extent, MPI_Type_lb, MPI_Type_ub
      external :: MPI_Errhandler_get, MPI_Errhandler_set
      integer :: datatype, n, handler
      call check_name('MPI-1')
      call MPI_Type_struct(2, [1, 1], [4, 16], [MPI_INTEGER, MPI_REAL], datatype, ierr)
      call MPI_Type_lb(datatype, n, ierr)
      call check_equal(n, 4, 'lower bound')
      call MPI_Type_ub(datatype, n, ierr)
      call check_equal(n, 20, 'upper bound')
      call MPI_Type_extent(datatype, n, ierr)
      call check_equal(n, 16, 'extent')
      call MPI_Type_free(datatype, ierr)
      call MPI_Type_hvector(2, 1, 12, MPI_INTEGER, datatype, ierr)
      call MPI_Type_extent(datatype, n, ierr)
      call check_equal(n, 16, 'hvector')
      call MPI_Type_free(datatype, ierr)
      call MPI_Type_hindexed(2, [1, 2], [8, 0], MPI_INTEGER, datatype, ierr)
      call MPI_Type_extent(datatype, n, ierr)
      call check_equal(n, 12, 'hindexed')
      call MPI_Type_free(datatype, ierr)
      call MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
      call MPI_Errhandler_get(MPI_COMM_SELF, handler, ierr)
      call check_equal(handler, MPI_ERRORS_RETURN, 'handler')
   end subroutine
end program
