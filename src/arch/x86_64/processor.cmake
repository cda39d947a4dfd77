# Settings of CMake and the generator for this processor.

# Arguments beyond this number are passed on the stack.
set(arch_argument_registers 6)

# Shadow stacks need no additional instructions, and anympi's code never writes to a return address. Indirect-branch
# tracking is off, because it needs one more instruction in every function, and larger stubs. The linker needs the
# option for shadow stacks because the compiler's own start-up files do not declare that they support them.
set(arch_compile_options -fcf-protection=return)
set(arch_link_options $<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>:-Wl,-z,shstk>)

# Reserves the stack space for the arguments of calls once per function, which saves three instructions. Only generated
# code uses the option: clang-tidy reads all other code and does not know it.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-maccumulate-outgoing-args ANYMPI_CAN_ACCUMULATE_ARGUMENTS)
set(arch_options_of_entries $<$<BOOL:${ANYMPI_CAN_ACCUMULATE_ARGUMENTS}>:-maccumulate-outgoing-args>)

# The function versions of the oldest glibc for this processor (arch/old_glibc.hpp), and start-up code that asks for
# such a version.
set(arch_old_libdl ${CMAKE_CURRENT_LIST_DIR}/old_libdl.map)
set(arch_helpers_start ${CMAKE_CURRENT_LIST_DIR}/helpers_start.c)
