# cpack runs this before it packs. The files of a Debian package are in /opt/anympi. The usual places get links to the
# files whose names do not conflict with other packages.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()

set(prefix ${CPACK_PACKAGING_INSTALL_PREFIX})

# Links /usr/PLACE/NAME to FOLDER/NAME of the installation, for all names that match the pattern.
function(link_into place folder pattern)
    file(GLOB names RELATIVE "${CPACK_TEMPORARY_DIRECTORY}${prefix}/${folder}"
        "${CPACK_TEMPORARY_DIRECTORY}${prefix}/${folder}/${pattern}")
    if(NOT names)
        message(FATAL_ERROR "${prefix}/${folder}/${pattern} is missing")
    endif()
    file(MAKE_DIRECTORY "${CPACK_TEMPORARY_DIRECTORY}/usr/${place}")
    foreach(name IN LISTS names)
        file(CREATE_LINK "${prefix}/${folder}/${name}" "${CPACK_TEMPORARY_DIRECTORY}/usr/${place}/${name}" SYMBOLIC)
    endforeach()
endfunction()

link_into(bin bin anympi)
link_into(bin bin *_abi)
link_into(share/man/man1 share/man/man1 anympi*)
link_into(share/bash-completion/completions share/bash-completion/completions anympi) # not mpiexec, which belongs to another MPI there
link_into(share/zsh/vendor-completions share/zsh/site-functions *)
link_into(share/fish/vendor_completions.d share/fish/vendor_completions.d *)
link_into(share/doc share/doc anympi)
link_into(share/modulefiles share/modulefiles *)
