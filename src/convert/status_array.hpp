#pragma once

#include "base/array.hpp"
#include "convert/status.hpp"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace anympi {

/// Converts the statuses of a call that tests requests, if it has completed some (it set its flag, or failed). Calls
/// finish() itself: returning a bool to the caller would cost MPI_Testall an instruction.
template <class Statuses, class... Count>
[[gnu::always_inline]] inline void finish_if_completed(int code, const int* flag, Statuses& statuses, Count... count) {
    if (flag != nullptr && (code != 0 || *flag != 0))
        statuses.finish(count...);
}

/// Converts the statuses that a call for some requests has written.
template <class P, class Statuses>
[[gnu::always_inline]] inline void finish_completed(const int* completed, Statuses& statuses) {
    if (completed != nullptr && *completed != P::run::mpi_UNDEFINED)
        statuses.finish(*completed);
}

/// Statuses that the program does not want.
template <class P>
struct ignored_statuses {
    run_status<P>* argument() const { return ignored_status<typename P::run>(); }
    void finish(int) const {}
};

/// The statuses of MPI_Waitall. The runtime writes its smaller statuses packed into the program's array, and finish()
/// expands them from the last to the first.
template <class P>
class packed_statuses {
    static_assert(sizeof(run_status<P>) <= sizeof(app_status<P>));

public:
    packed_statuses(int length, app_status<P>* program)
        : count(is_wanted<typename P::app>(program) ? length : 0), statuses(program) {
        constexpr auto empty = empty_status(typename P::run{});
        for (int i = 0; i < count; ++i)
            std::memcpy(packed(i), &empty, sizeof empty);
    }
    bool lacks_memory() const { return false; }
    run_status<P>* argument() {
        return is_wanted<typename P::app>(statuses) ? reinterpret_cast<run_status<P>*>(statuses)
                                                    : ignored_status<typename P::run>();
    }
    void finish(int) {
        for (int i = count - 1; i >= 0; --i) {
            run_status<P> from;
            std::memcpy(&from, packed(i), sizeof from);
            status_to_app<P>(statuses[i], from);
        }
    }

private:
    char* packed(int i) {
        return reinterpret_cast<char*>(statuses) + static_cast<std::size_t>(i) * sizeof(run_status<P>);
    }

    int count;
    app_status<P>* statuses;
};

/// The statuses of calls that may complete only some requests. They are staged beside the program's array, which keeps
/// the statuses of requests that are not complete.
template <class P>
class staged_statuses {
public:
    staged_statuses(int length, app_status<P>* program)
        : count(is_wanted<typename P::app>(program) && length > 0 ? length : 0), statuses(program),
          staged(static_cast<std::size_t>(count)) {
        constexpr auto empty = empty_status(typename P::run{});
        if (!staged.lacks_memory())
            for (int i = 0; i < count; ++i)
                staged[static_cast<std::size_t>(i)] = empty;
    }
    bool lacks_memory() const { return staged.lacks_memory(); }
    run_status<P>* argument() {
        return is_wanted<typename P::app>(statuses) ? staged.data() : ignored_status<typename P::run>();
    }
    void finish(int completed) {
        for (int i = 0; i < completed && i < count; ++i)
            status_to_app<P>(statuses[i], staged[static_cast<std::size_t>(i)]);
    }

private:
    int count;
    app_status<P>* statuses;
    scratch<run_status<P>, 64> staged;
};

/// The statuses of MPI_Waitall: packed if they fit into the program's array.
template <class P>
using all_statuses =
    std::conditional_t<sizeof(run_status<P>) <= sizeof(app_status<P>), packed_statuses<P>, staged_statuses<P>>;

} // namespace anympi
