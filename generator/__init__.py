"""Turns the description of MPI in api/ into headers, entry points, bridges, symbol maps and tables."""
