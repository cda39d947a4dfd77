#pragma once

#include "convert/error.hpp"
#include "convert/rank.hpp"

#include <cstddef>
#include <cstring>

namespace anympi {

/// Where the runtime's status lies inside the program's: the program's private part holds it, so that nothing is copied
/// for it. Open MPI's 24 bytes are a prefix of the standard's 32; MPICH's 20 bytes fit exactly behind the three fields.
template <class P>
inline constexpr std::size_t status_offset = 0;
template <class App>
inline constexpr std::size_t status_offset<pair<App, mpich>> = offsetof(standard::status, internal);

template <class P>
inline run_status<P>* status_inside(app_status<P>* status) {
    static_assert(status_offset<P> + sizeof(run_status<P>) <= sizeof(app_status<P>));
    return reinterpret_cast<run_status<P>*>(reinterpret_cast<char*>(status) + status_offset<P>);
}

template <class P>
inline run_status<P>* ignored_status() {
    return reinterpret_cast<run_status<P>*>(P::run::mpi_STATUS_IGNORE);
}

/// The status that a library leaves alone for sends (MPICH) must read as "empty" afterwards.
inline constexpr openmpi::status empty_status(openmpi) {
    return {openmpi::mpi_ANY_SOURCE, openmpi::mpi_ANY_TAG, openmpi::mpi_SUCCESS, 0, 0};
}
inline constexpr mpich::status empty_status(mpich) {
    return {0, 0, mpich::mpi_ANY_SOURCE, mpich::mpi_ANY_TAG, mpich::mpi_SUCCESS};
}

/// Presets what the runtime may leave unwritten, but not MPI_ERROR: single completions do not touch it.
inline void preset(openmpi::status& status) {
    status.source = openmpi::mpi_ANY_SOURCE;
    status.tag = openmpi::mpi_ANY_TAG;
    status.cancelled = 0;
    status.count = 0;
}
inline void preset(mpich::status& status) {
    status.count_low = 0;
    status.count_high_and_cancelled = 0;
    status.source = mpich::mpi_ANY_SOURCE;
    status.tag = mpich::mpi_ANY_TAG;
}

/// Source and tag cross to the program; both are nearly always plain numbers.
template <class P>
inline void set_source_and_tag(app_status<P>& to, int source, int tag) {
    if ((source | tag) < 0) [[unlikely]] {
        source = rank_to_app<P>(source);
        tag = tag_to_app<P>(tag);
    }
    to.source = source;
    to.tag = tag;
}

/// The status of a single completion: written in the program's own memory.
template <class P>
struct status_out {
    app_status<P>* program;

    run_status<P>* argument() const {
        if (program == nullptr)
            return ignored_status<P>();
        auto* inside = status_inside<P>(program);
        preset(*inside);
        return inside;
    }
    void back() const {
        if (program != nullptr) {
            const auto* inside = status_inside<P>(program);
            set_source_and_tag<P>(*program, inside->source, inside->tag);
        }
    }
};

/// Count and "cancelled" are all that the private part must hold.
inline void copy_private(openmpi::status& to, const openmpi::status& from) {
    to.cancelled = from.cancelled;
    to.count = from.count;
}
inline void copy_private(mpich::status& to, const mpich::status& from) {
    to.count_low = from.count_low;
    to.count_high_and_cancelled = from.count_high_and_cancelled;
}

/// The status of a call that may complete nothing: the program's one is left alone then.
template <class P>
struct status_staged {
    app_status<P>* program;
    run_status<P> staged;

    explicit status_staged(app_status<P>* status) : program(status) { preset(staged); }

    run_status<P>* argument() { return program != nullptr ? &staged : ignored_status<P>(); }

    void back() const {
        if (program == nullptr)
            return;
        copy_private(*status_inside<P>(program), staged);
        set_source_and_tag<P>(*program, staged.source, staged.tag);
    }
    void failed() const { back(); } ///< a completion that failed has a status, too
};

/// A status that the runtime reads or completes (MPI_Get_count, MPI_Status_set_elements): its part of the program's
/// one.
template <class P>
inline const run_status<P>* status_argument(const app_status<P>* status) {
    return status != nullptr ? status_inside<P>(const_cast<app_status<P>*>(status)) : nullptr;
}
template <class P>
inline run_status<P>* status_argument(app_status<P>* status) {
    return status != nullptr ? status_inside<P>(status) : nullptr;
}

/// Writes one status of a multiple completion, which has an error field. The two must not overlap.
template <class P>
inline void status_to_app(app_status<P>& to, const run_status<P>& from, int error) {
    copy_private(*status_inside<P>(&to), from);
    set_source_and_tag<P>(to, from.source, from.tag);
    to.error = error;
}
template <class P>
inline void status_to_app(app_status<P>& to, const run_status<P>& from) {
    status_to_app<P>(to, from, from.error == 0 ? 0 : error_to_app<P>(from.error));
}

} // namespace anympi
