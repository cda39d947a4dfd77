#pragma once

#include "runtime/open/image.hpp"

namespace anympi::runtime {

// Points the references of objects to MPI names and to dlopen at the runtime. rebind.hpp explains which references and
// why.

struct rebinding {
    unsigned objects = 0;          // objects whose references were examined
    unsigned references = 0;       // references to MPI names that now lead to the runtime
    unsigned openers = 0;          // references to dlopen that now lead to anympi's function
    unsigned unknown = 0;          // references to MPI names that the runtime does not define; they are unchanged
    const char* refused = nullptr; // the object whose references could not be written; `error` is the reason
    int error = 0;
};

/// The place of the runtime in the process.
enum class position : unsigned char { apart, before_front };

/// Must be called before the functions below: finds the names that the front, or the interposers before it, export.
void learn_names_of_front(position of_runtime);

/// Returns true if rewrite_references would change references of one of the objects.
bool has_references(const image_list& objects);

/// Rewrites the references of the objects. The first object of `runtime` is the MPI library itself.
rebinding rewrite_references(const image_list& objects, const image_list& runtime);

/// Returns true if this object's references were pointed at the runtime: it is the runtime itself, one of its libraries
/// or one of its plug-ins.
bool is_bound_to_runtime(const image& object);

/// Returns true for MPI_Send, PMPI_Send, MPIX_Comm_agree …
bool is_mpi_name(const char* name);

/// Returns true if an object calls MPI, or takes another MPI name from another object.
bool imports_mpi(const image& object);

/// Returns the totals of all rebinding so far, including plug-ins.
rebinding total_rebinding();

} // namespace anympi::runtime
