# cpack runs this before it packs. dpkg-shlibdeps would take the fronts for the libraries that have the same names, and
# make the package depend on these MPIs. Only the companions for C++ programs need libstdc++, which their programs need
# anyway. So the package depends only on the C library, in the newest version that any file needs.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()

set(prefix ${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX})
file(GLOB_RECURSE files ${prefix}/bin/anympi ${prefix}/lib/*.so* ${prefix}/lib/anympi/ask_library ${prefix}/lib/anympi/check_ranks)
execute_process(COMMAND objdump -T ${files} OUTPUT_VARIABLE symbols ERROR_QUIET)
string(REGEX MATCHALL "GLIBC_[0-9.]+" versions "${symbols}")
if(NOT versions)
    message(FATAL_ERROR "objdump shows no symbols of the C library in ${prefix}")
endif()
list(TRANSFORM versions REPLACE "GLIBC_" "")
list(SORT versions COMPARE NATURAL)
list(GET versions -1 newest)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= ${newest})")
