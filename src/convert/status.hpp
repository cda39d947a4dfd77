#pragma once

#include "convert/error_code.hpp"
#include "convert/rank.hpp"

#include <climits>
#include <cstddef>
#include <cstring>

namespace anympi {

/// The place of the runtime's status inside the status of a standard program. The private part holds it, so that
/// nothing is copied. Open MPI's 24 bytes are a prefix of the standard's 32; MPICH's 20 bytes fit exactly behind the
/// three fields.
template <class P>
inline constexpr std::size_t status_offset = 0;
template <>
inline constexpr std::size_t status_offset<pair<standard, mpich>> = offsetof(standard::status, internal);

/// The programs of the vendors have too little room for that; count and "cancelled" cross one by one there.
template <class P>
inline constexpr bool status_lies_inside = std::is_same_v<typename P::app, standard>;

template <class P>
inline run_status<P>* status_inside(app_status<P>* status) {
    static_assert(status_lies_inside<P> && status_offset<P> + sizeof(run_status<P>) <= sizeof(app_status<P>));
    return reinterpret_cast<run_status<P>*>(reinterpret_cast<char*>(status) + status_offset<P>);
}

/// The value of MPI_STATUS_IGNORE, and of MPI_STATUSES_IGNORE, which has the same in every ABI.
template <class Abi>
inline typename Abi::status* ignored_status() {
    return reinterpret_cast<typename Abi::status*>(Abi::mpi_STATUS_IGNORE);
}

/// Returns true if whoever calls wants the status. A null pointer is MPI_STATUS_IGNORE in most ABIs and ignored in all.
/// Compares with the constant directly, since the compiler then needs one comparison.
template <class Abi>
inline bool is_wanted(const typename Abi::status* status) {
    if constexpr (Abi::mpi_STATUS_IGNORE == 0)
        return status != nullptr;
    else
        return status != nullptr && status != reinterpret_cast<const typename Abi::status*>(Abi::mpi_STATUS_IGNORE);
}

/// The status that a library leaves alone for sends (MPICH) must read as "empty" afterwards.
inline constexpr openmpi::status empty_status(openmpi) {
    return {openmpi::mpi_ANY_SOURCE, openmpi::mpi_ANY_TAG, openmpi::mpi_SUCCESS, 0, 0};
}
inline constexpr mpich::status empty_status(mpich) {
    return {0, 0, mpich::mpi_ANY_SOURCE, mpich::mpi_ANY_TAG, mpich::mpi_SUCCESS};
}

inline constexpr standard::status empty_status(standard) {
    return {standard::mpi_ANY_SOURCE, standard::mpi_ANY_TAG, standard::mpi_SUCCESS, {}};
}

/// Presets what the runtime may leave unwritten, but not MPI_ERROR: single completions do not touch it.
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

/// Source and tag are neighbours in the statuses of every ABI: one number, which is tested and copied at once.
inline constexpr word source_and_tag(int source, int tag) {
    return static_cast<std::uint32_t>(source) | word{static_cast<std::uint32_t>(tag)} << 32;
}

/// Converts source and tag if one of them is a constant. The first two cases are the empty status and that of a message
/// with MPI_PROC_NULL, which Open MPI also gives to sends that are complete at once.
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

/// What the private part of a status holds, however it is laid out.
struct status_private {
    std::int64_t bytes;
    int cancelled; ///< 0 or 1
};
/// Open MPI leaves "cancelled" unwritten in statuses of files (4.1).
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
/// What the private part of a standard library's status holds is its secret. All libraries that have the ABI today are
/// MPICH's, and keep the two words of MPICH's own there (MPICH 5.0.2, Intel MPI 2021.19).
inline status_private private_of(const standard::status& status) {
    return private_of(mpich::status{status.internal[0], status.internal[1], 0, 0, 0});
}

/// Reads the private part of a status of the program, where we wrote it ourselves.
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

/// Copies the private part between two statuses of one layout.
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

/// Takes a status of the program to the runtime, with what the program wrote into it.
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

/// A status beside the program's, which is left alone until the call is known to have completed something.
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
    void finish_after_error() const { finish(); } // a completion that failed has a status, too
};

/// Ends a call that tests one request.
template <class P>
[[gnu::always_inline]] inline int finish_test(int code, const int* flag, const status_staged<P>& status) {
    if (code != 0) [[unlikely]]
        return finish_failed_call<P>(code, status);
    if (is_set<P>(flag))
        status.finish();
    return 0;
}

/// A status in the program's own memory: what the runtime may leave unwritten is preset before the call, source and tag
/// cross after it.
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

/// The status of a completion that the runtime writes in the program's own memory.
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

/// A status that the runtime reads, and completes in MPI_Status_set_elements and its like.
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
            set_private(copy, written_private_of(*program)); // nobody asks a runtime for the public part
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

/// Writes one status of a multiple completion, which has an error field. The two must not overlap.
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
