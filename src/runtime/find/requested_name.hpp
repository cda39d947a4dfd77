#pragma once

#include "runtime/identify/library.hpp"

#include <string_view>

// The names by which people ask for an MPI: ANYMPI_MPI, `anympi run --mpi`, the setting `mpi`.

namespace anympi::runtime {

/// The ABI that a name asks for. An installation may have both the standard ABI and the vendor's ABI.
enum class wanted_abi : unsigned char { any, standard, vendor };

/// A name as a person writes it: family[-version][:standard|:vendor], such as "openmpi", "mpich-5.0" or
/// "intel:vendor". Case, spaces, `-` and `_` do not count, so that "Open MPI 5.0.7" is "openmpi-5.0.7". The family may
/// also be `standard` alone: any library that has the standard ABI.
struct requested_name {
    const known_product* product = nullptr; // nullptr if any product is meant
    std::string_view
        version; // "5.0" means all releases of 5.0; empty if any is meant. A part of the text that was read
    wanted_abi interface = wanted_abi::any;

    family lineage() const { return product ? product->lineage : family::unknown; }
};

/// Reads a name. Returns false if the text does not name an MPI.
bool read_name(std::string_view text, requested_name& name);

bool is_known_name(std::string_view text);

/// Returns true if the name means this library. If the name has a version, the library's file may be read.
bool goes_by_name(const library& mpi, const requested_name& name);

/// Returns true if a library of version `known` is one of version `wanted`: "5" and "5.0" mean 5.0.7, too. If `known`
/// is "5.0 or newer", every `wanted` version after 5.0 matches, too.
bool has_version(std::string_view known, std::string_view wanted);

/// Returns the known name that was probably meant, with its version ("mpich-4" for "mpcih-4"), or an empty text if no
/// known name is near.
bounded_text<64> nearest_name(std::string_view text);

/// Returns "did you mean `mpich`?" or, if no known name is near, what how_to_ask() returns.
bounded_text<256> advise_on_name(std::string_view text);

/// Returns "give a name (mpich, …), the folder of an installation or a library file", for messages.
bounded_text<256> how_to_ask();

} // namespace anympi::runtime
