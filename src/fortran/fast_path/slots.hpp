#pragma once

#include "convert/fortran_side.hpp"

namespace anympi::fortran {

extern fortran_row straight_plain_rows[];
extern fortran_row straight_described_rows[];

template <class... Parameter>
[[gnu::always_inline]] inline void jump(void* const& slot, Parameter... parameters) {
    reinterpret_cast<void (*)(Parameter...)>(__atomic_load_n(&slot, __ATOMIC_RELAXED))(parameters...);
}

} // namespace anympi::fortran
