"""What src/abi/ and mpi.h say, compared with the real headers."""
