#include "command/hosts/host_differences.hpp"
#include "command/run/launcher_arguments.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <unistd.h>

namespace anympi::command {
namespace {

using word_list = std::vector<std::string>;

const way_to_hosts by_ssh = {"/usr/bin/ssh", false};

host_facts healthy_facts() {
    host_facts facts;
    facts.host = "na";
    facts.anympi = "1.0";
    facts.front = "f00d";
    facts.starter = "/opt/anympi/lib/anympi/start_program";
    facts.library = "/opt/mpich/lib/libmpi.so.12";
    facts.mpi = "MPICH 5.0.2";
    facts.build = "beef";
    facts.launcher = "/opt/mpich/bin/mpiexec";
    facts.shared_memory = "7";
    facts.clock = "100000";
    facts.file_time = "90000";
    facts.new_file_age = "0";
    return facts;
}

// Returns "warning clock: 5.0 seconds ahead" for each finding about a host whose facts `change` has changed.
word_list findings_after(const std::function<void(host_facts&)>& change, const way_to_hosts& way = by_ssh) {
    host_facts there = healthy_facts();
    change(there);
    const host_answer answer = {"nb", there, "", false, 100000, 101000};
    word_list seen;
    for (const host_finding& one : compare_hosts(healthy_facts(), {answer}, way)) {
        EXPECT_EQ(one.host, "nb");
        EXPECT_FALSE(one.what.remedy.empty());
        const char* const how = one.what.how == level::problem   ? "problem "
                                : one.what.how == level::warning ? "warning "
                                                                 : "note ";
        seen.push_back(how + one.what.check + ": " + one.what.what);
    }
    return seen;
}

TEST(hosts_that_agree, have_no_findings) {
    EXPECT_EQ(findings_after([](host_facts&) {}), word_list());
    EXPECT_EQ(findings_after([](host_facts& there) { there.clock = "102900"; }), word_list());
    EXPECT_EQ(findings_after([](host_facts& there) { there.file_time = "91900"; }), word_list());
}

TEST(hosts_that_differ, are_told_with_what_is_expected) {
    const auto finding = [](std::string host_facts::*fact, const char* text) {
        const word_list seen = findings_after([&](host_facts& there) { there.*fact = text; });
        return seen.size() == 1 ? seen[0] : std::to_string(seen.size()) + " findings";
    };
    EXPECT_EQ(finding(&host_facts::anympi, "0.9"), "problem anympi: anympi 0.9, not 1.0");
    EXPECT_EQ(finding(&host_facts::front, ""), "problem anympi: libmpi_abi.so.1 of anympi is missing");
    EXPECT_EQ(finding(&host_facts::front, "cafe"), "warning anympi: another build of anympi 1.0");
    EXPECT_EQ(finding(&host_facts::starter, ""), "problem anympi: /opt/anympi/lib/anympi/start_program is missing");
    EXPECT_EQ(finding(&host_facts::library_problem, "does not exist"),
              "problem library: /opt/mpich/lib/libmpi.so.12 does not exist");
    EXPECT_EQ(finding(&host_facts::mpi, "MPICH 4.3.2"), "problem version: MPICH 4.3.2, not MPICH 5.0.2");
    EXPECT_EQ(finding(&host_facts::build, "dead"), "warning build: another build of MPICH 5.0.2");
    EXPECT_EQ(finding(&host_facts::launcher, ""), "warning launcher: /opt/mpich/bin/mpiexec is missing");
    EXPECT_EQ(finding(&host_facts::launcher, "/bin/mpiexec"),
              "warning launcher: /bin/mpiexec, not /opt/mpich/bin/mpiexec");
    EXPECT_EQ(finding(&host_facts::second_shared_memory, "8"),
              "warning shared memory: each process has a /dev/shm of its own");
    EXPECT_EQ(finding(&host_facts::second_shared_memory, "7"), "0 findings");
    EXPECT_EQ(finding(&host_facts::missing_programs, "/home/me/solver"), "problem program: /home/me/solver is missing");
    EXPECT_EQ(finding(&host_facts::clock, "106000"), "warning clock: 5.0 seconds ahead");
    EXPECT_EQ(finding(&host_facts::clock, "97500"), "warning clock: 2.5 seconds behind");
    EXPECT_EQ(finding(&host_facts::file_time, ""), "note folder: does not see the files of this working directory");
    EXPECT_EQ(finding(&host_facts::file_time, "80000"), "warning file times: a file is 10.0 seconds older than here");
    EXPECT_EQ(finding(&host_facts::new_file_age, "-3000"),
              "warning file times: a new file seems 3.0 seconds in the future");
}

TEST(hosts_that_differ, need_no_launcher_under_srun) {
    EXPECT_EQ(findings_after([](host_facts& there) { there.launcher = ""; }, {"/usr/bin/srun", true}), word_list());
}

TEST(obstacles, are_what_a_job_cannot_start_without) {
    host_facts other = healthy_facts();
    other.mpi = "MPICH 4.3.2";
    other.clock = "0";
    other.anympi = "0.9";
    host_answer dead = {"nc", std::nullopt, "ssh: no route\nto nc", false, 0, 0};
    host_answer bare = {"nd", std::nullopt, "/opt/anympi/bin/anympi is missing", true, 0, 0};
    const auto findings =
        compare_hosts(healthy_facts(), {{"nb", other, "", false, 100000, 101000}, dead, bare}, by_ssh);
    EXPECT_EQ(explain_obstacles(findings),
              "on host nb: anympi 0.9, not 1.0\non host nb: MPICH 4.3.2, not MPICH 5.0.2\n"
              "on host nc: ssh: no route?to nc\non host nd: /opt/anympi/bin/anympi is missing\n"
              "install the same anympi on all hosts, in the same place\n"
              "install the same MPI on all hosts, in the same place\nlet `ssh HOST true` work without a password\n");
    EXPECT_EQ(
        explain_obstacles(compare_hosts(healthy_facts(), {{"nb", healthy_facts(), "", false, 0, 200000}}, by_ssh)), "");
}

TEST(facts, are_read_among_other_lines) {
    host_facts facts = healthy_facts();
    facts.host = "n\nb";
    const std::string text = "Welcome to nb\n" + write_facts(facts) + "good bye\n";
    const auto read = read_facts(text);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->host, "n?b");
    EXPECT_EQ(read->mpi, "MPICH 5.0.2");
    EXPECT_EQ(read->second_shared_memory, "");
    EXPECT_FALSE(read_facts(text.substr(0, text.size() / 2)));
    EXPECT_FALSE(read_facts("a text with anympi-host: and end\n"));
}

TEST(facts, are_read_behind_a_text_without_line_end_and_before_carriage_returns) {
    std::string text = "Hello. " + write_facts(healthy_facts());
    for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; at += 2)
        text.insert(at, "\r");
    const auto read = read_facts(text);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->host, "na");
    EXPECT_EQ(read->build, "beef");
}

TEST(a_time, is_compared_with_the_period_in_which_it_was_read) {
    EXPECT_EQ(distance_from(10, 20, 15), 0);
    EXPECT_EQ(distance_from(10, 20, 27), 7);
    EXPECT_EQ(distance_from(10, 20, 8), -2);
}

// Launchers do not need ssh for this host.
TEST(this_host, has_several_names) {
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    for (const char* const name : {"localhost", "::1", static_cast<const char*>(own)})
        EXPECT_TRUE(is_this_host(name)) << name;
    for (const char* const name : {"", "me@localhost", "localhost.example.org"})
        EXPECT_FALSE(is_this_host(name)) << name;
}

TEST(list_of_hosts, has_each_host_once_without_counts) {
    EXPECT_EQ(read_host_list("na:2,nb,na,me@nc,fe80::1,+n0,"), (word_list{"na", "nb", "me@nc", "fe80::1"}));
    for (const char* name : {"-oProxyCommand=x", "a b", "$(x)", "a/b"})
        EXPECT_THROW(read_host_list(name), std::runtime_error) << name;
}

TEST(hosts_of_a_job, are_named_by_lists_or_files) {
    const std::string file = ::testing::TempDir() + "anympi-hosts-of-a-job";
    std::ofstream(file) << "# a comment\nnc slots=2\n\nnd:4 # another\n";
    EXPECT_EQ(hosts_of_job({"-hosts", "na,nb:2", "-n", "4", "/bin/sh", "-hosts", "no"}, by_ssh),
              (word_list{"na", "nb"}));
    EXPECT_EQ(hosts_of_job({"--host=na", "/bin/sh", ":", "-H", "nb", "/bin/sh"}, by_ssh), (word_list{"na", "nb"}));
    EXPECT_EQ(hosts_of_job({"-f", file, "/bin/sh"}, by_ssh), (word_list{"nc", "nd"}));
    EXPECT_EQ(hosts_of_job({"-n", "2", "/bin/sh", "-host", "na"}, by_ssh), word_list());
    setenv("PBS_NODEFILE", file.c_str(), 1);
    EXPECT_EQ(hosts_of_job({"/bin/sh"}, by_ssh), (word_list{"nc", "nd"}));
    EXPECT_EQ(hosts_of_job({"-host", "na", "/bin/sh"}, by_ssh), word_list{"na"});
    unsetenv("PBS_NODEFILE");
}

} // namespace
} // namespace anympi::command
