#pragma once

#include "runtime/identify/library.hpp"

namespace anympi::emulate {

/// Describes an emulation: a function of anympi instead of one that the runtime lacks or implements wrongly. It has the
/// runtime's ABI. Its address is in `library<Run>`, so the bridges of every program call it as if the runtime had it.
struct emulation {
    static constexpr int most_needs = 4;

    short of;
    short needs[most_needs];  // functions without which it cannot be built; -1 ends the list
    runtime::family wrong_in; // the family whose libraries have a wrong function, or unknown
};

/// Adds the emulations that can be built for functions that the runtime lacks or implements wrongly. `lineage` is the
/// family of the runtime.
template <class Run>
void bind_emulations(void** found, runtime::family lineage);

/// Adds only the emulations of functions that the runtime implements wrongly.
template <class Run>
void bind_replacements(void** found, runtime::family lineage);

/// Adds the predefined objects that the runtime lacks: optional datatypes, the null session, MPI_ERRORS_ABORT.
template <class Run>
void bind_missing_handles();

/// Add emulations to `found`, the functions of the runtime in the order of the slots. `codes` are the emulations, in
/// the order of `emulations`. The command passes marks instead of functions in both.
void replace_wrong(void** found, void* const* codes, runtime::family lineage);
void fill_missing(void** found, void* const* codes);

/// Returns the emulation that these functions have put into the table for a function, or nullptr.
void* emulation_of(int function);

} // namespace anympi::emulate
