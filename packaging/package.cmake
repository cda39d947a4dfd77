# Read by cpack for each kind of package.
if(CPACK_GENERATOR STREQUAL "DEB")
    # Not /usr: mpicc and mpiexec are links there that Debian's alternatives keep, and libmpi_abi.so.1 may become the file of
    # an MPI's own package.
    set(CPACK_PACKAGING_INSTALL_PREFIX "/opt/anympi")
endif()
