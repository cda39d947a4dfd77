"""The limits of the tables: instructions added per iteration, time ratios, start-up.

Raise a limit only with a reason in docs/decisions/.
"""

# Over libraries whose ABI must be converted, MPICH and Open MPI alike. These limits are the goals.
GOALS = {
    "Comm_rank(WORLD)": 12,
    "Comm_rank(dup)": 12,
    "Comm_size(WORLD)": 12,
    "Type_size(INT)": 12,
    "Type_size(derived)": 12,
    "Get_count": 16,
    "Allreduce 8 B SUM": 22,
    "Allreduce 8 B user op (not called)": 22,
    "Reduce_local user op": 40,
    "Sendrecv 8 B, status": 56,
    "Irecv+Isend+Waitall(2), ignore": 89,
    "Irecv+Isend+Waitall(2), statuses": 120,
    "Waitall(64 null), ignore": 486,
}
# Calls without a goal: the limit is what has been reached, so that a slowdown is noticed. Lower it with every gain. The
# counts are the same in every run, so each limit has room for two instructions or two per cent. A comment gives the
# measured value of exceptions. If one of the libraries needs less than the other, its limit is below, in OVER.
REACHED = {
    "Initialized": 8,
    "Group_size": 11,
    "Error_class": 78,
    "Comm_get_attr(TAG_UB)": 82,
    "Barrier": 13,
    "Bcast 8 B": 18,
    "Reduce_local SUM": 20,
    "Sendrecv 8 B, STATUS_IGNORE": 49,
    "Irecv+Isend+Wait+Wait": 143,
    "64 Irecv+64 Isend+Waitall(128)": 4260,
    "Waitall(64 null), statuses": 2530,
    "Testall(64 null)": 509,
    "Test(null), status": 61,
    "Iprobe, nothing there": 34,
    "Startall(2)+Waitall(2)": 129,
    "Put+Win_flush": 37,
    "Pack 8 B": 21,
    "Alltoallw": 270,
    "Type_contiguous+commit+free": 94,
    "Type_create_struct(3)+commit+free": 157,
    "Comm_group+Group_free": 56,
    "Comm_dup+Comm_free": 90,  # 44 to 91 on Open MPI, which reads the clock
}
# Open MPI polls by the clock in these calls, so the counts vary. A call above its limit is counted again.
BY_THE_CLOCK = {"Comm_dup+Comm_free"}
# Limits that replace those above, goals included, for a library that needs less.
OVER = {
    "mpich": {
        "Sendrecv 8 B, STATUS_IGNORE": 47,
        "Sendrecv_c 8 B, STATUS_IGNORE": 47,
        "Irecv+Isend+Wait+Wait": 141,
        "Waitall(64 null), ignore": 420,
        "Waitall(64 null), statuses": 2332,
        "Testall(64 null)": 442,
        "Comm_dup+Comm_free": 67,
    },
    "openmpi": {
        "Initialized": -43,  # 67 instructions natively, 22 through anympi
        "Get_count": 13,
        "Error_class": 50,
        "Allreduce 8 B SUM": 19,
        "Allreduce 8 B user op (not called)": 18,
        "Reduce_local SUM": 16,
        "Irecv+Isend+Waitall(2), ignore": 81,
        "64 Irecv+64 Isend+Waitall(128)": 4040,
        "Startall(2)+Waitall(2)": 87,
        "Alltoallw": 229,
        "Type_contiguous+commit+free": 82,
        "Type_create_struct(3)+commit+free": 152,
    },
}

# Large forms on libraries that have only the small forms.
LARGE = {
    "Allreduce_c 8 B SUM": 24,
    "Sendrecv_c 8 B, STATUS_IGNORE": 56,
}

# Programs of Open MPI on MPICH. For calls without requests and statuses, the goal is four instructions more than for a
# standard program.
OPENMPI = {
    "Initialized": 8,
    "Comm_rank(WORLD)": 12,
    "Comm_rank(dup)": 15,
    "Comm_size(WORLD)": 12,
    "Type_size(INT)": 13,
    "Type_size(derived)": 16,
    "Group_size": 15,
    "Get_count": 22,
    "Error_class": 77,
    "Comm_get_attr(TAG_UB)": 83,
    "Barrier": 12,
    "Bcast 8 B": 17,
    "Allreduce 8 B SUM": 23,
    "Allreduce_c 8 B SUM": 25,
    "Allreduce 8 B user op (not called)": 25,
    "Reduce_local SUM": 20,
    "Reduce_local user op": 46,
    "Sendrecv 8 B, status": 64,
    "Sendrecv 8 B, STATUS_IGNORE": 55,
    "Sendrecv_c 8 B, STATUS_IGNORE": 57,
    "Irecv+Isend+Waitall(2), ignore": 93,
    "Irecv+Isend+Waitall(2), statuses": 137,
    "Irecv+Isend+Wait+Wait": 157,
    "64 Irecv+64 Isend+Waitall(128)": 4440,
    "Waitall(64 null), ignore": 450,
    "Waitall(64 null), statuses": 2620,
    "Testall(64 null)": 488,
    "Test(null), status": 63,
    "Iprobe, nothing there": 34,
    "Startall(2)+Waitall(2)": 145,
    "Put+Win_flush": 45,
    "Pack 8 B": 20,
    "Alltoallw": 267,
    "Type_contiguous+commit+free": 91,
    "Type_create_struct(3)+commit+free": 144,
    "Comm_group+Group_free": 61,
    "Comm_dup+Comm_free": 73,
}
# Programs of MPICH on Open MPI, whose handles are looked up in tables. The goals are 25 for a simple call and 200 for
# an exchange with a neighbour. The limits are what has been reached.
MPICH = {
    "Initialized": -43,
    "Comm_rank(WORLD)": 20,
    "Comm_rank(dup)": 19,
    "Comm_size(WORLD)": 20,
    "Type_size(INT)": 21,
    "Type_size(derived)": 20,
    "Group_size": 19,
    "Get_count": 35,
    "Error_class": 46,
    "Comm_get_attr(TAG_UB)": 86,
    "Barrier": 20,
    "Bcast 8 B": 32,
    "Allreduce 8 B SUM": 45,
    "Allreduce_c 8 B SUM": 49,
    "Allreduce 8 B user op (not called)": 44,
    "Reduce_local SUM": 35,
    "Reduce_local user op": 157,
    "Sendrecv 8 B, status": 97,
    "Sendrecv 8 B, STATUS_IGNORE": 83,
    "Sendrecv_c 8 B, STATUS_IGNORE": 89,
    "Irecv+Isend+Waitall(2), ignore": 200,
    "Irecv+Isend+Waitall(2), statuses": 251,
    "Irecv+Isend+Wait+Wait": 299,
    "64 Irecv+64 Isend+Waitall(128)": 18250,
    "Waitall(64 null), ignore": 2430,
    "Waitall(64 null), statuses": 4790,
    "Testall(64 null)": 2430,
    "Test(null), status": 81,
    "Iprobe, nothing there": 42,
    "Startall(2)+Waitall(2)": 137,
    "Put+Win_flush": 70,
    "Pack 8 B": 36,
    "Alltoallw": 265,
    "Type_contiguous+commit+free": 430,  # 408; other addresses may need a longer search in a table
    "Type_create_struct(3)+commit+free": 510,  # 483, likewise
    "Comm_group+Group_free": 281,
    "Comm_dup+Comm_free": 450,  # 359 to 379, likewise; and Open MPI reads the clock
}

# Over a library that has the standard ABI itself, each call costs one jump.
ADDED_PER_CALL_STANDARD = 1
ROOM_STANDARD = 2  # for each iteration
OVER_STANDARD = {"Type_contiguous+commit+free": 11}  # 9, including 6 in the library itself


def of_call(program, library, name, calls):
    """Returns the limit for an iteration of so many calls, or None. `program` is the program's ABI."""
    if program == "standard" and library == "standard":
        return OVER_STANDARD.get(name, ADDED_PER_CALL_STANDARD * calls + ROOM_STANDARD)
    known = {"standard": {**GOALS, **REACHED, **LARGE, **OVER.get(library, {})}, "openmpi": OPENMPI, "mpich": MPICH}
    return known[program].get(name)


def in_fortran(library, name, method):
    return {**ADDED_IN_FORTRAN, **FAST_PATH_IN_FORTRAN[library]}[name][method]


# In Fortran, compared with the same call in C, both through anympi: mpif.h and mpi_f08. The goal is 20 for a call;
# these limits are what has been reached.
ADDED_IN_FORTRAN = {
    "Comm_rank(WORLD)": {"mpif.h": 13, "mpi_f08": 13},
    "Get_count": {"mpif.h": 15, "mpi_f08": 15},
    "Bcast 8 B": {"mpif.h": 17, "mpi_f08": 20},
}
# If the library has an ABI of its own, calls with more arguments than there are registers, and calls that make or
# complete requests, take the fast path (docs/decisions/0015). The last three calls are one row. Over Open MPI, requests
# get numbers that are computed from addresses (docs/decisions/0014).
FAST_PATH_IN_FORTRAN = {
    "mpich": {
        "Allreduce 8 B SUM": {"mpif.h": 11, "mpi_f08": 22},
        "Sendrecv 8 B, status": {"mpif.h": 16, "mpi_f08": 31},
        "Irecv+Isend+Waitall(2), ignore": {"mpif.h": 12, "mpi_f08": 24},
    },
    "openmpi": {
        "Allreduce 8 B SUM": {"mpif.h": 17, "mpi_f08": 28},
        "Sendrecv 8 B, status": {"mpif.h": 18, "mpi_f08": 31},
        "Irecv+Isend+Waitall(2), ignore": {"mpif.h": 57, "mpi_f08": 67},
    },
    "standard": {
        "Allreduce 8 B SUM": {"mpif.h": 26, "mpi_f08": 38},
        "Sendrecv 8 B, status": {"mpif.h": 42, "mpi_f08": 57},
        "Irecv+Isend+Waitall(2), ignore": {"mpif.h": 119, "mpi_f08": 137},  # one jump per call more than without fast
                                                                            # paths
    },
}

# Instructions that the typed API adds to calls of C. These limits are the goals.
TYPED_GOALS = {
    "send of a value": 4,
    "send": 4,
    "recv into a value": 4,
    "recv": 4,
    "bcast of a value": 4,
    "bcast": 4,
    "allreduce of a value": 4,
    "allreduce": 8,
    "allreduce in place": 8,
    "reduce": 8,
    "gather at the root": 8,
    "allgather of a value": 8,
    "allgather": 8,
    "alltoall": 8,
    "put of a value": 8,
    "put": 8,
    "isend+wait": 12,
    "irecv+wait": 12,
    "wait_all(a, b) of requests of C": 12,
}
# Without a goal: what has been reached, with some room.
TYPED_REACHED = {
    "recv of a value (in C with MPI_Get_count_c)": 14,
    "sendrecv": 5,
    "send of a kept view": 4,
    "send by a kept pattern": 7,
    "send of a shape": 14,
    "isend+irecv+wait_all(a, b)": 32,  # most of it is what the two calls that begin add
    "request set of two": 31,
    "persistent start+wait": 8,
    "barrier": 4,
    "scan of a value": 4,
    "scan": 8,
    "reduce of a value": 6,
    "gather elsewhere": 14,
    "scatter at the root": 8,
    "allgatherv with a kept layout": 340,
    "alltoallv with kept layouts": 500,
    "get": 8,
    "fetch_and_op+flush": 310,
    "compare_and_swap+flush": 310,
}
TYPED = {**TYPED_GOALS, **TYPED_REACHED}
# The number of allocations of calls that allocate memory. All others allocate none.
TYPED_ALLOCATIONS = {}

# Time for 8-byte messages, anympi's divided by native. The limit is for the best of the interleaved runs.
MESSAGE_RATE_RATIO = {"mpich": 1.10, "openmpi": 1.05}
# Time for 4 GiB in one message, divided by the time for int-sized pieces sent natively: at least 0.95 of the bandwidth.
TRANSFER_RATIO = dict.fromkeys(("mpich", "openmpi", "standard"), round(1 / 0.95, 3))

# Start-up, from exec to the end of MPI_Init, compared with a program that opens the same library itself.
FILE_CALLS_NAMED = 4  # if ANYMPI_MPI names the library's file: 2 or 3
FILE_CALLS_SEARCHED = 10  # 6 or 7; more if PATH or a variable names folders without an MPI
# How ld.so finds the front depends on the RUNPATH, the processor and glibc (2.36: 39 probes with AVX-512). The limit
# notices a library that is opened before main.
FILE_CALLS_BEFORE_MAIN = 48
# The limit depends on the number of objects that the library loads: 0.73 to 0.79, 1.93 to 2.01 and 0.51 to 0.79
# million. The last varies: its native side varies by 0.2 million.
STARTUP_INSTRUCTIONS = {"mpich": 900_000, "openmpi": 2_150_000, "standard": 1_000_000}
STARTUP_PRIVATE_KIB = 160  # 120 to 140. Private_Dirty is the memory that every process of a node has for itself.


def of_startup(library):
    """Returns the limits of the rows that have a limit."""
    return {"file-system calls, file named": FILE_CALLS_NAMED, "file-system calls, searched": FILE_CALLS_SEARCHED,
            "file-system calls of the loader, before main": FILE_CALLS_BEFORE_MAIN,
            "instructions, file named": STARTUP_INSTRUCTIONS[library], "instructions, searched": STARTUP_INSTRUCTIONS[library],
            "private memory, KiB": STARTUP_PRIVATE_KIB, "objects loaded (the same and the front)": 1}
