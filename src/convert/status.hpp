#pragma once

#include "convert/error_code.hpp"
#include "convert/rank.hpp"

#include <climits>
#include <cstddef>
#include <cstring>

namespace anympi {

/// The offset of the runtime's status inside the status of a standard program. The runtime's status uses the private
/// part, so nothing is copied. Open MPI's 24 bytes are a prefix of the standard's 32 bytes; MPICH's 20 bytes fit
/// exactly after the three public fields.
template <class P>
inline constexpr std::size_t status_offset = 0;
template <>
inline constexpr std::size_t status_offset<pair<standard, mpich>> = offsetof(standard::status, internal);

/// True if the runtime's status is inside the program's. The statuses of the vendors' programs are too small for that,
/// so count and "cancelled" are converted one by one.
template <class P>
inline constexpr bool status_lies_inside = std::is_same_v<typename P::app, standard>;

template <class P>
inline run_status<P>* status_inside(app_status<P>* status) {
    static_assert(status_lies_inside<P> && status_offset<P> + sizeof(run_status<P>) <= sizeof(app_status<P>));
    return reinterpret_cast<run_status<P>*>(reinterpret_cast<char*>(status) + status_offset<P>);
}

/// Returns MPI_STATUS_IGNORE, which has the same value as MPI_STATUSES_IGNORE in every ABI.
template <class Abi>
inline typename Abi::status* ignored_status() {
    return reinterpret_cast<typename Abi::status*>(Abi::mpi_STATUS_IGNORE);
}

/// Returns true if the caller wants the status. A null pointer is MPI_STATUS_IGNORE in most ABIs, and is ignored in
/// all. The code compares with the constant directly, so that the compiler needs only one comparison.
template <class Abi>
inline bool is_wanted(const typename Abi::status* status) {
    if constexpr (Abi::mpi_STATUS_IGNORE == 0)
        return status != nullptr;
    else
        return status != nullptr && status != reinterpret_cast<const typename Abi::status*>(Abi::mpi_STATUS_IGNORE);
}

/// Returns the empty status. A status that a library does not write (MPICH for sends) must be empty afterwards.
inline constexpr openmpi::status empty_status(openmpi) {
    return {openmpi::mpi_ANY_SOURCE, openmpi::mpi_ANY_TAG, openmpi::mpi_SUCCESS, 0, 0};
}
inline constexpr mpich::status empty_status(mpich) {
    return {0, 0, mpich::mpi_ANY_SOURCE, mpich::mpi_ANY_TAG, mpich::mpi_SUCCESS};
}

inline constexpr standard::status empty_status(standard) {
    return {standard::mpi_ANY_SOURCE, standard::mpi_ANY_TAG, standard::mpi_SUCCESS, {}};
}

/// Sets the fields that the runtime may leave unwritten. MPI_ERROR is left alone, because single completions do not
/// change it.
inline void preset(openmpi::status& status) {
    status.source = openmpi::mpi_ANY_SOURCE;
    status.tag = openmpi::mpi_ANY_TAG;
    status.cancelled = 0;
    status.count = 0;
}
inline void preset(standard::status& status) {
    const int error = status.error;
    status = empty_status(standard{});
    status.error = error;
}
inline void preset(mpich::status& status) {
    status.count_low = 0;
    status.count_high_and_cancelled = 0;
    status.source = mpich::mpi_ANY_SOURCE;
    status.tag = mpich::mpi_ANY_TAG;
}

/// Returns source and tag as one number. The two are neighbours in the statuses of every ABI, so they are tested and
/// copied together.
inline constexpr word source_and_tag(int source, int tag) {
    return static_cast<std::uint32_t>(source) | word{static_cast<std::uint32_t>(tag)} << 32;
}

/// Converts source and tag if one of them is a constant. The first two cases are the empty status and the status of a
/// message with MPI_PROC_NULL, which Open MPI also returns for sends that complete at once.
template <class P>
inline word constants_to_app(word both) {
    using app = typename P::app;
    using run = typename P::run;
    if (both == source_and_tag(run::mpi_ANY_SOURCE, run::mpi_ANY_TAG))
        return source_and_tag(app::mpi_ANY_SOURCE, app::mpi_ANY_TAG);
    if (both == source_and_tag(run::mpi_PROC_NULL, run::mpi_ANY_TAG))
        return source_and_tag(app::mpi_PROC_NULL, app::mpi_ANY_TAG);
    return source_and_tag(rank_to_app<P>(static_cast<int>(both)), tag_to_app<P>(static_cast<int>(both >> 32)));
}

/// Converts source and tag for the program. Both are nearly always plain numbers.
template <class P>
inline void set_source_and_tag(app_status<P>& to, const run_status<P>& from) {
    constexpr word signs = source_and_tag(INT_MIN, INT_MIN);
    char* const place = reinterpret_cast<char*>(&to) + offsetof(app_status<P>, source);
    word both;
    std::memcpy(&both, reinterpret_cast<const char*>(&from) + offsetof(run_status<P>, source), sizeof both);
    if ((both & signs) == 0) [[likely]] {
        std::memcpy(place, &both, sizeof both);
    } else {
        both = constants_to_app<P>(both);
        std::memcpy(place, &both, sizeof both);
    }
}

/// The contents of the private part of a status, independent of its layout.
struct status_private {
    std::int64_t bytes;
    int cancelled; // 0 or 1
};
/// Masks "cancelled", because Open MPI 4.1 leaves that field unwritten in statuses of files.
inline status_private private_of(const openmpi::status& status) {
    return {static_cast<std::int64_t>(status.count), status.cancelled & 1};
}
inline status_private private_of(const mpich::status& status) {
    const auto low = static_cast<std::uint32_t>(status.count_low);
    const auto high = static_cast<std::uint32_t>(status.count_high_and_cancelled);
    if (high <= 1) [[likely]] // less than 4 GiB
        return {low, static_cast<int>(high)};
    return {static_cast<std::int64_t>(high >> 1) << 32 | low, static_cast<int>(high & 1)};
}
/// Reads the private part of a standard library's status. The standard does not define its contents, but all libraries
/// that have the ABI today are MPICH's and store MPICH's two words there (MPICH 5.0.2, Intel MPI 2021.19).
inline status_private private_of(const standard::status& status) {
    return private_of(mpich::status{status.internal[0], status.internal[1], 0, 0, 0});
}

/// Reads the private part of a status of the program, which anympi itself has written.
template <class Status>
inline status_private written_private_of(const Status& status) {
    return private_of(status);
}
inline status_private written_private_of(const openmpi::status& status) {
    return {static_cast<std::int64_t>(status.count), status.cancelled};
}

inline void set_private(openmpi::status& to, status_private from) {
    to.cancelled = from.cancelled;
    to.count = static_cast<std::size_t>(from.bytes);
}
inline void set_private(mpich::status& to, status_private from) {
    to.count_low = static_cast<int>(from.bytes);
    to.count_high_and_cancelled = static_cast<int>(from.bytes >> 32 << 1 | from.cancelled);
}

inline void set_private(standard::status& to, status_private from) {
    mpich::status words{};
    set_private(words, from);
    to.internal[0] = words.count_low;
    to.internal[1] = words.count_high_and_cancelled;
}

/// Copies the private part between two statuses of the same layout.
inline void copy_private(openmpi::status& to, const openmpi::status& from) {
    to.cancelled = from.cancelled;
    to.count = from.count;
}
inline void copy_private(mpich::status& to, const mpich::status& from) {
    to.count_low = from.count_low;
    to.count_high_and_cancelled = from.count_high_and_cancelled;
}

template <class P>
inline void private_to_app(app_status<P>& to, const run_status<P>& from) {
    if constexpr (status_lies_inside<P>)
        copy_private(*status_inside<P>(&to), from);
    else
        set_private(to, private_of(from));
}

/// Converts a status of the program for the runtime, including fields that the program has changed.
template <class P>
inline void status_to_run(run_status<P>& to, app_status<P>& from) {
    if constexpr (status_lies_inside<P>)
        copy_private(to, *status_inside<P>(&from));
    else
        set_private(to, private_of(from));
    to.source = rank_to_run<P>(from.source);
    to.tag = tag_to_run<P>(from.tag);
    to.error = code_to_run<P>(from.error);
}

/// A status beside the program's. The program's status is not changed until the call is known to have completed a
/// request.
template <class P>
struct status_staged {
    app_status<P>* program;
    run_status<P> staged;

    explicit status_staged(app_status<P>* status) : program(status) { preset(staged); }

    run_status<P>* argument() {
        return is_wanted<typename P::app>(program) ? &staged : ignored_status<typename P::run>();
    }

    void finish() const {
        if (!is_wanted<typename P::app>(program))
            return;
        private_to_app<P>(*program, staged);
        set_source_and_tag<P>(*program, staged);
    }
    void finish_after_error() const { finish(); } // a completion that failed also has a status
};

/// Finishes a call that tests one request. Returns the converted error code.
template <class P>
[[gnu::always_inline]] inline int finish_test(int code, const int* flag, const status_staged<P>& status) {
    if (code != 0) [[unlikely]]
        return finish_failed_call<P>(code, status);
    if (is_set<P>(flag))
        status.finish();
    return 0;
}

/// Converts a status in the program's own memory: preset_in_place sets the fields that the runtime may leave unwritten
/// before the call, and finish_in_place converts source and tag after the call.
template <class P>
[[gnu::always_inline]] inline run_status<P>* preset_in_place(app_status<P>* program) {
    run_status<P>* const inside = status_inside<P>(program);
    preset(*inside);
    return inside;
}
template <class P>
[[gnu::always_inline]] inline void finish_in_place(app_status<P>* program) {
    set_source_and_tag<P>(*program, *status_inside<P>(program));
}

/// The status of a single completion that the runtime writes directly into the program's status.
template <class P>
struct status_in_place {
    app_status<P>* program;

    explicit status_in_place(app_status<P>* status) : program(status) {}

    run_status<P>* argument() const {
        if (program == nullptr)
            return ignored_status<typename P::run>();
        return preset_in_place<P>(program);
    }
    void finish() const {
        if (program != nullptr)
            finish_in_place<P>(program);
    }
};

/// The status of a single completion.
template <class P>
using status_out = std::conditional_t<status_lies_inside<P>, status_in_place<P>, status_staged<P>>;

/// A status that the runtime reads. MPI_Status_set_elements and similar functions also change it.
template <class P, bool Inside = status_lies_inside<P>>
class status_read {
public:
    explicit status_read(const app_status<P>* status) : program(const_cast<app_status<P>*>(status)) {}
    run_status<P>* argument() { return program != nullptr ? status_inside<P>(program) : nullptr; }
    void finish() const {}

private:
    app_status<P>* program;
};
template <class P>
class status_read<P, false> {
public:
    explicit status_read(const app_status<P>* status) : program(const_cast<app_status<P>*>(status)) {
        if (program != nullptr)
            set_private(copy, written_private_of(*program)); // no runtime function reads the public part
    }
    run_status<P>* argument() { return program != nullptr ? &copy : nullptr; }
    void finish() const {
        if (program != nullptr)
            private_to_app<P>(*program, copy);
    }

private:
    app_status<P>* program;
    run_status<P> copy;
};

/// Writes one status of a multiple completion, including its error field. The two statuses must not overlap.
template <class P>
inline void status_to_app(app_status<P>& to, const run_status<P>& from, int error) {
    private_to_app<P>(to, from);
    set_source_and_tag<P>(to, from);
    to.error = error;
}
template <class P>
inline void status_to_app(app_status<P>& to, const run_status<P>& from) {
    status_to_app<P>(to, from, from.error == 0 ? 0 : error_to_app<P>(from.error));
}

} // namespace anympi
