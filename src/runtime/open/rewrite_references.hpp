#pragma once

#include "runtime/open/image.hpp"

namespace anympi::runtime {

// Points the references of objects to MPI names and to dlopen at the runtime: rebind.hpp says which and why.

struct rebinding {
    unsigned objects = 0;          // whose references were walked through
    unsigned references = 0;       // to MPI names, pointed at the runtime
    unsigned openers = 0;          // to dlopen, pointed at ours
    unsigned unknown = 0;          // to MPI names that the runtime does not define: left as they were
    const char* refused = nullptr; // the object whose references could not be written; `error` says why
    int error = 0;
};

// Where the runtime stands in the process.
enum class position : unsigned char { apart, before_front };

// To be called before the functions below: looks at which names the front exports, or the interposers before it.
void learn_names_of_front(position of_runtime);

// Returns true if one of the objects has references that rewrite_references would change.
bool has_references(const image_list& objects);

// Rewrites the references of the objects. `runtime` begins with the MPI library itself.
rebinding rewrite_references(const image_list& objects, const image_list& runtime);

// Returns true if this object's references were pointed at the runtime: it is the runtime, or one of its libraries or
// plug-ins.
bool is_bound_to_runtime(const image& object);

// Returns true for MPI_Send, PMPI_Send, MPIX_Comm_agree …
bool is_mpi_name(const char* name);

// Returns true if an object calls MPI, or takes another MPI name from elsewhere.
bool imports_mpi(const image& object);

// Returns the sum of all rebinding so far, plug-ins included.
rebinding total_rebinding();

} // namespace anympi::runtime
