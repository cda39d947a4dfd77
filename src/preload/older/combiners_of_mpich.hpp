#pragma once

#include "preload/older/next_library.hpp"

// MPICH2 1.5 and MPICH 3.0 have the combiner of MPI_Type_create_hindexed_block in the middle of the list; 3.1 moved it
// to the end.

namespace anympi::older {

constexpr int older_combiner(int newer) {
    constexpr int first_shifted = 11; // MPI_COMBINER_STRUCT_INTEGER
    constexpr int hindexed_block = 19;
    if (newer == hindexed_block)
        return first_shifted;
    return newer >= first_shifted && newer < hindexed_block ? newer + 1 : newer;
}
static_assert(older_combiner(10) == 10 && older_combiner(12) == 13 && older_combiner(18) == 19);

} // namespace anympi::older

extern "C" {

__attribute__((visibility("default"))) int PMPI_Type_get_envelope(int type, int* integers, int* addresses, int* types,
                                                                  int* combiner) {
    using function = int(int, int*, int*, int*, int*);
    static std::atomic<function*> place;
    const int code =
        anympi::older::find_next(place, "PMPI_Type_get_envelope")(type, integers, addresses, types, combiner);
    if (code == 0 && combiner != nullptr && anympi::older::is_call_of_program(__builtin_return_address(0)))
        *combiner = anympi::older::older_combiner(*combiner);
    return code;
}
__attribute__((visibility("default"), alias("PMPI_Type_get_envelope"))) int
MPI_Type_get_envelope(int type, int* integers, int* addresses, int* types, int* combiner);

} // extern "C"
