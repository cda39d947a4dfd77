! A program whose INTEGERs have 8 bytes (-fdefault-integer-8). It passes INTEGER*4 to MPI, as MPI libraries for INTEGERs
! of 4 bytes require. The common blocks of mpif.h then have another size.
program wide_integers
   implicit none
   include 'mpif.h'
   integer(4) :: ierr, rank, ranks, sum, world, kind, add, one, zero, request(2), graph, none, n, m, place
   logical(4) :: no, weighted
   integer(8) :: address
   world = MPI_COMM_WORLD
   kind = MPI_INTEGER4
   add = MPI_SUM
   none = MPI_INFO_NULL
   one = 1
   zero = 0
   no = .false.
   call MPI_INIT(ierr)
   call MPI_COMM_RANK(world, rank, ierr)
   call MPI_COMM_SIZE(world, ranks, ierr)
   sum = rank + 1
   call MPI_ALLREDUCE(MPI_IN_PLACE, sum, one, kind, add, world, ierr)
   if (sum /= ranks*(ranks + 1)/2) error stop 'MPI_IN_PLACE'
   call MPI_SENDRECV(sum, one, kind, rank, zero, n, one, kind, rank, zero, world, MPI_STATUS_IGNORE, ierr)
   if (n /= sum) error stop 'MPI_STATUS_IGNORE'
   call MPI_IRECV(m, one, kind, rank, zero, world, request(1), ierr)
   call MPI_ISEND(rank, one, kind, rank, zero, world, request(2), ierr)
   n = 2
   call MPI_WAITALL(n, request, MPI_STATUSES_IGNORE, ierr)
   if (m /= rank) error stop 'MPI_STATUSES_IGNORE'
   call MPI_GET_ADDRESS(MPI_BOTTOM, address, ierr)
   if (address /= 0) error stop 'MPI_BOTTOM'
   place = mod(rank + 1, ranks)
   call MPI_DIST_GRAPH_CREATE_ADJACENT(world, one, place, MPI_UNWEIGHTED, one, place, MPI_UNWEIGHTED, none, no, graph, ierr)
   call MPI_DIST_GRAPH_NEIGHBORS_COUNT(graph, n, m, weighted, ierr)
   if (n /= 1 .or. weighted) error stop 'MPI_UNWEIGHTED'
   call MPI_COMM_FREE(graph, ierr)
   call MPI_DIST_GRAPH_CREATE_ADJACENT(world, zero, place, MPI_WEIGHTS_EMPTY, zero, place, MPI_WEIGHTS_EMPTY, none, no, graph, ierr)
   call MPI_DIST_GRAPH_NEIGHBORS_COUNT(graph, n, m, weighted, ierr)
   if (n /= 0 .or. .not. weighted) error stop 'MPI_WEIGHTS_EMPTY'
   call MPI_COMM_FREE(graph, ierr)
   call MPI_FINALIZE(ierr)
   if (rank == 0) print '(a)', 'ok'
end program
