"""The limits that the tables are held to: instructions added per iteration, time ratios, start-up.

A row without a limit is shown and not judged. Raise a limit only with a reason in docs/decisions/.
"""

# Over libraries whose ABI must be converted, MPICH and Open MPI alike.
ADDED_INSTRUCTIONS = {
    "Comm_rank(WORLD)": 12,
    "Comm_rank(dup)": 12,
    "Comm_size(WORLD)": 12,
    "Type_size(INT)": 12,
    "Type_size(derived)": 12,
    "Get_count": 18,
    "Allreduce 8 B SUM": 22,
    "Allreduce 8 B user op (not called)": 22,
    "Reduce_local user op": 45,
    "Sendrecv 8 B, status": 60,
    "Irecv+Isend+Waitall(2), ignore": 90,
    "Irecv+Isend+Waitall(2), statuses": 140,
    "Waitall(64 null), ignore": 500,
}
# Over a library that has the standard ABI itself: for each call, whatever it is.
ADDED_PER_CALL_STANDARD = 4

# Time for 8-byte messages, ours divided by native, best of the interleaved runs.
MESSAGE_RATE_RATIO = {"mpich": 1.10, "openmpi": 1.05}

# Start-up, from exec to the end of MPI_Init, over a program that opens the same library itself.
FILE_CALLS_NAMED = 12  # ANYMPI_MPI names the library's file
FILE_CALLS_SEARCHED = 60
STARTUP_INSTRUCTIONS = 2_500_000
STARTUP_PRIVATE_KIB = 256
