#pragma once

#include "runtime/identify/library.hpp"

namespace anympi::runtime {

enum class identification : unsigned char {
    mpi,
    missing,       // the file does not exist, or is a dangling link
    unreadable,    // the file exists and cannot be opened
    folder,        // may be an installation's prefix
    not_a_library, // a text, a linker script, a program, a device …
    other_machine,
    damaged,
    not_mpi,
    unknown_mpi, // an MPI library of none of the three ABIs
    older,       // an MPI library whose statuses have another layout than in all later releases
    draft,       // the standard ABI with the values of a draft; identify() returns `mpi` for such a library
    stub,        // a library for linking programs, not for running them
    own_front    // a library of anympi
};

/// Identifies a file by reading it, never by its name and never by running it. Sets `mpi` if the result is
/// identification::mpi. Costs two file system calls for an existing file, one for a missing file.
identification identify(const char* file, library& mpi);
bool is_own_front(const char* file);

/// Returns "is …", the end of a sentence that begins with the file's name.
const char* explain(identification answer);

} // namespace anympi::runtime
