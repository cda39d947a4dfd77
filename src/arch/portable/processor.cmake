# Settings of CMake and the generator for processors without a folder of their own.

# Arguments beyond this number are assumed to be on the stack. This changes only how code is written, never its result.
set(arch_argument_registers 8)

set(arch_compile_options)
set(arch_link_options)
set(arch_options_of_entries)

# Fronts need the glibc of the machine that builds them, because versions of glibc's functions differ between
# processors.
set(arch_old_libdl)
set(arch_helpers_start)
