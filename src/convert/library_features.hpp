#pragma once

namespace anympi {

/// The features that not every library of an ABI has. Set when the library is bound.
struct library_features {
    bool has_mpi_4_0 = false;           // has the constants of MPI 4.0: hardware split types
    bool has_mpi_4_1 = false;           // has the constants of MPI 4.1: MPI_COMM_TYPE_RESOURCE_GUIDED
    bool has_all_split_types = false;   // in the library or by emulation
    bool has_automatic_buffers = false; // has MPI_BUFFER_AUTOMATIC, in the library or by emulation
};
template <class Run>
inline library_features features_of{};

/// Returns true if the library itself supports a split type of `Abi`. In a library that is too old for a split type,
/// its number may mean something else (2 is HW_GUIDED in MPICH 4 and NEIGHBORHOOD in 3.4).
template <class Run, class Abi>
bool is_split_type_known(int type) {
    if (type == Abi::mpi_COMM_TYPE_HW_GUIDED || type == Abi::mpi_COMM_TYPE_HW_UNGUIDED)
        return features_of<Run>.has_mpi_4_0;
    return type != Abi::mpi_COMM_TYPE_RESOURCE_GUIDED || features_of<Run>.has_mpi_4_1;
}

} // namespace anympi
