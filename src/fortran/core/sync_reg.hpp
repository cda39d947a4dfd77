#pragma once

namespace anympi::fortran::entry {

/// Does nothing. A program calls it because compilers must assume that it changes its argument.
template <class Calls>
inline void F_sync_reg(void*) {}

} // namespace anympi::fortran::entry
