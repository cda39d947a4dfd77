#pragma once

#include "runtime/identify/library.hpp"

namespace anympi::emulate {

/// Describes an emulation: a function of ours in the place of one that the runtime lacks or does wrong. The function
/// speaks the runtime's ABI. Its address is in `library<Run>`, so the bridges of every program call it as if the
/// runtime had it.
struct emulation {
    static constexpr int most_needs = 4;

    short of;
    short needs[most_needs];  ///< the functions without which it is not built; -1: no more
    runtime::family wrong_in; ///< whose libraries have one that does not do what MPI says; unknown: nobody's
};

/// Fills in what the runtime, a library of this family, lacks or does wrong and what can be built.
template <class Run>
void bind_emulations(void** found, runtime::family lineage);

/// Fills in only what it does wrong.
template <class Run>
void bind_replacements(void** found, runtime::family lineage);

/// Predefined objects that the runtime lacks: optional datatypes, the null session, MPI_ERRORS_ABORT.
template <class Run>
void bind_missing_handles();

/// `found`: the functions of the runtime, in the order of the slots. `codes`: what takes their places, in the order of
/// `emulations`. The command has marks instead of functions in both.
void replace_wrong(void** found, void* const* codes, runtime::family lineage);
void fill_missing(void** found, void* const* codes);

/// Returns what they have put into the table for a function, or nullptr.
void* emulation_of(int function);

} // namespace anympi::emulate
