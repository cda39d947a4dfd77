"""Facts about the processor for which the generator writes code.

The generated code is correct with any values. The right values make it shorter.
"""

# The number of arguments that are passed in registers. Further arguments are passed on the stack, where they can be read
# again after a call.
argument_registers = 6
