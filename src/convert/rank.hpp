#pragma once

#include "convert/values.hpp"

namespace anympi {

/// Converts a rank or a tag. Some negative numbers are constants. All other numbers, the common case, are the same in
/// all ABIs, so callers test the sign first: `if ((dest | tag) < 0) [[unlikely]]`. MPI_UNDEFINED is the same in all
/// ABIs.
template <class From, class To, template <class> class Category>
[[gnu::always_inline]] constexpr int convert_negative(int value) { // inline: no call before the runtime's
    static_assert(From::mpi_UNDEFINED == To::mpi_UNDEFINED);
    return value < 0 ? convert_value<From, To, Category>(value) : value;
}

template <class P>
[[gnu::always_inline]] constexpr int rank_to_run(int rank) {
    return convert_negative<typename P::app, typename P::run, category_rank>(rank);
}
template <class P>
[[gnu::always_inline]] constexpr int rank_to_app(int rank) {
    return convert_negative<typename P::run, typename P::app, category_rank>(rank);
}
template <class P>
[[gnu::always_inline]] constexpr int tag_to_run(int tag) {
    return convert_negative<typename P::app, typename P::run, category_tag>(tag);
}
template <class P>
[[gnu::always_inline]] constexpr int tag_to_app(int tag) {
    return convert_negative<typename P::run, typename P::app, category_tag>(tag);
}

} // namespace anympi
