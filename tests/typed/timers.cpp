// Timers and counters, and their summary over all processes.
#include <anympi/timers.hpp>
#include <chrono>
#include <sstream>
#include <thread>

#include "expect_error.hpp"
#include "main.hpp"

namespace {

using anympi::Measurement;
using anympi::Measurements;
using anympi::Timers;

struct TimersTest : testing::Test {
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank(), size = world.size();

    static void sleep(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }
};

std::vector<std::string> paths_of(const Measurements& summary) {
    std::vector<std::string> paths;
    for (const Measurement& row : summary.list())
        paths.push_back(row.path);
    return paths;
}

} // namespace

TEST_F(TimersTest, nested_timers_and_counters) {
    Timers timers;
    {
        const auto all = timers.scope("all");
        for (int round = 0; round < 3; ++round) {
            timers.start("sleep");
            sleep(rank == size - 1 ? 4 : 2);
            timers.count("rounds");
            timers.count("bytes", 100.0 * (rank + 1));
            timers.stop("sleep");
        }
    }
    timers.count("rounds", 7);
    const Measurements summary = timers.summary(world);
    EXPECT_EQ(paths_of(summary),
              (std::vector<std::string>{"all", "all/sleep", "all/sleep/rounds", "all/sleep/bytes", "rounds"}));
    const Measurement all = *summary.find("all"), slept = *summary.find("all/sleep");
    EXPECT_EQ(all.processes, size);
    EXPECT_EQ(all.calls, size);
    EXPECT_EQ(all.depth, 0);
    EXPECT_EQ(slept.calls, 3 * size);
    EXPECT_EQ(slept.depth, 1);
    EXPECT_FALSE(slept.is_counter);
    EXPECT_GE(slept.min, 0.006);
    EXPECT_GE(slept.max, 0.012);
    EXPECT_GE(all.min, slept.min);
    EXPECT_LE(slept.min, slept.mean);
    EXPECT_LE(slept.mean, slept.max);
    EXPECT_NEAR(slept.mean * size, slept.total, 1e-9);
    const Measurement bytes = *summary.find("all/sleep/bytes");
    EXPECT_TRUE(bytes.is_counter);
    EXPECT_EQ(bytes.depth, 2);
    EXPECT_EQ(bytes.min, 300);
    EXPECT_EQ(bytes.max, 300 * size);
    EXPECT_EQ(bytes.max_rank, size - 1);
    EXPECT_EQ(bytes.total, 150 * size * (size + 1));
    EXPECT_EQ(bytes.mean, 150 * (size + 1));
    EXPECT_EQ(summary.find("rounds")->total, 7 * size);
    EXPECT_EQ(summary.find("all/other"), nullptr);
    EXPECT_TRUE(Timers().summary(world).list().empty());
}

TEST_F(TimersTest, trees_of_all_processes_are_united) {
    Timers timers;
    {
        const auto outer = timers.scope("outer");
        const auto own = timers.scope("of " + std::to_string(rank));
        timers.count("here", rank);
        if (rank > 0)
            timers.count("not in 0");
    }
    const Measurements summary = timers.summary(world);
    std::vector<std::string> expected{"outer"};
    for (int of = 0; of < size; ++of)
        for (const char* const end : {"", "/here", "/not in 0"})
            if (of > 0 || *end != '/' || end[1] == 'h')
                expected.push_back("outer/of " + std::to_string(of) + end);
    EXPECT_EQ(paths_of(summary), expected);
    EXPECT_EQ(summary.find("outer")->processes, size);
    for (int of = 0; of < size; ++of) {
        const Measurement* const here = summary.find("outer/of " + std::to_string(of) + "/here");
        EXPECT_EQ(here->processes, 1);
        EXPECT_EQ(here->min, of);
        EXPECT_EQ(here->max, of);
        EXPECT_EQ(here->max_rank, of);
        EXPECT_EQ(here->mean, of);
    }
    // All processes have the same result.
    EXPECT_EQ(world.broadcast_object(summary.json(), 0), summary.json());
}

TEST_F(TimersTest, stop_in_order) {
    Timers timers;
    EXPECT_MPI_ERROR(timers.stop("none"), arg, "Timers::stop");
    timers.start("one");
    timers.start("two");
    EXPECT_MPI_ERROR(timers.stop("one"), arg, "Timers::stop");
    timers.stop("two");
    timers.stop("one");
    {
        const auto scope = timers.scope("scope");
        timers.start("forgotten"); // the end of the scope stops it
    }
    {
        const auto scope = timers.scope("scope");
        timers.stop("scope"); // before its end
        timers.start("runs");
    }
    const Measurements summary = timers.summary(world); // one timer runs
    EXPECT_EQ(summary.find("scope")->calls, 2 * size);
    EXPECT_EQ(summary.find("scope/forgotten")->calls, size);
    EXPECT_EQ(summary.find("runs")->calls, 0);
    EXPECT_EQ(summary.find("runs")->processes, 0);
    timers.stop("runs");
    EXPECT_EQ(timers.summary(world).find("runs")->calls, size);
    EXPECT_MPI_ERROR(timers.summary(anympi::Comm()), comm, "MPI_Comm_test_inter");
}

TEST_F(TimersTest, text_and_json) {
    const std::string strange("a \"name\"\\\n\0 more", 16);
    const std::string longer = "\u00e4\u00f6\u00fc more than thirty characters are here";
    Timers timers;
    timers.count(strange, 0.5);
    {
        const auto scope = timers.scope(longer);
        timers.count("many", 1e300);
        timers.count("infinite", HUGE_VAL);
    }
    const Measurements summary = timers.summary(world);
    std::istringstream text(summary.text());
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
        const auto columns = std::ranges::count_if(line, [](char byte) { return (byte & 0xC0) != 0x80; });
        EXPECT_EQ(columns, 80) << line;
    }
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_EQ(lines[0], "timer (seconds), # counter     processes     calls       min      mean       max");
    const std::string counted = std::string(10 - 1, ' ') + std::to_string(size);
    EXPECT_EQ(lines[1], "# a \"name\"\\?  more            " + counted + counted + "       0.5       0.5       0.5");
    EXPECT_EQ(lines[2].substr(0, 33), "\u00e4\u00f6\u00fc more than thirty charac...");
    EXPECT_EQ(lines[3].substr(0, 8), "  # many");

    const std::string many = std::to_string(size);
    const auto counter = [&](const std::string& value, const std::string& total) {
        return ",\"processes\":" + many + ",\"calls\":" + many + ",\"min\":" + value + ",\"mean\":" + value +
               ",\"max\":" + value + ",\"max_rank\":0,\"total\":" + total + "}";
    };
    const std::string json = summary.json();
    EXPECT_TRUE(json.starts_with("{\"timers\":[{\"name\":\"" + longer + "\",\"processes\":" + many)) << json;
    EXPECT_NE(json.find("{\"name\":\"infinite\"" + counter("null", "null")), std::string::npos) << json;
    const std::string total = size % 2 ? std::to_string(size / 2) + ".5" : std::to_string(size / 2);
    EXPECT_TRUE(
        json.ends_with(",\"counters\":[{\"name\":\"a \\\"name\\\"\\\\\\u000a  more\"" + counter("0.5", total) + "]}"))
        << json;
    EXPECT_EQ(Timers().summary(world).json(), "{\"timers\":[],\"counters\":[]}");
}
