"""Exchanges objects and buffers between all ranks. Rank 0 prints which module of mpi4py was loaded, and the MPI
libraries in its process.
"""
import os

from mpi4py import MPI


def libraries():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return sorted({os.path.realpath(line.split()[-1]) for line in maps if "/libmpi" in line})


comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
left, right = (rank - 1) % size, (rank + 1) % size
assert comm.sendrecv({"from": rank}, right, source=left) == {"from": left}
assert comm.allreduce(rank, op=MPI.SUM) == size * (size - 1) // 2
numbers = bytearray(4 * size)
comm.Allgather([rank.to_bytes(4, "little"), MPI.INT], [numbers, MPI.INT])
assert numbers == b"".join(each.to_bytes(4, "little") for each in range(size))
pair = MPI.INT.Create_vector(2, 1, 2).Commit()
received = bytearray(16)
comm.Sendrecv([b"aaaa----bbbb----", 1, pair], right, recvbuf=[received, 1, pair], source=left)
assert received == b"aaaa\0\0\0\0bbbb\0\0\0\0"
pair.Free()
if rank == 0:
    print(f"exchanged by {size} with {os.path.basename(MPI.__file__)} on {' '.join(libraries())}", flush=True)
