#pragma once

#include "command/inspect/binary.hpp"
#include "command/inspect/examination.hpp"
#include "runtime/identify/library.hpp"

#include <string>
#include <vector>

namespace anympi::command {

/// The support that a program gets from one MPI of this machine.
struct support {
    enum class way : unsigned char {
        directly, // the MPI has the program's own ABI
        by_front, // through anympi's front
        not_at_all
    };

    way how = way::not_at_all;
    std::string reason; // why not_at_all: the message of `anympi run`
    std::vector<std::string> native;
    std::vector<std::string> extended; // a function of anympi is called before the library's
    std::vector<std::string> emulated; // supplied by anympi
    std::vector<std::string> missing;  // the call reports an error
};

/// Returns the product, the exact version and, if both may be installed, the ABI of an MPI: "MPICH 5.0.2 (standard
/// ABI)".
std::string title_of(const runtime::library& mpi);

support judge_support(const examination& program, const runtime::library& mpi);

} // namespace anympi::command
