# What CMake and the generator must know of this processor.

# Arguments behind these are passed on the stack.
set(arch_argument_registers 6)

# Shadow stacks need no instructions, and nothing of ours writes to a return address. Indirect-branch tracking is left out: it needs an
# instruction more in every function, and larger stubs. The linker is told about shadow stacks because the compiler's own start-up files
# do not say that they fit.
set(arch_compile_options -fcf-protection=return)
set(arch_link_options $<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>:-Wl,-z,shstk>)

# Room on the stack for the arguments of a call, made and left once: three instructions. For generated code alone: clang-tidy, which
# reads the rest, does not know the option.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-maccumulate-outgoing-args ANYMPI_CAN_ACCUMULATE_ARGUMENTS)
set(arch_options_of_entries $<$<BOOL:${ANYMPI_CAN_ACCUMULATE_ARGUMENTS}>:-maccumulate-outgoing-args>)

# The versions that functions have in the oldest glibc for this processor (arch/old_glibc.hpp), and a start of programs that asks for one.
set(arch_old_libdl ${CMAKE_CURRENT_LIST_DIR}/old_libdl.map)
set(arch_helpers_start ${CMAKE_CURRENT_LIST_DIR}/helpers_start.c)
