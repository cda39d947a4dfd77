// Functions of MPI that can be made to fail. The suite writes faulty.inc, which replaces every function of mpi.h that
// returns a code by such a function before the headers of the typed API are read.
#ifndef FAULTS_HPP
#define FAULTS_HPP

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace faults {

inline bool counts = false;              // true while calls are counted
inline std::size_t calls = 0;            // so far
inline std::size_t fails = 0;            // the number of the call that fails, or 0 …
inline std::string fails_by_name;        // … or the function that fails
inline std::string failed;               // the name of the function that failed
inline std::set<std::string> all;        // all functions that failed in the whole run
inline std::map<std::string, int> times; // successful calls of each function

/// Functions that end something do so even if they fail: they first work, and then fail.
inline const std::set<std::string_view> ends{"MPI_Win_unlock",
                                             "MPI_Win_unlock_all",
                                             "MPI_Win_fence",
                                             "MPI_Win_complete",
                                             "MPI_Win_wait",
                                             "MPI_File_write_at_all_end",
                                             "MPI_File_read_at_all_end",
                                             "MPI_File_write_all_end",
                                             "MPI_File_read_all_end",
                                             "MPI_File_write_ordered_end",
                                             "MPI_File_read_ordered_end"};

/// Returns how often `act` calls a function of MPI.
template <class Act>
int calls_of(const std::string& name, const Act& act) {
    const int before = times[name];
    act();
    return times[name] - before;
}

/// A string as a template argument.
template <std::size_t N>
struct Name {
    constexpr Name(const char (&from)[N]) { std::copy_n(from, N, text); }
    char text[N];
};

template <auto Function, Name name>
struct Faulty;
template <class... Argument, int (*Function)(Argument...), Name name>
struct Faulty<Function, name> {
    static int call(Argument... arguments) {
        if (counts && (++calls == fails || fails_by_name == name.text)) {
            failed = name.text;
            all.insert(failed);
            if (ends.contains(failed))
                Function(arguments...);
            return MPI_ERR_INTERN;
        }
        ++times[name.text];
        return Function(arguments...);
    }
};

/// Runs the code under test: functions of MPI that it calls are counted. Its result is destroyed later.
template <class Act>
decltype(auto) on(const Act& act) {
    struct Counting {
        Counting() { counts = true; }
        ~Counting() { counts = false; }
    };
    const Counting counting;
    return act();
}

} // namespace faults

#endif
