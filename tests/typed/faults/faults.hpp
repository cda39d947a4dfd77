// Functions of MPI that can be made to fail. The suite writes faulty.inc, which puts one of these in the place of every
// function of mpi.h that returns a code, before the headers of the typed API are read.
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

inline bool counts = false;              // while true, calls are counted
inline std::size_t calls = 0;            // so far
inline std::size_t fails = 0;            // the number of the call that fails; none is 0 …
inline std::string fails_by_name;        // … or the function that fails
inline std::string failed;               // its name
inline std::set<std::string> all;        // that failed in the whole run
inline std::map<std::string, int> times; // that each was called, and did not fail here

/// An end that fails is an end too: these do what they are for, and then fail.
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

/// How often something calls a function of MPI.
template <class Act>
int calls_of(const std::string& name, const Act& act) {
    const int before = times[name];
    act();
    return times[name] - before;
}

/// A string as an argument of a template.
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

/// Does what is to be tested: functions of MPI that are called meanwhile count. Whatever is returned goes later.
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
