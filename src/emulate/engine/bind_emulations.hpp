#pragma once

#include "emulate/datatypes/substitute_types.hpp"
#include "emulate/engine/emulation.hpp"
#include "install_overrides.hpp" // generated

namespace anympi::emulate {

template <class Run>
void bind_replacements(void** found, runtime::family lineage) {
    replace_wrong(found, emulation_codes<Run>, lineage);
}

template <class Run>
void bind_emulations(void** found, runtime::family lineage) {
    bind_replacements<Run>(found, lineage);
    fill_missing(found, emulation_codes<Run>);
    install_overrides<Run>(moment::binding);
    features_of<Run>.has_automatic_buffers = true; // the library's or emulated
    features_of<Run>.has_all_split_types = true;
}

template <class Run>
void bind_missing_handles() {
    substitute_missing_types<Run>();
    if (!emulates_sessions<Run>())
        return;
    predefined_to_run<Run>[standard::mpi_SESSION_NULL] =
        session_handle<Run>::with_number(session_handle<Run>::null_number);
    predefined_to_run<Run>[standard::mpi_ERRORS_ABORT] = errors_abort<Run>;
}

} // namespace anympi::emulate
