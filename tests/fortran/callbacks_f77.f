! Callbacks and attributes as programs in Fortran 77 have them: mpif.h and
! functions of MPI-1, also one that MPI 3 has removed.
! ranks: 2
! with: checks.c
      program callbacks_f77
      implicit none
      include 'mpif.h'
      integer ierr

      call MPI_INIT(ierr)
      call check_begin()
      call reductions()
      call handlers()
      call attributes()
      call predefined()
      call check_end()
      end

      subroutine reductions()
      implicit none
      include 'mpif.h'
      external lngest
      integer ierr, op, rank, ranks
      double precision mine(2), all(2)

      call check_name('reductions')
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierr)
      call MPI_OP_CREATE(lngest, .true., op, ierr)
      call check_ok(ierr, 'MPI_OP_CREATE')
      mine(1) = rank + 1
      mine(2) = -(rank + 1)
      call MPI_ALLREDUCE(mine, all, 2, MPI_DOUBLE_PRECISION, op,
     &                   MPI_COMM_WORLD, ierr)
      call check_ok(ierr, 'MPI_ALLREDUCE')
      call check_equal(int(all(1)), ranks, 'the first')
      call check_equal(int(all(2)), -ranks, 'the second')
      call MPI_OP_FREE(op, ierr)
      call check_equal(op, MPI_OP_NULL, 'freed')
      end

      subroutine lngest(in, inout, count, type)
      implicit none
      include 'mpif.h'
      integer count, type, i
      double precision in(count), inout(count)
      if (type .ne. MPI_DOUBLE_PRECISION) return
      do 10 i = 1, count
         if (abs(in(i)) .gt. abs(inout(i))) inout(i) = in(i)
 10   continue
      end

      subroutine handlers()
      implicit none
      include 'mpif.h'
      external caught
      integer ierr, comm, handlr, old, class
      integer times, where, code
      common /seen/ times, where, code

      call check_name('error handlers')
      times = 0
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_ERRHANDLER_CREATE(caught, handlr, ierr)
      call check_ok(ierr, 'MPI_ERRHANDLER_CREATE')
      call MPI_COMM_SET_ERRHANDLER(comm, handlr, ierr)
      call MPI_COMM_GET_ERRHANDLER(comm, old, ierr)
      call check_equal(old, handlr, 'the handler')
      call MPI_ERRHANDLER_FREE(old, ierr)
      call MPI_SEND(ierr, 1, MPI_INTEGER, -77, 0, comm, ierr)
      call check_equal(times, 1, 'called')
      call check_equal(where, comm, 'with its communicator')
      call MPI_ERROR_CLASS(code, class, ierr)
      call check_equal(class, MPI_ERR_RANK, 'with its code')
      call MPI_ERRHANDLER_FREE(handlr, ierr)
      call MPI_COMM_FREE(comm, ierr)
      end

      subroutine caught(comm, error)
      implicit none
      integer comm, error
      integer times, where, code
      common /seen/ times, where, code
      times = times + 1
      where = comm
      code = error
      end

      subroutine attributes()
      implicit none
      include 'mpif.h'
      external cpyatt, delatt
      integer ierr, comm, other, keyval, val
      logical flag
      integer copies, gone, state, freed
      common /attrs/ copies, gone, state
      common /tool/ freed

      call check_name('attributes')
      copies = 0
      gone = 0
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_KEYVAL_CREATE(cpyatt, delatt, keyval, 1234, ierr)
      call MPI_ATTR_PUT(comm, keyval, -5, ierr)
      call MPI_ATTR_GET(comm, keyval, val, flag, ierr)
      call check_true(flag, 'set')
      call check_equal(val, -5, 'its value')
      call MPI_COMM_DUP(comm, other, ierr)
      call check_equal(copies, 1, 'copied')
      call check_equal(state, 1234, 'with its state')
      call MPI_ATTR_GET(other, keyval, val, flag, ierr)
      call check_true(flag .and. val .eq. -10, 'twice as much')
      call MPI_ATTR_PUT(other, keyval, 99, ierr)
      call check_equal(gone, -10, 'replaced')
      call MPI_ATTR_DELETE(other, keyval, ierr)
      call check_equal(ierr, 77, 'what the function says')
      call MPI_ATTR_PUT(comm, keyval, 1, ierr)
      call check_equal(gone, -15, 'replaced again')
      call MPI_COMM_DUP(other, comm, ierr)
      call MPI_ATTR_GET(comm, keyval, val, flag, ierr)
      call check_true(.not. flag, '99 is not copied')
      freed = 0
      call MPI_KEYVAL_FREE(keyval, ierr)
      call check_equal(keyval, MPI_KEYVAL_INVALID, 'freed')
      call check_equal(freed, 1, 'by way of the function below')
      end

! In the place of MPI's, as a tool would be.
      subroutine MPI_KEYVAL_FREE(keyval, ierr)
      implicit none
      integer keyval, ierr
      integer freed
      common /tool/ freed
      freed = freed + 1
      call PMPI_KEYVAL_FREE(keyval, ierr)
      end

! Doubles what it copies; 99 stays.
      subroutine cpyatt(comm, keyval, extra, in, out, flag, ierr)
      implicit none
      include 'mpif.h'
      integer comm, keyval, extra, in, out, ierr
      logical flag
      integer copies, gone, state
      common /attrs/ copies, gone, state
      copies = copies + 1
      state = extra
      out = 2*in
      flag = in .ne. 99
      ierr = MPI_SUCCESS
      end

! Sums up what it deletes; 99 stays.
      subroutine delatt(comm, keyval, val, extra, ierr)
      implicit none
      include 'mpif.h'
      integer comm, keyval, val, extra, ierr
      integer copies, gone, state
      common /attrs/ copies, gone, state
      ierr = MPI_SUCCESS
      if (val .eq. 99) then
         ierr = 77
      else
         gone = gone + val
      end if
      end

! A program may call the predefined functions itself.
      subroutine predefined()
      implicit none
      include 'mpif.h'
      integer ierr, val
      integer(kind=MPI_ADDRESS_KIND) in, out, extra
      logical flag

      call check_name('predefined functions')
      ierr = -1
      val = 0
      flag = .false.
      call MPI_DUP_FN(MPI_COMM_WORLD, 1, 2, 33, val, flag, ierr)
      call check_true(flag .and. val .eq. 33, 'MPI_DUP_FN')
      call check_equal(ierr, MPI_SUCCESS, 'its code')
      call MPI_NULL_COPY_FN(MPI_COMM_WORLD, 1, 2, 44, val, flag, ierr)
      call check_true(.not. flag .and. val .eq. 33, 'MPI_NULL_COPY_FN')
      ierr = -1
      call MPI_NULL_DELETE_FN(MPI_COMM_WORLD, 1, 2, 3, ierr)
      call check_equal(ierr, MPI_SUCCESS, 'MPI_NULL_DELETE_FN')
      in = 2
      in = in**50
      out = 0
      extra = 0
      call MPI_COMM_DUP_FN(MPI_COMM_WORLD, 1, extra, in, out, flag,
     &                     ierr)
      call check_true(flag .and. out .eq. in, 'MPI_COMM_DUP_FN')
      call MPI_TYPE_NULL_COPY_FN(MPI_INTEGER, 1, extra, in, out, flag,
     &                           ierr)
      call check_true(.not. flag, 'MPI_TYPE_NULL_COPY_FN')
      end
