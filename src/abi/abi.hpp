#pragma once

#include "base/word.hpp"

#include <compare>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace anympi {

/// The binary interfaces that MPI libraries have.
enum class abi : unsigned char { standard, mpich, openmpi };
inline constexpr abi all_abis[] = {abi::standard, abi::openmpi, abi::mpich};

/// Returns the name that the command prints. The folder of the front for this ABI has the same name.
constexpr const char* name_of(abi interface) {
    switch (interface) {
    case abi::standard:
        return "standard";
    case abi::mpich:
        return "mpich";
    case abi::openmpi:
        return "openmpi";
    }
    return "";
}

/// The classes of objects for which programs hold handles.
enum class object : unsigned char { comm, datatype, errhandler, file, group, info, message, op, request, session, win };
inline constexpr int object_classes = 11;

/// Numbers of predefined objects in the standard ABI are below this limit.
inline constexpr word predefined_limit = 0x1000;

/// How an ABI represents handles.
enum class handle_style : unsigned char {
    small_constants, // pointers; predefined objects are integers below `predefined_limit`
    integers,        // 32-bit integers with kind and class bits
    addresses        // pointers; predefined objects are addresses of data symbols
};

template <class Abi, object O>
using handle_of = typename Abi::template handle<O>;

template <bool IsInteger>
using handle_bits = std::conditional_t<IsInteger, std::uint32_t, std::uintptr_t>;

/// The version of the MPI standard that a library says it follows.
struct mpi_version {
    int version;
    int subversion;
    auto operator<=>(const mpi_version&) const = default;
};

/// A predefined handle whose value in Fortran programs differs from that in C.
struct fortran_number {
    std::string_view object; // the symbol whose address is the handle in C
    int number;
};

/// A predefined handle that only newer libraries of a family have. Such a library exports the symbols named here.
struct newer_handle {
    std::uintptr_t value;
    const char* witness;
    const char* second_witness = nullptr;
};

} // namespace anympi
