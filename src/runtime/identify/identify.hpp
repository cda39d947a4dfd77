#pragma once

#include "runtime/identify/library.hpp"

namespace anympi::runtime {

enum class identification : unsigned char {
    mpi,
    missing,       // no such file, or a link to nothing
    unreadable,    // exists, cannot be opened
    folder,        // may be an installation's prefix
    not_a_library, // a text, a linker script, a program, a device …
    other_machine,
    damaged,
    not_mpi,
    unknown_mpi, // an MPI of none of the three ABIs
    older,       // an MPI whose statuses are laid out otherwise than in all later releases
    draft,       // has the standard ABI with values of a draft; identify() itself calls it an MPI
    stub,        // made to link programs, not to run them
    own_front    // one of our own libraries
};

// Tells what a file is by reading it, never by its name and never by running it. `mpi` is written for
// identification::mpi. Costs two file system calls for a file that exists, one for a missing one.
identification identify(const char* file, library& mpi);
bool is_own_front(const char* file);

// "is …", as the end of a sentence that begins with the file's name.
const char* explain(identification answer);

} // namespace anympi::runtime
