#pragma once

namespace anympi {

/// What a library of one ABI offers and another one of the same ABI does not. Set when it is bound.
struct library_features {
    bool has_mpi_4_0 = false;           ///< knows the constants that came with MPI 4.0: hardware split types
    bool has_mpi_4_1 = false;           ///< those of MPI 4.1: MPI_COMM_TYPE_RESOURCE_GUIDED
    bool has_all_split_types = false;   ///< by itself or by emulation
    bool has_automatic_buffers = false; ///< MPI_BUFFER_AUTOMATIC, by itself or by emulation
};
template <class Run>
inline library_features features_of{};

/// Returns true if the library itself knows a split type, which is a number of `Abi`. The number of one that the
/// library is too old for may mean something else there (2 is HW_GUIDED in MPICH 4 and NEIGHBORHOOD in 3.4).
template <class Run, class Abi>
bool is_split_type_known(int type) {
    if (type == Abi::mpi_COMM_TYPE_HW_GUIDED || type == Abi::mpi_COMM_TYPE_HW_UNGUIDED)
        return features_of<Run>.has_mpi_4_0;
    return type != Abi::mpi_COMM_TYPE_RESOURCE_GUIDED || features_of<Run>.has_mpi_4_1;
}

} // namespace anympi
