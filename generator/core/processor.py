"""What the generator must know of the processor for which it writes code.

Code is right whatever these values are.  They decide how short it is.
"""

# Arguments behind these are passed on the stack, from where they can be read again after a call; the others must be kept.
argument_registers = 6
