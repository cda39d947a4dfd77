#pragma once

#include "emulate/buffers/buffered_sends.hpp"
#include "emulate/communicators/shared_query.hpp"
#include "emulate/communicators/split_types.hpp"
#include "emulate/datatypes/substitute_types.hpp"
#include "emulate/engine/emulation.hpp"
#include "emulate/info_and_errors/added_codes.hpp"
#include "emulate/info_and_errors/long_keys.hpp"
#include "emulate/info_and_errors/null_names.hpp"
#include "emulate/info_and_errors/port_names.hpp"
#include "emulate/info_and_errors/tools_level.hpp"
#include "emulate/sessions/sessions.hpp"
#include "emulations.hpp" // generated

#include <iterator>

namespace anympi::emulate {

template <class Run>
void bind_replacements(void** found, runtime::family lineage) {
    replace_wrong(found, emulations<Run>, static_cast<int>(std::size(emulations<Run>)), lineage);
}

template <class Run>
void bind_emulations(void** found, runtime::family lineage) {
    const bool lacks_buffers = library<Run>.Buffer_flush == nullptr;
    bind_replacements<Run>(found, lineage);
    fill_missing(found, emulations<Run>, static_cast<int>(std::size(emulations<Run>)));
    if (lacks_buffers)
        take_over_buffers<Run>();
    note_added_codes<Run>();
    add_split_types<Run>();
    widen_shared_query<Run>();
    name_null_handles<Run>();
    tell_room_for_ports<Run>();
    keep_level_of_threads<Run>();
    take_long_keys<Run>();
    take_over_for_sessions<Run>();
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
