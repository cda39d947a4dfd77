! Sections that are not contiguous, as buffers of every family, compared with the results of an explicit copy.
! ranks: 2 3
module sections_kit
  use mpi_f08
  implicit none
  integer, parameter :: n = 8
  type pair
    sequence
    integer :: key
    double precision :: value
  end type pair
  integer :: me, peers, next, before, checks = 0, failures = 0
contains
  pure integer function number(rank, i, j)
    integer, intent(in) :: rank, i, j
    number = rank * 10000 + i * 100 + j
  end function number

  function matrix(rank) result(m)
    integer, intent(in) :: rank
    integer :: m(n, n), i, j
    do j = 1, n
      do i = 1, n
        m(i, j) = number(rank, i, j)
      end do
    end do
  end function matrix

  subroutine check(right, what)
    logical, intent(in) :: right
    character(len=*), intent(in) :: what
    checks = checks + 1
    if (right) return
    failures = failures + 1
    print '(a,i0,2a)', 'FAILED: rank ', me, ': ', what
  end subroutine check

  ! Only the section has changed, and it has the expected content.
  subroutine check_matrix(m, expected, what)
    integer, intent(in) :: m(n, n), expected(n, n)
    character(len=*), intent(in) :: what
    call check(all(m == expected), what)
  end subroutine check_matrix
end module sections_kit

program sections
  use sections_kit
  implicit none
  integer :: ierror
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, peers)
  next = mod(me + 1, peers)
  before = mod(me + peers - 1, peers)
  call blocking
  call nonblocking
  call derived_types
  call other_datatypes
  call collectives
  call intercommunicators
  call vectors
  call reductions
  call pending_reductions
  call neighbours
  call persistent
  call windows
  call files
  call packing
  call partitions
  call large_counts
  call addresses
  call errors
  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  call MPI_Finalize()
  if (failures /= 0) error stop 1
  if (me == 0) print '(a,i0,a)', 'ok ', checks, ' checks'

contains

  subroutine blocking
    integer :: a(n, n), b(n, n), expected(n, n), line(3 * n), got(n), other(n, n), i, count
    integer :: deep(3, 4, 5, 2), deep_got(3, 4, 5, 2)
    type(MPI_Status) :: status
    a = matrix(me)
    other = matrix(before)
    ! a row, whose stride is a column
    b = -1
    call MPI_Sendrecv(a(3, :), n, MPI_INTEGER, next, 1, b(:, 2), n, MPI_INTEGER, before, 1, MPI_COMM_WORLD, status)
    expected = -1
    expected(:, 2) = other(3, :)
    call check_matrix(b, expected, 'a row into a column')
    call MPI_Get_count(status, MPI_INTEGER, count)
    call check(count == n, 'how many came')
    ! two dimensions, both with gaps, one backward
    b = -1
    call MPI_Sendrecv(a(1:7:2, 8:2:-3), 12, MPI_INTEGER, next, 2, b(8:2:-2, 1:7:3), 12, MPI_INTEGER, before, 2, &
        MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    expected = -1
    expected(8:2:-2, 1:7:3) = other(1:7:2, 8:2:-3)
    call check_matrix(b, expected, 'gaps in both dimensions')
    ! less than the section
    b = -1
    got = -1
    call MPI_Sendrecv(a(1:7:2, 1:8:2), 6, MPI_INTEGER, next, 3, got, n, MPI_INTEGER, before, 3, MPI_COMM_WORLD, status)
    call check(all(got(1:4) == other(1:7:2, 1)) .and. all(got(5:6) == other(1:3:2, 3)) .and. all(got(7:) == -1), &
        'a part of a section')
    ! a receive that is shorter than its buffer
    line = -1
    call MPI_Sendrecv(a(:, 1), 5, MPI_INTEGER, next, 4, line(1::3), n, MPI_INTEGER, before, 4, MPI_COMM_WORLD, status)
    call check(all(line(1:13:3) == other(1:5, 1)) .and. count_of(line, -1) == 3 * n - 5, 'a short message')
    ! four dimensions
    deep = reshape([(me * 1000 + i, i = 1, size(deep))], shape(deep))
    deep_got = -1
    call MPI_Sendrecv(deep(1:3:2, 2:4, 5:1:-2, 2:1:-1), 36, MPI_INTEGER, next, 5, &
        deep_got(1:3:2, 1:3, 1:5:2, 1:2), 36, MPI_INTEGER, before, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    deep = deep + (before - me) * 1000
    call check(all(deep_got(1:3:2, 1:3, 1:5:2, 1:2) == deep(1:3:2, 2:4, 5:1:-2, 2:1:-1)) .and. &
        all(deep_got(2, :, :, :) == -1), 'four dimensions')
    ! in place of the sent data
    b = matrix(me)
    call MPI_Sendrecv_replace(b(2, 1:8:2), 4, MPI_INTEGER, next, 6, before, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    expected = matrix(me)
    expected(2, 1:8:2) = other(2, 1:8:2)
    call check_matrix(b, expected, 'replaced')
    ! sections without elements
    call MPI_Sendrecv(a(1:0, :), 0, MPI_INTEGER, next, 7, b(3:2:1, 1), 0, MPI_INTEGER, before, 7, MPI_COMM_WORLD, status)
    ! an array whose size the callee does not know
    call assumed_size(a, got)
    call check(all(got == other(:, 1)), 'assumed size')
  end subroutine blocking

  subroutine assumed_size(sent, received)
    integer, intent(in) :: sent(*)
    integer, intent(out) :: received(*)
    call MPI_Sendrecv(sent, n, MPI_INTEGER, next, 8, received, n, MPI_INTEGER, before, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine assumed_size

  integer function count_of(array, value)
    integer, intent(in) :: array(:), value
    count_of = count(array == value)
  end function count_of

  subroutine nonblocking
    integer, asynchronous :: a(n, n), b(n, n)
    integer :: expected(n, n), other(n, n), k
    type(MPI_Request) :: requests(8)
    a = matrix(me)
    b = -1
    expected = -1
    other = matrix(before)
    do k = 1, 4 ! all at once: the datatypes of the sections are freed before the messages arrive
      call MPI_Irecv(b(k, 1:8:2), 4, MPI_INTEGER, before, k, MPI_COMM_WORLD, requests(k))
      expected(k, 1:8:2) = other(2:8:2, k)
    end do
    do k = 1, 4
      call MPI_Isend(a(2:8:2, k), 4, MPI_INTEGER, next, k, MPI_COMM_WORLD, requests(4 + k))
    end do
    call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE)
    call MPI_F_sync_reg(b)
    call check_matrix(b, expected, 'four pending messages')
    b = -1
    expected = -1
    call MPI_Isendrecv(a(8:1:-1, 4), n, MPI_INTEGER, next, 1, b(5, :), n, MPI_INTEGER, before, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    call MPI_F_sync_reg(b)
    expected(5, :) = other(8:1:-1, 4)
    call check_matrix(b, expected, 'Isendrecv')
  end subroutine nonblocking

  subroutine derived_types
    type(pair) :: a(6), b(6)
    integer :: i
    a = [(pair(i + 100 * me, i + 0.5d0), i = 1, 6)]
    b = pair(-1, -1d0)
    call MPI_Sendrecv(a%value, 6, MPI_DOUBLE_PRECISION, next, 1, b%value, 6, MPI_DOUBLE_PRECISION, before, 1, &
        MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(b%value == a%value) .and. all(b%key == -1), 'a component')
    call MPI_Sendrecv(a(6:2:-2)%key, 3, MPI_INTEGER, next, 2, b(1:5:2)%key, 3, MPI_INTEGER, before, 2, &
        MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(b(1:5:2)%key == [(i + 100 * before, i = 6, 2, -2)]) .and. all(b(2:6:2)%key == -1), 'every other component')
  end subroutine derived_types

  ! The datatype decides, applied to the elements in order.
  subroutine other_datatypes
    integer :: a(n, n), other(n, n), got(n), expected(n, n), b(n, n)
    complex(kind(1d0)) :: z(6)
    double precision :: parts(6)
    type(MPI_Datatype) :: three, every_other
    type(MPI_Request) :: request
    integer :: i
    a = matrix(me)
    other = matrix(before)
    call MPI_Type_contiguous(3, MPI_INTEGER, three)
    call MPI_Type_commit(three)
    got = -1
    call MPI_Sendrecv(a(1:8:2, 2:8:3), 2, three, next, 1, got, 6, MPI_INTEGER, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(got(1:4) == other(1:8:2, 2)) .and. all(got(5:6) == other(1:3:2, 5)), 'elements of three')
    call MPI_Type_vector(3, 1, 2, MPI_INTEGER, every_other)
    call MPI_Type_commit(every_other)
    got = -1
    call MPI_Sendrecv(a(2, :), 1, every_other, next, 2, got, 3, MPI_INTEGER, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(got(1:3) == other(2, 1:5:2)), 'a vector over a row')
    b = -1
    call MPI_Irecv(b(2, :), 1, every_other, before, 3, MPI_COMM_WORLD, request)
    b(2, 2) = 7 ! between the received elements
    call MPI_Send(a(2, 1:3), 3, MPI_INTEGER, next, 3, MPI_COMM_WORLD)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_F_sync_reg(b)
    expected = -1
    expected(2, 1:5:2) = other(2, 1:3)
    expected(2, 2) = 7
    call check_matrix(b, expected, 'a vector into a row, pending')
    z = [(cmplx(i, me, kind(1d0)), i = 1, 6)]
    call MPI_Sendrecv(z(1:6:2), 6, MPI_DOUBLE_PRECISION, next, 4, parts, 6, MPI_DOUBLE_PRECISION, before, 4, &
        MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(parts(1:6:2) == [1d0, 3d0, 5d0]) .and. all(parts(2:6:2) == before), 'two numbers of each element')
    call MPI_Type_free(three)
    call MPI_Type_free(every_other)
  end subroutine other_datatypes

  subroutine collectives
    integer :: a(n, n), b(n, 4 * peers), expected(n, 4 * peers), root, r
    type(MPI_Request) :: request
    root = peers - 1
    a = merge(matrix(root), -1, me == root)
    call MPI_Bcast(a(2, 1:8:3), 3, MPI_INTEGER, root, MPI_COMM_WORLD)
    call MPI_Bcast(a(3:8:2, 2:8:2), 12, MPI_INTEGER, root, MPI_COMM_WORLD)
    call MPI_Ibcast(a(1:7:3, 1:3:2), 6, MPI_INTEGER, root, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_F_sync_reg(a)
    call check(all(a(2, 1:8:3) == [(number(root, 2, r), r = 1, 8, 3)]), 'Bcast')
    call check(a(3, 2) == number(root, 3, 2) .and. a(7, 8) == number(root, 7, 8), 'Bcast of two dimensions')
    call check(a(7, 3) == number(root, 7, 3) .and. (me == root .or. a(8, 8) == -1), 'Ibcast')
    a = matrix(me)
    ! two elements of each, and blocks that are columns with gaps
    b = -1
    expected = -1
    call MPI_Gather(a(1:3:2, 4), 2, MPI_INTEGER, b(5, 1:2 * peers), 2, MPI_INTEGER, root, MPI_COMM_WORLD)
    if (me == root) expected(5, 1:2 * peers) = [(number(r, 1, 4), number(r, 3, 4), r = 0, peers - 1)]
    call check(all(b == expected), 'Gather')
    b = -1
    expected = -1
    call MPI_Allgather(a(1:8:2, 1:5:4), 8, MPI_INTEGER, b(1:8:2, 1:4 * peers:2), 8, MPI_INTEGER, MPI_COMM_WORLD)
    do r = 0, peers - 1
      expected(1:8:2, 4 * r + 1) = [number(r, 1, 1), number(r, 3, 1), number(r, 5, 1), number(r, 7, 1)]
      expected(1:8:2, 4 * r + 3) = [number(r, 1, 5), number(r, 3, 5), number(r, 5, 5), number(r, 7, 5)]
    end do
    call check(all(b == expected), 'Allgather')
    b = -1
    expected = -1
    call MPI_Iallgather(a(2, 1:3:2), 2, MPI_INTEGER, b(4:3:-1, 1:peers), 2, MPI_INTEGER, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_F_sync_reg(b)
    do r = 0, peers - 1
      expected(4:3:-1, r + 1) = [number(r, 2, 1), number(r, 2, 3)]
    end do
    call check(all(b == expected), 'Iallgather')
    b = -1
    expected = -1
    call MPI_Scatter(a(6, 1:2 * peers), 2, MPI_INTEGER, b(8:2:-6, 1), 2, MPI_INTEGER, root, MPI_COMM_WORLD)
    expected(8:2:-6, 1) = [number(root, 6, 2 * me + 1), number(root, 6, 2 * me + 2)]
    call check(all(b == expected), 'Scatter')
    b = -1
    expected = -1
    call MPI_Alltoall(a(3, 1:peers), 1, MPI_INTEGER, b(7, 1:2 * peers:2), 1, MPI_INTEGER, MPI_COMM_WORLD)
    expected(7, 1:2 * peers:2) = [(number(r, 3, me + 1), r = 0, peers - 1)]
    call check(all(b == expected), 'Alltoall')
    b = -1
    expected = -1
    b(2, me + 1) = me
    expected(2, 1:peers) = [(r, r = 0, peers - 1)]
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b(2, 1:peers), 1, MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(b == expected), 'Allgather in place')
  end subroutine collectives

  ! The root of an intercommunicator is a rank of the other group: the process of that rank in its own group is not a
  ! root, and its root arguments are ignored.
  subroutine intercommunicators
    integer :: a(n, n), b(n, n), expected(n, n), group, groups(0:1), root, r
    type(MPI_Comm) :: own, between
    group = mod(me, 2)
    call MPI_Comm_split(MPI_COMM_WORLD, group, me, own)
    call MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - group, 17, between)
    call MPI_Comm_size(own, groups(group))
    call MPI_Comm_remote_size(between, groups(1 - group))
    root = 0
    if (group == 0) root = merge(MPI_ROOT, MPI_PROC_NULL, me == 0)
    a = matrix(me)
    b = -1
    expected = -1
    if (group == 0) then
      call MPI_Gather(a(1, 1:3:2), 2, MPI_INTEGER, b(3, 1:2 * groups(1)), 2, MPI_INTEGER, root, between)
      call MPI_Scatter(a(6, 1:4 * groups(1):2), 2, MPI_INTEGER, b(8:2:-6, 1), 2, MPI_INTEGER, root, between)
      if (me == 0) expected(3, 1:2 * groups(1)) = [(number(r, 5, 2), number(r, 7, 2), r = 1, peers - 1, 2)]
    else
      call MPI_Gather(a(5:7:2, 2), 2, MPI_INTEGER, b(1:7:2, 1:3:2), -1, MPI_DATATYPE_NULL, root, between)
      call MPI_Scatter(a(1:7:2, 1:3:2), -1, MPI_DATATYPE_NULL, b(8:2:-6, 1), 2, MPI_INTEGER, root, between)
      expected(8:2:-6, 1) = [number(0, 6, 2 * me - 1), number(0, 6, 2 * me + 1)]
    end if
    call check(all(b == expected), 'Gather and Scatter between two groups')
    call MPI_Comm_free(between)
    call MPI_Comm_free(own)
  end subroutine intercommunicators

  subroutine vectors
    integer :: a(n, n), b(n, 3 * peers), expected(n, 3 * peers), counts(peers), places(peers), r
    type(MPI_Datatype) :: types(peers)
    type(MPI_Request) :: request
    a = matrix(me)
    counts = 1
    places = [(2 * r, r = peers - 1, 0, -1)]
    b = -1
    expected = -1
    call MPI_Allgatherv(a(4, 2), 1, MPI_INTEGER, b(3, :), counts, places, MPI_INTEGER, MPI_COMM_WORLD)
    do r = 0, peers - 1
      expected(3, places(r + 1) + 1) = number(r, 4, 2)
    end do
    call check(all(b == expected), 'Allgatherv')
    b = -1
    call MPI_Iallgatherv(a(4, 2), 1, MPI_INTEGER, b(3:3, ::1), counts, places, MPI_INTEGER, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_F_sync_reg(b)
    call check(all(b == expected), 'Iallgatherv')
    counts = 2
    places = [(2 * r, r = 0, peers - 1)]
    b = -1
    expected = -1
    call MPI_Alltoallv(a(1:3:2, 1:peers), counts, places, MPI_INTEGER, b(8:6:-2, 1:peers), counts, places, MPI_INTEGER, &
        MPI_COMM_WORLD)
    do r = 0, peers - 1
      expected(8:6:-2, r + 1) = [number(r, 1, me + 1), number(r, 3, me + 1)]
    end do
    call check(all(b == expected), 'Alltoallv')
    types = MPI_INTEGER
    places = places * 4
    b = -1
    call MPI_Alltoallw(a(1:3:2, 1:peers), counts, places, types, b(8:6:-2, 1:peers), counts, places, types, MPI_COMM_WORLD)
    call check(all(b == expected), 'Alltoallw')
    b = -1
    call MPI_Ialltoallw(a(1:3:2, 1:peers), counts, places, types, b(8:6:-2, 1:peers), counts, places, types, &
        MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_F_sync_reg(b)
    call check(all(b == expected), 'Ialltoallw')
    b = -1
    expected = -1
    counts = 1
    places = [(r, r = 0, peers - 1)]
    call MPI_Gatherv(a(2, 2:2), 1, MPI_INTEGER, b(6, ::3), counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD)
    if (me == 0) expected(6, ::3) = [(number(r, 2, 2), r = 0, peers - 1)]
    call check(all(b == expected), 'Gatherv')
    b = -1
    expected = -1
    call MPI_Scatterv(a(5, ::2), counts, places, MPI_INTEGER, b(2, 3), 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    expected(2, 3) = number(0, 5, 2 * me + 1)
    call check(all(b == expected), 'Scatterv')
  end subroutine vectors

  subroutine reductions
    integer :: a(n, n), b(n, n), expected(n, n), total(n, n), r, counts(peers)
    a = matrix(me)
    total = 0
    do r = 0, peers - 1
      total = total + matrix(r)
    end do
    b = -1
    expected = -1
    call MPI_Allreduce(a(1:7:2, 2:8:3), b(8:1:-2, 1:3), 12, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    expected(8:1:-2, 1:3) = total(1:7:2, 2:8:3)
    call check_matrix(b, expected, 'Allreduce')
    b = matrix(me)
    expected = matrix(me)
    call MPI_Allreduce(MPI_IN_PLACE, b(3, 1:8:2), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    expected(3, 1:8:2) = total(3, 1:8:2)
    call check_matrix(b, expected, 'Allreduce in place')
    b = -1
    expected = -1
    call MPI_Reduce(a(2, :), b(7, :), n, MPI_INTEGER, MPI_SUM, peers - 1, MPI_COMM_WORLD)
    if (me == peers - 1) expected(7, :) = total(2, :)
    call check_matrix(b, expected, 'Reduce')
    b = -1
    expected = -1
    call MPI_Scan(a(2, :), b(7, :), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    expected(7, :) = a(2, :)
    call check_matrix(b, expected, 'Scan')
    b = -1
    expected = -1
    counts = 2
    call MPI_Reduce_scatter(a(1, 1:2 * peers), b(1, 1:3:2), counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    expected(1, 1:3:2) = total(1, 2 * me + 1:2 * me + 2)
    call check_matrix(b, expected, 'Reduce_scatter')
    call MPI_Reduce_scatter_block(a(1, 1:2 * peers), b(1, 1:3:2), 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check_matrix(b, expected, 'Reduce_scatter_block')
    b = 1
    expected = 1
    call MPI_Reduce_local(a(4, 1:8:2), b(4, 2:8:2), 4, MPI_INTEGER, MPI_SUM)
    expected(4, 2:8:2) = a(4, 1:8:2) + 1
    call check_matrix(b, expected, 'Reduce_local')
  end subroutine reductions

  subroutine pending_reductions
    integer, asynchronous :: a(n, n), b(n, n)
    integer :: expected(n, n), total(n, n), r, index
    logical :: flag
    type(MPI_Request) :: requests(3)
    a = matrix(me)
    total = 0
    do r = 0, peers - 1
      total = total + matrix(r)
    end do
    b = -1
    expected = -1
    call MPI_Iallreduce(a(1, 1:8:2), b(2, 1:8:2), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1))
    call MPI_Ireduce(a(3, :), b(4, :), n, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, requests(2))
    call MPI_Iscan(a(5, 8:1:-1), b(6, :), n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, requests(3))
    b(2, 2) = 5 ! between the elements of a pending operation, which must not touch it
    expected(2, 2) = 5
    expected(2, 1:8:2) = total(1, 1:8:2)
    if (me == 0) expected(4, :) = total(3, :)
    expected(6, :) = a(5, 8:1:-1)
    call MPI_Waitany(3, requests, index, MPI_STATUS_IGNORE)
    call check(index >= 1 .and. index <= 3, 'index of a completed reduction')
    call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE)
    call MPI_F_sync_reg(b)
    call check_matrix(b, expected, 'three pending reductions')
    b(2, 1:8:2) = -2
    call MPI_Iallreduce(a(1, 1:8:2), b(2, 1:8:2), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1))
    flag = .false.
    do while (.not. flag)
      call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE)
    end do
    call MPI_F_sync_reg(b)
    call check_matrix(b, expected, 'a reduction that is tested')
    call check(requests(1) == MPI_REQUEST_NULL, 'the request is gone')
  end subroutine pending_reductions

  subroutine neighbours
    integer :: a(n, n), b(n, n), expected(n, n), counts(2), r
    integer(MPI_ADDRESS_KIND) :: places(2)
    type(MPI_Comm) :: ring
    type(MPI_Datatype) :: types(2)
    type(MPI_Request) :: request
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [peers], [.true.], .false., ring)
    a = matrix(me)
    b = -1
    expected = -1
    call MPI_Neighbor_allgather(a(2, 1:3:2), 2, MPI_INTEGER, b(5, 1:8:2), 2, MPI_INTEGER, ring)
    expected(5, 1:8:2) = [number(before, 2, 1), number(before, 2, 3), number(next, 2, 1), number(next, 2, 3)]
    call check_matrix(b, expected, 'Neighbor_allgather')
    b = -1
    expected = -1
    counts = 2
    places = [0, 8]
    types = MPI_INTEGER
    call MPI_Neighbor_alltoallw(a(3, 1:8:2), counts, places, types, b(1:8:2, 4), counts, places, types, ring)
    expected(1:8:2, 4) = [(number(merge(before, next, r < 3), 3, merge(2 * r + 3, 2 * r - 5, r < 3)), r = 1, 4)]
    if (peers > 2) call check_matrix(b, expected, 'Neighbor_alltoallw')
    expected = b
    b = -1
    call MPI_Ineighbor_alltoallw(a(3, 1:8:2), counts, places, types, b(1:8:2, 4), counts, places, types, ring, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_F_sync_reg(b)
    if (peers > 2) call check_matrix(b, expected, 'Ineighbor_alltoallw')
    call check(b(1, 4) /= -1 .and. b(2, 4) == -1, 'Ineighbor_alltoallw leaves gaps')
    call MPI_Comm_free(ring)
  end subroutine neighbours

  subroutine persistent
    integer, asynchronous :: a(n, n), b(n, n)
    integer :: expected(n, n), turn
    type(MPI_Request) :: requests(2), reduction
    call MPI_Send_init(a(2, 1:8:2), 4, MPI_INTEGER, next, 9, MPI_COMM_WORLD, requests(1))
    call MPI_Recv_init(b(1:8:2, 3), 4, MPI_INTEGER, before, 9, MPI_COMM_WORLD, requests(2))
    call MPI_Allreduce_init(a(3, 1:8:2), b(5, 2:8:2), 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, reduction)
    do turn = 1, 3
      a = turn
      b = -1
      expected = -1
      call MPI_Startall(2, requests)
      call MPI_Start(reduction)
      call MPI_Wait(reduction, MPI_STATUS_IGNORE)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
      call MPI_F_sync_reg(b)
      expected(1:8:2, 3) = turn
      expected(5, 2:8:2) = turn * peers
      call check_matrix(b, expected, 'persistent')
    end do
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
    call MPI_Request_free(reduction)
  end subroutine persistent

  subroutine windows
    integer, asynchronous :: memory(n), a(n, n), b(n, n)
    integer :: expected(n, n)
    type(MPI_Win) :: win
    type(MPI_Request) :: request
    memory = 0
    a = matrix(me)
    b = -1
    expected = -1
    call MPI_Win_create(memory, int(4 * n, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_fence(0, win)
    call MPI_Put(a(2, 1:8:2), 4, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    call MPI_Accumulate(a(2, 1:8:2), 4, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, MPI_SUM, win)
    call MPI_Win_fence(0, win)
    call MPI_Get(b(3, 1:8:2), 4, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win)
    call MPI_Win_fence(0, win)
    expected(3, 1:8:2) = 2 * a(2, 1:8:2)
    call check_matrix(b, expected, 'Put, Accumulate, Get')
    call MPI_Get_accumulate(a(2, 1:8:2), 4, MPI_INTEGER, b(7:1:-2, 8), 4, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 4, &
        MPI_INTEGER, MPI_NO_OP, win)
    call MPI_Win_fence(0, win)
    expected(7:1:-2, 8) = 2 * a(2, 1:8:2)
    call check_matrix(b, expected, 'Get_accumulate')
    call MPI_Win_lock_all(0, win)
    call MPI_Rget(b(8:1:-2, 5), 4, MPI_INTEGER, me, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Fetch_and_op(a(1:1, 1:8:2), b(4, 1:8:2), MPI_INTEGER, me, 7_MPI_ADDRESS_KIND, MPI_SUM, win)
    call MPI_Win_unlock_all(win)
    call MPI_F_sync_reg(b)
    expected(8:1:-2, 5) = memory(1:4)
    expected(4, 1) = 0
    call check_matrix(b, expected, 'Rget, Fetch_and_op')
    call check(memory(8) == a(1, 1), 'what Fetch_and_op adds')
    call MPI_Win_free(win)
  end subroutine windows

  subroutine files
    integer, asynchronous :: a(n, n), b(n, n)
    integer :: expected(n, n), length
    integer(MPI_OFFSET_KIND) :: place
    character(len=64) :: name
    type(MPI_File) :: file
    type(MPI_Request) :: request
    type(MPI_Info) :: info
    if (me == 0) then
      call system_clock(length)
      write (name, '(a,i0)') 'sections-', length
    end if
    call MPI_Bcast(name, len(name), MPI_CHARACTER, 0, MPI_COMM_WORLD)
    info = MPI_INFO_NULL
    call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, info, file)
    a = matrix(me)
    b = -1
    expected = -1
    place = me * 1000
    call MPI_File_write_at(file, place, a(2:8:2, 1:3:2), 8, MPI_INTEGER, MPI_STATUS_IGNORE)
    call MPI_File_read_at(file, place, b(3, :), n, MPI_INTEGER, MPI_STATUS_IGNORE)
    expected(3, :) = reshape(a(2:8:2, 1:3:2), [n])
    call check_matrix(b, expected, 'File_write_at, File_read_at')
    call MPI_File_iread_at(file, place, b(1:8:2, 5:8:2), 8, MPI_INTEGER, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_F_sync_reg(b)
    expected(1:8:2, 5:8:2) = a(2:8:2, 1:3:2)
    call check_matrix(b, expected, 'File_iread_at')
    call MPI_File_write_at_all_begin(file, place, a(4, :), n, MPI_INTEGER)
    call MPI_File_write_at_all_end(file, a(4, :), MPI_STATUS_IGNORE)
    call MPI_File_read_at_all(file, place, b(8:1:-1, 2), n, MPI_INTEGER, MPI_STATUS_IGNORE)
    expected(8:1:-1, 2) = a(4, :)
    call check_matrix(b, expected, 'File_write_at_all_begin')
    call MPI_File_close(file)
  end subroutine files

  subroutine packing
    integer :: a(n, n), b(n, n), expected(n, n), position, bytes
    integer(MPI_ADDRESS_KIND) :: place, room
    character :: packed(256), spread(2, 256)
    a = matrix(me)
    b = -1
    expected = -1
    packed = ' '
    position = 0
    call MPI_Pack(a(1:8:3, 1:8:4), 6, MPI_INTEGER, packed, 256, position, MPI_COMM_WORLD)
    bytes = position
    spread(1, :) = packed
    position = 0
    call MPI_Unpack(spread(1, :), bytes, position, b(8:3:-1, 2), 6, MPI_INTEGER, MPI_COMM_WORLD)
    expected(8:3:-1, 2) = reshape(a(1:8:3, 1:8:4), [6])
    call check_matrix(b, expected, 'Pack, Unpack')
    room = 256
    place = 0
    call MPI_Pack_external('external32', a(3, 1:8:2), 4, MPI_INTEGER, spread(2, :), room, place)
    room = place
    place = 0
    call MPI_Unpack_external('external32', spread(2, :), room, place, b(4, 1:8:2), 4, MPI_INTEGER)
    expected(4, 1:8:2) = a(3, 1:8:2)
    call check_matrix(b, expected, 'Pack_external, Unpack_external')
  end subroutine packing

  subroutine partitions
    integer, asynchronous :: a(n, n), b(n, n)
    integer :: expected(n, n), length
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: library
    type(MPI_Request) :: requests(2)
    call MPI_Get_library_version(library, length)
    if (index(library, 'Open MPI v5') == 1) return ! uses the size of a datatype as its extent there
    a = matrix(me)
    b = -1
    expected = -1
    call MPI_Psend_init(a(1:8:2, 1:4), 4, 4_MPI_COUNT_KIND, MPI_INTEGER, next, 3, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
    call MPI_Precv_init(b(2, 1:8), 2, 8_MPI_COUNT_KIND / 2, MPI_INTEGER, before, 4, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2))
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
    call MPI_Psend_init(a(1, 1:8:2), 4, 1_MPI_COUNT_KIND, MPI_INTEGER, next, 5, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1))
    call MPI_Precv_init(b(2:8:2, 3), 2, 2_MPI_COUNT_KIND, MPI_INTEGER, before, 5, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2))
    call MPI_Startall(2, requests)
    call MPI_Pready_range(0, 3, requests(1))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call MPI_F_sync_reg(b)
    expected(2:8:2, 3) = [number(before, 1, 1), number(before, 1, 3), number(before, 1, 5), number(before, 1, 7)]
    call check_matrix(b, expected, 'partitions')
    call MPI_Request_free(requests(1))
    call MPI_Request_free(requests(2))
  end subroutine partitions

  subroutine large_counts
    integer :: a(n, n), b(n, n), expected(n, n), other(n, n)
    integer(MPI_COUNT_KIND), parameter :: four = 4
    a = matrix(me)
    other = matrix(before)
    b = -1
    expected = -1
    call MPI_Sendrecv(a(3, 1:8:2), four, MPI_INTEGER, next, 1, b(1:8:2, 2), four, MPI_INTEGER, before, 1, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE)
    expected(1:8:2, 2) = other(3, 1:8:2)
    call MPI_Allreduce(a(3, 1:8:2), b(2:8:2, 4), four, MPI_INTEGER, MPI_MIN, MPI_COMM_WORLD)
    expected(2:8:2, 4) = [number(0, 3, 1), number(0, 3, 3), number(0, 3, 5), number(0, 3, 7)]
    call check_matrix(b, expected, 'large counts')
  end subroutine large_counts

  subroutine addresses
    integer :: a(n, n), size
    integer(MPI_ADDRESS_KIND) :: first, second
    call MPI_Get_address(a(1, 1), first)
    call MPI_Get_address(a(3:8:2, 2), second)
    call check(MPI_Aint_diff(second, first) == 4 * (n + 2), 'addresses')
    call MPI_Sizeof(a(1:8:2, 1), size)
    call check(size == 4, 'Sizeof')
  end subroutine addresses

  ! A count larger than the section must be refused before memory is touched.
  subroutine errors
    integer :: a(n, n), code, class
    type(MPI_Comm) :: comm
    call MPI_Comm_dup(MPI_COMM_SELF, comm)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
    call MPI_Send(a(1, 1:8:2), 5, MPI_INTEGER, MPI_PROC_NULL, 1, comm, code)
    call MPI_Error_class(code, class)
    call check(class == MPI_ERR_COUNT, 'more than the section has')
    call MPI_Comm_free(comm)
  end subroutine errors
end program sections
