#pragma once

#include "convert/fortran_side.hpp"

namespace anympi::fortran {

extern fortran_row rows_by_address[];
extern fortran_row rows_by_descriptor[];

template <class... Parameter>
[[gnu::always_inline]] inline void jump(void* const& slot, Parameter... parameters) {
    reinterpret_cast<void (*)(Parameter...)>(__atomic_load_n(&slot, __ATOMIC_RELAXED))(parameters...);
}

} // namespace anympi::fortran
