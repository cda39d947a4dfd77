# What CMake and the generator must know of a processor of which nothing else is known.

# Arguments behind these are taken to be on the stack. This decides only how code is written, not whether it is right.
set(arch_argument_registers 8)

set(arch_compile_options)
set(arch_link_options)
set(arch_options_of_entries)

# Fronts need the glibc of the machine that builds them: the versions of its functions differ between processors.
set(arch_old_libdl)
set(arch_helpers_start)
