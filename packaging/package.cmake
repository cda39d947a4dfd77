# cpack reads this for each kind of package.
if(CPACK_GENERATOR STREQUAL "DEB")
    # Not /usr: there, mpicc and mpiexec are links that Debian's alternatives manage, and libmpi_abi.so.1 may become a
    # file of an MPI's own package.
    set(CPACK_PACKAGING_INSTALL_PREFIX "/opt/anympi")
endif()
