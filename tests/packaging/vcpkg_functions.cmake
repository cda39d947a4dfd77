# A stand-in for vcpkg: the functions that the port calls, as far as it uses them. Then runs the port.
cmake_minimum_required(VERSION 3.25)

set(tree ${CURRENT_BUILDTREES_DIR}/release)

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    execute_process(COMMAND ${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${tree} -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} ${arg_OPTIONS}
        COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_install)
    execute_process(COMMAND ${CMAKE_COMMAND} --install ${tree} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Moves the package of CMake to the folder where vcpkg wants it, which is one level nearer to the prefix.
function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
    set(folder ${CURRENT_PACKAGES_DIR}/share/${PORT})
    file(RENAME ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH} ${folder})
    get_filename_component(parent ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH} DIRECTORY)
    file(REMOVE_RECURSE ${parent})
    file(GLOB targets ${folder}/*Targets.cmake)
    foreach(file IN LISTS targets)
        file(READ ${file} text)
        string(REGEX REPLACE "get_filename_component\\(_IMPORT_PREFIX[^\n]*\n" "" text "${text}")
        file(WRITE ${file} "get_filename_component(_IMPORT_PREFIX \"\${CMAKE_CURRENT_LIST_DIR}/../..\" ABSOLUTE)\n${text}")
    endforeach()
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
    file(COPY_FILE ${arg_FILE_LIST} ${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright)
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/../../packaging/vcpkg/anympi/portfile.cmake)
