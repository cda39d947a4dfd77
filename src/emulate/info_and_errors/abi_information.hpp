#pragma once

#include "base/lock.hpp"
#include "convert/running.hpp"
#include "emulate/engine/error.hpp"

#include <cstdint>
#include <cstring>

namespace anympi::emulate {

// MPI's queries about the ABI and about Fortran, and the functions that set Fortran's values. Only the first values
// that a program sets count.

/// Reports an error while MPI runs; otherwise there is no error handler. Returns the code. Programs may call the
/// functions of this file at any time.
template <class Run>
int raise_if_running(int code) {
    return is_running(library<Run>.Initialized, library<Run>.Finalized) ? raise<Run>(code) : code;
}

/// Reports 8 bytes for each type, as in every ABI that anympi supports.
template <class Run>
int Abi_get_info(handle_of<Run, object::info>* info) {
    static_assert(sizeof(std::intptr_t) == 8);
    int code = library<Run>.Info_create(info);
    for (const char* key : {"mpi_aint_size", "mpi_count_size", "mpi_offset_size"})
        if (code == 0)
            code = library<Run>.Info_set(*info, key, "8");
    return code;
}

struct fortran_booleans {
    static constexpr int most = 16;

    lock guard;
    int size; // size of a LOGICAL; 0 if it is not set
    unsigned char yes[most];
    unsigned char no[most];
};
[[gnu::visibility("hidden")]] extern fortran_booleans given_booleans;

template <class Run>
struct fortran_info {
    lock guard;
    bool is_set;
    handle_of<Run, object::info> copy;
};
template <class Run>
inline fortran_info<Run> given_info{};

constexpr bool is_size_of_logical(int size) {
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

template <class Run>
int Abi_set_fortran_booleans(int size, void* yes, void* no) {
    if (!is_size_of_logical(size) || yes == nullptr || no == nullptr)
        return raise_if_running<Run>(Run::mpi_ERR_ARG);
    {
        const locked hold(given_booleans.guard);
        if (given_booleans.size == 0) {
            given_booleans.size = size;
            std::memcpy(given_booleans.yes, yes, static_cast<std::size_t>(size));
            std::memcpy(given_booleans.no, no, static_cast<std::size_t>(size));
            return 0;
        }
    }
    return raise_if_running<Run>(Run::mpi_ERR_ABI);
}

template <class Run>
int Abi_get_fortran_booleans(int size, void* yes, void* no, int* is_set) {
    if (!is_size_of_logical(size) || yes == nullptr || no == nullptr || is_set == nullptr)
        return raise_if_running<Run>(Run::mpi_ERR_ARG);
    const locked hold(given_booleans.guard);
    *is_set = given_booleans.size == size ? 1 : 0;
    if (*is_set != 0) {
        std::memcpy(yes, given_booleans.yes, static_cast<std::size_t>(size));
        std::memcpy(no, given_booleans.no, static_cast<std::size_t>(size));
    }
    return 0;
}

template <class Run>
int Abi_set_fortran_info(word info) {
    bool is_first = false;
    {
        const locked hold(given_info<Run>.guard);
        is_first = !given_info<Run>.is_set;
        given_info<Run>.is_set = true;
    }
    return is_first ? library<Run>.Info_dup(info, &given_info<Run>.copy) : raise_if_running<Run>(Run::mpi_ERR_ABI);
}

template <class Run>
int Abi_get_fortran_info(handle_of<Run, object::info>* info) {
    if (info == nullptr)
        return raise_if_running<Run>(Run::mpi_ERR_ARG);
    handle_of<Run, object::info> copy{};
    {
        const locked hold(given_info<Run>.guard);
        copy = given_info<Run>.copy;
    }
    if (copy != 0)
        return library<Run>.Info_dup(copy, info);
    *info = library_null<Run, object::info>();
    return 0;
}

} // namespace anympi::emulate
