#pragma once

namespace anympi::fortran::entry {

/// Does nothing. A compiler must assume that the procedure changes its argument: that is what a program calls it for.
template <class Calls>
inline void F_sync_reg(void*) {}

} // namespace anympi::fortran::entry
