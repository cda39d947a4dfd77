#pragma once

#include "command/cli/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anympi::command {

/// Facts about a host: the things that a job needs on each of its hosts. `anympi doctor --this-host` prints the facts
/// on the other hosts for `anympi doctor --hosts` and `anympi run --check-hosts`. Each member is a line of text.
struct host_facts {
    std::string host;                  // the host's own name
    std::string anympi;                // the version
    std::string front;                 // the build of libmpi_abi.so.1
    std::string starter;               // start_program; empty if it is missing
    std::string library;               // the file chosen
    std::string library_problem;       // "does not exist"; empty if the file is an MPI library
    std::string mpi;                   // "MPICH 5.0.2"
    std::string build;                 // which build of this version
    std::string launcher;              // the path of the launcher; empty if none was found
    std::string shared_memory_problem; // empty if /dev/shm can be used
    std::string shared_memory_remedy;
    std::string shared_memory;        // the number of the file system of /dev/shm
    std::string second_shared_memory; // the same for the second process on this host; empty if there is one process
    std::string clock;                // milliseconds
    std::string file_time;            // the time of a file of the asking host; empty if this host does not see it
    std::string new_file_age;         // the age of a file that was made just now, in the same folder
    std::string missing_programs;     // the job's programs that this host lacks, separated by commas
};

/// The variable that holds the path of the asking host's file.
inline constexpr char shared_file_variable[] = "ANYMPI_DOCTOR_FILE";

/// Returns the facts about this host. `library` is the chosen library file. `shared_file` is the asking host's file, or
/// empty. `programs` are paths.
host_facts look_at_this_host(const std::string& library, const std::string& shared_file,
                             const std::vector<std::string>& programs);

/// Write facts as lines of text, and read them. The text may have further lines, which a shell prints when it starts.
std::string write_facts(const host_facts& facts);
std::optional<host_facts> read_facts(std::string_view text);

json json_of(const host_facts& facts);

/// Returns milliseconds since 1970.
long long read_clock();

/// Returns how far a time is outside of a period: after its end (positive), before its begin (negative), or 0.
long long distance_from(long long begin, long long end, long long time);

/// Runs `anympi doctor --this-host`.
int show_this_host(const std::vector<std::string>& programs, bool as_json);

} // namespace anympi::command
