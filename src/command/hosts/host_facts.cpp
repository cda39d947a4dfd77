#include "command/hosts/host_facts.hpp"

#include "command/cli/files.hpp"
#include "command/cli/output.hpp"
#include "command/cli/own_files.hpp"
#include "command/cli/split_join.hpp"
#include "command/config/settings.hpp"
#include "command/doctor/checks.hpp"
#include "command/list/installed.hpp"
#include "command/run/find_launcher.hpp"
#include "runtime/environment.hpp"
#include "runtime/identify/fingerprint.hpp"
#include "runtime/identify/identify.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace anympi::command {
namespace {

struct known_fact {
    const char* name;
    std::string host_facts::*text;
};
constexpr known_fact known_facts[] = {
    {"host", &host_facts::host},
    {"anympi", &host_facts::anympi},
    {"front", &host_facts::front},
    {"starter", &host_facts::starter},
    {"library", &host_facts::library},
    {"library_problem", &host_facts::library_problem},
    {"mpi", &host_facts::mpi},
    {"build", &host_facts::build},
    {"launcher", &host_facts::launcher},
    {"shared_memory_problem", &host_facts::shared_memory_problem},
    {"shared_memory_remedy", &host_facts::shared_memory_remedy},
    {"shared_memory", &host_facts::shared_memory},
    {"second_shared_memory", &host_facts::second_shared_memory},
    {"clock", &host_facts::clock},
    {"file_time", &host_facts::file_time},
    {"new_file_age", &host_facts::new_file_age},
    {"missing_programs", &host_facts::missing_programs},
};

constexpr std::string_view line_start = "anympi-host: ";
constexpr std::string_view last_line = "anympi-host: end";

long long milliseconds_of(const timespec& time) {
    return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

std::string number_of_shared_memory() {
    struct stat status = {};
    return stat("/dev/shm", &status) == 0 ? std::to_string(status.st_dev) : "";
}

void look_at_library(host_facts& facts, const std::string& library) {
    facts.library = library;
    runtime::library mpi;
    const runtime::identification answer = runtime::identify(library.c_str(), mpi);
    if (answer != runtime::identification::mpi) {
        facts.library_problem = runtime::explain(answer);
        return;
    }
    const std::string fingerprint = runtime::fingerprint(mpi).text;
    const std::size_t end = fingerprint.find(';');
    facts.mpi = fingerprint.substr(0, end);
    facts.build = fingerprint.substr(end + 1);
    facts.launcher = find_launcher(mpi, read_settings()).executable;
}

std::string build_of_front() {
    runtime::library front;
    const std::string file = file_of_front(abi::standard);
    if (file.empty() || file.size() >= sizeof front.path)
        return "";
    file.copy(front.path, file.size());
    return std::string(runtime::fingerprint(front).text).substr(1); // after the semicolon
}

void look_at_times(host_facts& facts, const std::string& shared_file) {
    struct stat status = {};
    if (shared_file.empty() || stat(shared_file.c_str(), &status) != 0)
        return;
    facts.file_time = std::to_string(milliseconds_of(status.st_mtim));
    std::string other = shared_file + "-XXXXXX";
    const long long before = read_clock();
    const int descriptor = mkstemp(other.data());
    if (descriptor < 0)
        return;
    // A network file system may set the time when the file is written back.
    if (write(descriptor, "", 1) == 1 && fsync(descriptor) == 0 && fstat(descriptor, &status) == 0)
        facts.new_file_age = std::to_string(-distance_from(before, read_clock(), milliseconds_of(status.st_mtim)));
    close(descriptor);
    unlink(other.c_str());
}

// Looks at the library that the asking host has chosen, or at the library that programs run on here.
std::string library_of_this_host() {
    const char* const named = runtime::read_variable("ANYMPI_MPI");
    if (named && *named == '/' && !is_folder(named))
        return named;
    const survey machine = survey_machine();
    pass_on_messages(machine.message);
    return machine.chosen ? machine.chosen->mpi.path : "";
}

} // namespace

long long read_clock() {
    timespec now = {};
    clock_gettime(CLOCK_REALTIME, &now);
    return milliseconds_of(now);
}

long long distance_from(long long begin, long long end, long long time) {
    return time > end ? time - end : time < begin ? time - begin : 0;
}

host_facts look_at_this_host(const std::string& library, const std::string& shared_file,
                             const std::vector<std::string>& programs) {
    std::vector<std::string> missing;
    host_facts facts;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    facts.host = host;
    facts.anympi = ANYMPI_VERSION;
    facts.front = build_of_front();
    facts.starter = file_of_starter();
    look_at_library(facts, library);
    if (const finding memory = check_shared_memory(); memory.how != level::good) {
        facts.shared_memory_problem = memory.what;
        facts.shared_memory_remedy = memory.remedy;
    }
    facts.shared_memory = number_of_shared_memory();
    std::copy_if(programs.begin(), programs.end(), std::back_inserter(missing),
                 [](const std::string& program) { return !is_executable(program); });
    facts.missing_programs = join_list(missing);
    look_at_times(facts, shared_file);
    facts.clock = std::to_string(read_clock());
    return facts;
}

std::string write_facts(const host_facts& facts) {
    std::string text;
    for (const known_fact& fact : known_facts)
        if (!(facts.*fact.text).empty())
            text += fmt::format("{}{}={}\n", line_start, fact.name, printable(facts.*fact.text));
    return text + std::string(last_line) + "\n";
}

std::optional<host_facts> read_facts(std::string_view text) {
    host_facts facts;
    bool is_complete = false;
    // A line may begin with a greeting of the shell. A terminal (RequestTTY) ends it with a carriage return.
    for (std::string line : split_list(text, "\n")) {
        const std::size_t start = line.find(line_start);
        if (start == line.npos)
            continue;
        line = line.substr(start, line.find_last_not_of('\r') + 1 - start);
        is_complete = is_complete || line == last_line;
        const std::size_t equals = line.find('=');
        if (equals == line.npos)
            continue;
        const std::string name = line.substr(line_start.size(), equals - line_start.size());
        for (const known_fact& fact : known_facts)
            if (name == fact.name)
                facts.*fact.text = line.substr(equals + 1);
    }
    return is_complete ? std::optional(facts) : std::nullopt;
}

json json_of(const host_facts& facts) {
    json document = json::object();
    for (const known_fact& fact : known_facts) {
        const std::string& text = facts.*fact.text;
        document[fact.name] = text.empty() ? json(nullptr) : json(text);
    }
    return document;
}

int show_this_host(const std::vector<std::string>& programs, bool as_json) {
    // The host that asks by srun starts two processes here. They must see the same /dev/shm.
    const char* const file = std::getenv(shared_file_variable);
    const char* const number = runtime::read_variable("SLURM_LOCALID");
    if (file && number && std::string_view(number) == "1") {
        show("{}second_shared_memory={}\n", std::string(line_start), number_of_shared_memory());
        return 0;
    }
    const host_facts facts = look_at_this_host(library_of_this_host(), file ? file : "", programs);
    if (as_json)
        print_json(json_of(facts));
    else
        for (const std::string& line : split_list(write_facts(facts), "\n"))
            if (!line.empty())
                show("{}\n", line);
    return 0;
}

} // namespace anympi::command
