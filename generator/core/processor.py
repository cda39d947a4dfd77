"""Facts about the processor for which the generator writes code.

The code is correct with any values. The values decide how short it is.
"""

# Arguments after these are passed on the stack and can be read again after a call. The others must be kept in
# registers.
argument_registers = 6
