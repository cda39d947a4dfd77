! Fortran 90 with the module mpi: windows, files, graphs, memory, datatypes for kinds, errors, handles of C, and the names of
! the profiling interface.
! ranks: 2
! with: checks.c
module shared_by_all
   use mpi
   implicit none
   integer, parameter :: aint = MPI_ADDRESS_KIND
   integer :: rank, ranks, other
end module

program module_mpi
   use shared_by_all
   implicit none
   integer :: provided, ierr, level
   logical :: main
   call MPI_Init_thread(MPI_THREAD_SINGLE, provided, ierr)
   call check_begin
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
   other = 1 - rank
   call MPI_Query_thread(level, ierr)
   call check_equal(level, provided, 'level of threads')
   call MPI_Is_thread_main(main, ierr)
   call check_true(main, 'main thread')
   call kinds
   call choice
   call sentinels
   call memory
   call windows
   call files
   call graphs
   call intercommunicators
   call errors
   call handles_of_c
   call statuses
   call profiling
   call spread
   call check_end

contains

   subroutine kinds
      integer :: n, datatype, ints(10), types(1), i, a, d, c
      integer(aint) :: addresses(1)
      integer(1) :: i1
      real(8) :: r8(3, 4)
      complex :: z(2)
      logical :: l
      character :: letter
      call check_name('sizes of types')
      call MPI_Sizeof(i1, n, ierr)
      call check_equal(n, 1, 'INTEGER(1)')
      call MPI_Sizeof(r8, n, ierr)
      call check_equal(n, 8, 'an array of REAL(8)')
      call MPI_Sizeof(r8(1, :), n, ierr)
      call check_equal(n, 8, 'a section')
      call MPI_Sizeof(z, n, ierr)
      call check_equal(n, 8, 'COMPLEX')
      call MPI_Sizeof(l, n, ierr)
      call check_equal(n, 4, 'LOGICAL')
      call MPI_Sizeof(letter, n, ierr)
      call check_equal(n, 1, 'CHARACTER')
      call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, datatype, ierr)
      call MPI_Type_size(datatype, n, ierr)
      call check_equal(n, 8, 'matched')
      call MPI_Type_create_f90_real(15, 300, datatype, ierr)
      call check_ok(ierr, 'create_f90_real')
      call MPI_Type_size(datatype, n, ierr)
      call check_equal(n, 8, '15 digits')
      call MPI_Type_create_f90_integer(9, datatype, ierr)
      call MPI_Type_size(datatype, n, ierr)
      call check_equal(n, 4, '9 digits')
      call MPI_Type_get_envelope(datatype, i, a, d, c, ierr)
      call check_equal(c, MPI_COMBINER_F90_INTEGER, 'combiner')
      call MPI_Type_get_contents(datatype, 10, 1, 1, ints, addresses, types, ierr)
      call check_equal(ints(1), 9, 'its range')
      call MPI_Type_size(MPI_INTEGER8, n, ierr)
      call check_equal(n, 8, 'INTEGER8')
      call MPI_Type_size(MPI_REAL4, n, ierr)
      call check_equal(n, 4, 'REAL4')
   end subroutine

   ! Buffers of every rank and type.
   subroutine choice
      real :: cube(2, 2, 2), back(2, 2, 2)
      integer :: n
      character(len=5) :: words(2)
      type :: pair
         sequence
         integer :: a, b
      end type
      type(pair) :: p
      call check_name('buffers')
      cube = reshape([1., 2., 3., 4., 5., 6., 7., 8.], [2, 2, 2]) + 10*rank
      call MPI_Sendrecv(cube, 8, MPI_REAL, other, 0, back, 8, MPI_REAL, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call check_true(back(2, 2, 2) == 8 + 10*other, 'three dimensions')
      words = ['     ', '     ']
      if (rank == 0) words = ['first', 'next ']
      call MPI_Bcast(words, 10, MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
      call check_true(words(1) == 'first' .and. words(2) == 'next', 'words')
      p = pair(rank, 5*rank)
      call MPI_Bcast(p, 2, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
      call check_true(p%a == 1 .and. p%b == 5, 'a type of the program')
      ! Sections become contiguous copies, which is good enough for blocking calls.
      cube(:, 1, 1) = rank
      call MPI_Allreduce(cube(1, 1, :), back(1, :, 2), 2, MPI_REAL, MPI_MAX, MPI_COMM_WORLD, ierr)
      call check_true(all(back(1, :, 2) == [1., 15.]), 'sections')
      n = 0
      call MPI_Reduce_local(rank, n, 1, MPI_INTEGER, MPI_BOR, ierr)
      call check_equal(n, rank, 'local')
   end subroutine

   subroutine sentinels
      integer :: n(2), counts(2), displs(2), types(2), request
      call check_name('special addresses')
      n = 0
      n(rank + 1) = rank + 5
      call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, n, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
      call check_true(all(n == [5, 6]), 'in place')
      counts = 1
      displs = [0, 4]
      types = MPI_INTEGER
      n = [10*rank, 10*rank + 1]
      call MPI_Alltoallw(MPI_IN_PLACE, counts, displs, types, n, counts, displs, types, MPI_COMM_WORLD, ierr)
      call check_true(all(n == [rank, 10 + rank]), 'in place with types')
      n = rank
      if (rank == 0) then
         call MPI_Gather(MPI_IN_PLACE, 1, MPI_INTEGER, n, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
         call check_true(all(n == [0, 1]), 'in place at the root')
      else
         call MPI_Gather(n, 1, MPI_INTEGER, MPI_BOTTOM, 0, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
      end if
      n(1) = 1
      call MPI_Iallreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr)
      call MPI_Waitall(1, [request], MPI_STATUSES_IGNORE, ierr)
      call MPI_F_sync_reg(n)
      call check_equal(n(1), 2, 'nonblocking')
   end subroutine

   subroutine memory
      use, intrinsic :: iso_c_binding
      type(c_ptr) :: base
      integer(aint) :: address
      real(8), pointer :: x(:)
      call check_name('memory')
      call MPI_Alloc_mem(80_aint, MPI_INFO_NULL, base, ierr)
      call check_ok(ierr, 'alloc_mem')
      call c_f_pointer(base, x, [10])
      x = 2.5
      call check_true(sum(x) == 25, 'written')
      call MPI_Get_address(x, address, ierr)
      call check_equal_long(address, transfer(base, address), 'address')
      call MPI_Free_mem(x, ierr)
      call check_ok(ierr, 'free_mem')
      address = 0
      call MPI_Alloc_mem(80_aint, MPI_INFO_NULL, address, ierr)
      call check_true(address /= 0, 'as an INTEGER')
      base = transfer(address, base)
      call c_f_pointer(base, x, [10])
      call MPI_Free_mem(x, ierr)
   end subroutine

   subroutine windows
      use, intrinsic :: iso_c_binding
      integer :: window, shelf(4), n, m, unit
      integer(aint) :: value
      type(c_ptr) :: base
      logical :: flag
      integer, pointer :: here(:)
      call check_name('windows')
      shelf = -1
      call MPI_Win_create(shelf, 16_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierr)
      call check_ok(ierr, 'win_create')
      call MPI_Win_fence(MPI_MODE_NOPRECEDE, window, ierr)
      n = 70 + rank
      call MPI_Put(n, 1, MPI_INTEGER, other, 2_aint, 1, MPI_INTEGER, window, ierr)
      call MPI_Accumulate(n, 1, MPI_INTEGER, other, 3_aint, 1, MPI_INTEGER, MPI_SUM, window, ierr)
      call MPI_Win_fence(0, window, ierr)
      call check_equal(shelf(3), 70 + other, 'put')
      call check_equal(shelf(4), 69 + other, 'accumulated')
      call MPI_Win_fence(MPI_MODE_NOSUCCEED, window, ierr)
      call MPI_Win_lock(MPI_LOCK_SHARED, other, 0, window, ierr)
      call MPI_Get(m, 1, MPI_INTEGER, other, 2_aint, 1, MPI_INTEGER, window, ierr)
      call MPI_Win_unlock(other, window, ierr)
      call check_equal(m, 70 + rank, 'got')
      call MPI_Win_get_attr(window, MPI_WIN_DISP_UNIT, value, flag, ierr)
      call check_true(flag, 'attribute')
      call check_equal_long(value, 4_8, 'unit')
      call MPI_Win_free(window, ierr)
      call check_equal(window, MPI_WIN_NULL, 'freed')
      call MPI_Win_allocate(8_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, window, ierr)
      call c_f_pointer(base, here, [2])
      here = 0
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
      call MPI_Win_lock_all(0, window, ierr)
      call MPI_Fetch_and_op(1, n, MPI_INTEGER, 0, 1_aint, MPI_SUM, window, ierr)
      call MPI_Win_flush(0, window, ierr)
      call MPI_Win_unlock_all(window, ierr)
      call check_true(n == 0 .or. n == 1, 'fetched')
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
      if (rank == 0) call check_equal(here(2), 2, 'both added')
      call MPI_Win_free(window, ierr)
      call MPI_Win_allocate_shared(4_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, value, window, ierr)
      call MPI_Win_shared_query(window, 0, value, unit, base, ierr)
      call check_equal(unit, 4, 'unit of the other')
      call check_equal_long(value, 4_8, 'size of the other')
      call MPI_Win_free(window, ierr)
   end subroutine

   subroutine files
      integer :: file, status(MPI_STATUS_SIZE), n(4), type, count, mode
      integer(MPI_OFFSET_KIND) :: size, place
      integer, parameter :: off = MPI_OFFSET_KIND
      character(len=20) :: representation
      call check_name('files')
      call MPI_File_open(MPI_COMM_WORLD, 'numbers  ', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierr)
      call check_ok(ierr, 'open')
      call MPI_Type_create_resized(MPI_INTEGER, 0_aint, 8_aint, type, ierr)
      call MPI_Type_commit(type, ierr)
      call MPI_File_set_view(file, 4_off*rank, MPI_INTEGER, type, 'native', MPI_INFO_NULL, ierr)
      call check_ok(ierr, 'set_view')
      call MPI_File_get_view(file, place, n(1), n(2), representation, ierr)
      call check_equal_long(place, 4_8*rank, 'displacement')
      call check_equal(n(1), MPI_INTEGER, 'elementary type')
      call check_true(representation == 'native', 'representation')
      n = [10, 20, 30, 40] + rank
      call MPI_File_write_at_all(file, 0_off, n, 4, MPI_INTEGER, status, ierr)
      call MPI_Get_count(status, MPI_INTEGER, count, ierr)
      call check_equal(count, 4, 'written')
      call MPI_File_sync(file, ierr)
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
      call MPI_File_set_view(file, 0_off, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, ierr)
      call MPI_File_seek(file, 4_off*rank, MPI_SEEK_SET, ierr)
      call MPI_File_read(file, n, 4, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
      call check_true(all(n == [10, 11, 20, 21] + 20*rank), 'by turns')
      call MPI_File_get_position(file, place, ierr)
      call check_equal_long(place, 4_8*rank + 4, 'position')
      call MPI_File_get_size(file, size, ierr)
      call check_equal_long(size, 32_8, 'size')
      call MPI_File_get_amode(file, mode, ierr)
      call check_equal(iand(mode, MPI_MODE_RDWR), MPI_MODE_RDWR, 'mode')
      call MPI_File_close(file, ierr)
      call check_equal(file, MPI_FILE_NULL, 'closed')
      call MPI_Type_free(type, ierr)
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
      if (rank == 0) call MPI_File_delete('numbers', MPI_INFO_NULL, ierr)
      call check_ok(ierr, 'delete')
      call MPI_File_open(MPI_COMM_SELF, 'missing', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierr)
      call MPI_Error_class(ierr, mode, ierr)
      call check_equal(mode, MPI_ERR_NO_SUCH_FILE, 'no such file')
   end subroutine

   subroutine graphs
      integer :: comm, in, out, sources(1), targets(1), weights(1), weights2(1), got(1), n
      logical :: weighted
      call check_name('graphs')
      call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [other], MPI_UNWEIGHTED, 1, [other], MPI_UNWEIGHTED, &
         MPI_INFO_NULL, .false., comm, ierr)
      call check_ok(ierr, 'unweighted')
      call MPI_Dist_graph_neighbors_count(comm, in, out, weighted, ierr)
      call check_true(.not. weighted .and. in == 1 .and. out == 1, 'count')
      call MPI_Dist_graph_neighbors(comm, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED, ierr)
      call check_equal(sources(1), other, 'source')
      call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, comm, ierr)
      call check_equal(got(1), other, 'neighbor')
      call MPI_Comm_free(comm, ierr)
      call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [other], [7], 1, [other], [9], MPI_INFO_NULL, .false., &
         comm, ierr)
      call MPI_Dist_graph_neighbors(comm, 1, sources, weights, 1, targets, weights2, ierr)
      call check_true(weights(1) == 7 .and. weights2(1) == 9, 'weights')
      call MPI_Comm_free(comm, ierr)
      call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, sources, MPI_WEIGHTS_EMPTY, 0, targets, MPI_WEIGHTS_EMPTY, &
         MPI_INFO_NULL, .false., comm, ierr)
      call MPI_Dist_graph_neighbors_count(comm, in, out, weighted, ierr)
      call check_true(weighted .and. in == 0, 'no weights at all')
      call MPI_Comm_free(comm, ierr)
      call MPI_Graph_create(MPI_COMM_WORLD, 2, [1, 2], [1, 0], .false., comm, ierr)
      call MPI_Graph_neighbors_count(comm, rank, n, ierr)
      call check_equal(n, 1, 'of a graph')
      call MPI_Comm_free(comm, ierr)
   end subroutine

   subroutine intercommunicators
      integer :: comm, inter, n
      logical :: flag
      call check_name('intercommunicators')
      call MPI_Comm_split(MPI_COMM_WORLD, rank, 0, comm, ierr)
      call MPI_Intercomm_create(comm, 0, MPI_COMM_WORLD, other, 5, inter, ierr)
      call MPI_Comm_test_inter(inter, flag, ierr)
      call check_true(flag, 'inter')
      call MPI_Comm_remote_size(inter, n, ierr)
      call check_equal(n, 1, 'remote size')
      call MPI_Comm_free(comm, ierr)
      call MPI_Intercomm_merge(inter, rank == 0, comm, ierr)
      call MPI_Comm_rank(comm, n, ierr)
      call check_equal(n, other, 'the high ones come last')
      call MPI_Comm_free(comm, ierr)
      call MPI_Comm_free(inter, ierr)
   end subroutine

   subroutine errors
      integer :: class, code, n
      character(len=MPI_MAX_ERROR_STRING) :: text
      call check_name('errors')
      call MPI_Send(rank, 1, MPI_INTEGER, 99, 0, MPI_COMM_WORLD, code)
      call MPI_Error_class(code, class, ierr)
      call check_equal(class, MPI_ERR_RANK, 'rank')
      call MPI_Add_error_class(class, ierr)
      call MPI_Add_error_code(class, code, ierr)
      call MPI_Add_error_string(code, 'of our own  ', ierr)
      call MPI_Error_string(code, text, n, ierr)
      call check_true(text == 'of our own', 'text')
      call check_equal(n, 10, 'its length')
      call MPI_Comm_get_errhandler(MPI_COMM_WORLD, code, ierr)
      call check_equal(code, MPI_ERRORS_RETURN, 'error handler')
   end subroutine

   subroutine handles_of_c
      integer(MPI_C_COMM_KIND) :: comm
      integer(MPI_C_DATATYPE_KIND) :: type
      integer :: copy
      call check_name('handles of C')
      comm = MPI_Comm_f2c(MPI_COMM_WORLD)
      call check_equal_long(comm, int(MPI_COMM_WORLD, 8), 'the number comes from the standard ABI')
      call check_equal(MPI_Comm_c2f(comm), MPI_COMM_WORLD, 'and back')
      call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
      call check_equal(PMPI_Comm_c2f(PMPI_Comm_f2c(copy)), copy, 'a duplicate')
      call MPI_Comm_free(copy, ierr)
      type = MPI_Type_f2c(MPI_INTEGER)
      call check_equal(MPI_Type_c2f(type), MPI_INTEGER, 'datatype')
      call check_equal(MPI_Op_c2f(MPI_Op_f2c(MPI_SUM)), MPI_SUM, 'op')
      call check_equal(MPI_Info_c2f(MPI_Info_f2c(MPI_INFO_NULL)), MPI_INFO_NULL, 'null')
   end subroutine

   subroutine statuses
      type(MPI_Status) :: new
      integer :: old(MPI_STATUS_SIZE), back(MPI_STATUS_SIZE), n
      logical :: flag
      call check_name('statuses')
      call MPI_Sendrecv(rank, 1, MPI_INTEGER, other, 8, n, 1, MPI_INTEGER, other, 8, MPI_COMM_WORLD, old, ierr)
      call MPI_Status_f2f08(old, new, ierr)
      call check_true(new%MPI_SOURCE == other .and. new%MPI_TAG == 8, 'as a type')
      call MPI_Status_f082f(new, back, ierr)
      call MPI_Get_count(back, MPI_INTEGER, n, ierr)
      call check_equal(n, 1, 'and back')
      call MPI_Status_set_elements(back, MPI_INTEGER, 17, ierr)
      call MPI_Get_elements(back, MPI_INTEGER, n, ierr)
      call check_equal(n, 17, 'set')
      call MPI_Status_set_cancelled(back, .true., ierr)
      call MPI_Test_cancelled(back, flag, ierr)
      call check_true(flag, 'cancelled')
   end subroutine

   subroutine profiling
      integer :: n
      call check_name('PMPI')
      call PMPI_Comm_rank(MPI_COMM_WORLD, n, ierr)
      call check_equal(n, rank, 'rank')
      call PMPI_Sendrecv(rank, 1, MPI_INTEGER, other, 1, n, 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, &
         ierr)
      call check_equal(n, other, 'sendrecv')
      call check_true(PMPI_Wtime() >= 0, 'time')
      call MPI_Pcontrol(0)
   end subroutine

   ! Each number belongs to one of the ranks.
   subroutine spread
      integer :: all(4), mine(2), type, n
      call check_name('arrays over ranks')
      all = [1, 2, 3, 4]
      call MPI_Scatter(all, 2, MPI_INTEGER, mine, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
      call check_true(all(2*rank + 1) == mine(1), 'scatter')
      call MPI_Type_create_darray(2, rank, 1, [4], [MPI_DISTRIBUTE_CYCLIC], [MPI_DISTRIBUTE_DFLT_DARG], [2], &
         MPI_ORDER_FORTRAN, MPI_INTEGER, type, ierr)
      call check_ok(ierr, 'darray')
      call MPI_Type_size(type, n, ierr)
      call check_equal(n, 8, 'its size')
      call MPI_Type_free(type, ierr)
      call MPI_Type_create_subarray(2, [4, 4], [2, 2], [1, 1], MPI_ORDER_FORTRAN, MPI_REAL, type, ierr)
      call MPI_Type_size(type, n, ierr)
      call check_equal(n, 16, 'subarray')
      call MPI_Type_free(type, ierr)
   end subroutine

end program
