#pragma once

#include "abi/all.hpp"
#include "convert/library_features.hpp"

#include <cstdint>

namespace anympi {

/// Addresses with a special meaning that a library chooses at run time (contents of its variables), or that are
/// constants of its ABI.
template <class Run>
struct sentinels {
    const int* unweighted = nullptr;
    const int* weights_empty = nullptr;
    void* all_handles = nullptr;
};
template <class Run>
inline sentinels<Run> sentinels_of{};

template <class Pointer>
inline Pointer address_of(std::intptr_t value) {
    return reinterpret_cast<Pointer>(value);
}

/// The same addresses in the program's ABI. Most ABIs define them as constants.
template <class App>
struct program_sentinels {
    static const int* unweighted() { return address_of<const int*>(App::mpi_UNWEIGHTED); }
    static const int* weights_empty() { return address_of<const int*>(App::mpi_WEIGHTS_EMPTY); }
    static const int* all_handles() { return address_of<const int*>(App::mpi_T_PVAR_ALL_HANDLES); }
};

/// Programs of MPICH's family read the addresses from variables of the library, which always hold the addresses of
/// these objects (src/front/mpich/mpich_names.cpp). The contents of the objects do not matter.
template <>
struct program_sentinels<mpich> {
    static inline int objects[3];

    static constexpr int* unweighted() { return &objects[0]; }
    static constexpr int* weights_empty() { return &objects[1]; }
    static constexpr int* all_handles() { return &objects[2]; }
};

/// Returns true if `buffer` is MPI_IN_PLACE of an ABI.
template <class Abi>
inline bool is_in_place(const void* buffer) {
    return buffer == address_of<const void*>(Abi::mpi_IN_PLACE);
}

template <class P, class Void>
inline Void* in_place_to_run(Void* buffer) {
    using app = typename P::app;
    using run_abi = typename P::run;
    if constexpr (app::mpi_IN_PLACE == run_abi::mpi_IN_PLACE)
        return buffer;
    else
        return is_in_place<app>(buffer) ? address_of<Void*>(run_abi::mpi_IN_PLACE) : buffer;
}

template <class P>
inline void* automatic_to_run(void* buffer) {
    return buffer == address_of<void*>(P::app::mpi_BUFFER_AUTOMATIC) ? address_of<void*>(P::run::mpi_BUFFER_AUTOMATIC)
                                                                     : buffer;
}

/// Converts the buffer address that MPI_Buffer_detach or a similar function has stored at `where`.
template <class P>
inline void automatic_to_app(void* where) {
    if (where == nullptr)
        return;
    void*& buffer = *static_cast<void**>(where);
    if (features_of<typename P::run>.has_automatic_buffers && buffer == address_of<void*>(P::run::mpi_BUFFER_AUTOMATIC))
        buffer = address_of<void*>(P::app::mpi_BUFFER_AUTOMATIC);
}

/// Converts the weights of a distributed graph: an array, MPI_UNWEIGHTED or MPI_WEIGHTS_EMPTY.
template <class P, class Int>
inline Int* weights_to_run(Int* weights) {
    using app = typename P::app;
    if (weights == program_sentinels<app>::unweighted())
        return const_cast<Int*>(sentinels_of<typename P::run>.unweighted);
    if (weights == program_sentinels<app>::weights_empty())
        return const_cast<Int*>(sentinels_of<typename P::run>.weights_empty);
    return weights;
}

template <class P>
inline void* all_handles_to_run(void* handle) {
    using app = typename P::app;
    return handle == program_sentinels<app>::all_handles() ? sentinels_of<typename P::run>.all_handles : handle;
}

} // namespace anympi
