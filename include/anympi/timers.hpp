// Timers and counters, with a summary over all processes. Not part of anympi.hpp.
//
// Timers form a tree: a timer that starts while another one runs belongs to that one. A counter belongs to the timer
// that runs when it counts. A timer that starts again under the same timer adds to the time that it has.
#ifndef ANYMPI_TIMERS_HPP
#define ANYMPI_TIMERS_HPP

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "steps.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {

/// A timer, in seconds, or a counter, over the processes that have it.
struct Measurement {
    std::string path;           // the names of the timers around it and its own name, with slashes between
    std::string name;           // the last name of the path
    int depth = 0;              // the number of timers around it
    bool is_counter = false;    // otherwise a timer
    int processes = 0;          // that have it
    std::int64_t calls = 0;     // of all processes
    double min = 0, max = 0;    // the smallest and the largest value of a process
    double mean = 0, total = 0; // the mean value, and the sum of all values
    int max_rank = 0;           // a process that has the largest value
};

/// The result of Timers::summary, the same in all processes.
class Measurements {
public:
    explicit Measurements(std::vector<Measurement> list) : list_(std::move(list)) {}

    /// Returns all timers and counters; those that belong to a timer follow it.
    [[nodiscard]] const std::vector<Measurement>& list() const noexcept { return list_; }
    /// Returns the timer or counter with this path, such as "solve/exchange", or nullptr.
    [[nodiscard]] const Measurement* find(std::string_view path) const noexcept {
        const auto found = std::ranges::find(list_, path, &Measurement::path);
        return found == list_.end() ? nullptr : &*found;
    }

    /// Returns a table for people, with at most 80 columns.
    [[nodiscard]] std::string text() const {
        std::string table = line("timer (seconds), # counter", "processes", "calls", "min", "mean", "max");
        for (const Measurement& row : list_)
            table += line(std::string(2 * static_cast<std::size_t>(row.depth), ' ') + (row.is_counter ? "# " : "") +
                              printable(row.name),
                          std::to_string(row.processes), std::to_string(row.calls), short_number(row.min),
                          short_number(row.mean), short_number(row.max));
        return table;
    }
    /// Returns an object of JSON with the arrays "timers" and "counters". Each timer has these arrays, too. Names must
    /// be UTF-8.
    [[nodiscard]] std::string json() const {
        std::size_t next = 0;
        return "{" + children(next, 0) + "}";
    }

private:
    static constexpr std::size_t name_width = 30, width = 10;

    static std::string line(const std::string& name, const std::string& processes, const std::string& calls,
                            const std::string& min, const std::string& mean, const std::string& max) {
        std::string text = cut(name);
        for (const std::string& cell : {processes, calls, min, mean, max})
            text += std::string(cell.size() < width ? width - cell.size() : 1, ' ') + cell;
        return text + "\n";
    }
    /// Fills or cuts the text, so that it has `name_width` characters.
    static std::string cut(const std::string& text) {
        static constexpr auto begins_character = [](char byte) {
            return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
        };
        const auto characters = static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
        if (characters <= name_width)
            return text + std::string(name_width - characters, ' ');
        std::string shorter;
        std::size_t taken = 0;
        for (const char byte : text) {
            taken += begins_character(byte);
            if (taken > name_width - 3)
                break;
            shorter += byte;
        }
        return shorter + "...";
    }
    static std::string printable(std::string text) {
        for (char& byte : text)
            if (is_control(byte))
                byte = '?';
        return text;
    }
    static bool is_control(char byte) noexcept { return static_cast<unsigned char>(byte) < 32 || byte == 127; }
    static std::string short_number(double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%.4g", value);
        return text;
    }

    /// Returns the arrays of the timers and counters of this depth, from `next` on.
    [[nodiscard]] std::string children(std::size_t& next, int depth) const {
        std::string timers, counters;
        while (next < list_.size() && list_[next].depth == depth) {
            const Measurement& row = list_[next++];
            std::string& array = row.is_counter ? counters : timers;
            array += (array.empty() ? "{" : ",{") + members(row);
            if (!row.is_counter)
                array += "," + children(next, depth + 1);
            array += "}";
        }
        return "\"timers\":[" + timers + "],\"counters\":[" + counters + "]";
    }
    static std::string members(const Measurement& row) {
        return "\"name\":" + quoted(row.name) + ",\"processes\":" + std::to_string(row.processes) +
               ",\"calls\":" + std::to_string(row.calls) + ",\"min\":" + number(row.min) +
               ",\"mean\":" + number(row.mean) + ",\"max\":" + number(row.max) +
               ",\"max_rank\":" + std::to_string(row.max_rank) + ",\"total\":" + number(row.total);
    }
    static std::string quoted(const std::string& text) {
        std::string quoted = "\"";
        for (const char byte : text) {
            if (byte == '"' || byte == '\\')
                quoted += '\\';
            if (is_control(byte)) {
                char escaped[8];
                std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(byte));
                quoted += escaped;
            } else {
                quoted += byte;
            }
        }
        return quoted + '"';
    }
    /// Does not depend on the locale. JSON has no infinite numbers.
    static std::string number(double value) {
        char text[32];
        return std::isfinite(value) ? std::string(text, std::to_chars(text, text + sizeof text, value).ptr) : "null";
    }

    std::vector<Measurement> list_;
};

namespace detail {

/// A timer or a counter of one process, with those that belong to it.
struct TimerNode {
    std::string name;
    bool is_counter = false;
    double value = 0; // seconds, or the sum of the amounts
    std::int64_t calls = 0;
    std::vector<std::unique_ptr<TimerNode>> children{};

    [[nodiscard]] TimerNode* find(std::string_view wanted, bool counts) const noexcept {
        const auto found = std::ranges::find_if(
            children, [&](const auto& child) { return child->is_counter == counts && child->name == wanted; });
        return found == children.end() ? nullptr : found->get();
    }
    TimerNode& find_or_add(std::string_view wanted, bool counts) {
        if (TimerNode* const found = find(wanted, counts))
            return *found;
        return *children.emplace_back(std::make_unique<TimerNode>(TimerNode{std::string(wanted), counts}));
    }
    void add(double amount) noexcept {
        value += amount;
        ++calls;
    }
    /// Writes the names of the tree. The text of several trees, one after the other, is the text of their union.
    void write_children(std::string& text) const {
        for (const auto& child : children) {
            text += child->is_counter ? 'c' : 't';
            text += child->name;
            text += '\0';
            child->write_children(text);
            text += ')';
        }
    }
    void read_children(std::string_view& text) {
        while (!text.empty() && text.front() != ')') {
            const bool counts = text.front() == 'c';
            const std::size_t end = text.find('\0');
            TimerNode& child = find_or_add(text.substr(1, end - 1), counts);
            text.remove_prefix(end + 1);
            child.read_children(text);
            text.remove_prefix(1);
        }
    }
};

} // namespace detail

/// Hierarchical timers and counters of a process. They use MPI_Wtime, so MPI must be running. One thread at a time may
/// use them.
class Timers {
public:
    Timers() = default;
    Timers(const Timers&) = delete; // scopes refer to it
    Timers& operator=(const Timers&) = delete;
    ~Timers() = default;

    /// Runs a timer until its end.
    class [[nodiscard]] Scope {
    public:
        Scope(Timers& timers, std::string_view name) : timers_(timers), depth_(timers.running_.size()) {
            timers.start(name);
            number_ = timers.running_.back().number;
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        /// Stops the timer, and the timers that were started meanwhile and still run.
        ~Scope() {
            if (depth_ < timers_.running_.size() && timers_.running_[depth_].number == number_)
                while (timers_.running_.size() > depth_)
                    timers_.stop_last();
        }

    private:
        Timers& timers_;
        std::size_t depth_;
        std::uint64_t number_;
    };

    /// Runs a timer as long as the returned object exists.
    Scope scope(std::string_view name) { return {*this, name}; }
    /// Starts a timer. It belongs to the timer that was started last and still runs.
    void start(std::string_view name) {
        detail::TimerNode& timer = innermost().find_or_add(without_null(name), false);
        running_.push_back({&timer, MPI_Wtime(), ++started_});
    }
    /// Stops the timer that was started last. It is an error if this timer has another name.
    result<void> stop(std::string_view name) {
        if (running_.empty() || running_.back().timer->name != without_null(name))
            ANYMPI_FAIL((detail::Fault{MPI_ERR_ARG, "this is not the timer that was started last and still runs"}),
                        "Timers::stop", detail::Nowhere{});
        stop_last();
        return detail::done();
    }
    /// Adds to a counter of the running timer.
    void count(std::string_view name, double amount = 1) {
        innermost().find_or_add(without_null(name), true).add(amount);
    }

    /// Combines the timers and counters of all processes, which all call this function. Timers with the same path
    /// belong together; some processes may lack some of them. The time of a timer that runs is counted when it stops.
    [[nodiscard]] ANYMPI_CALLS result<Measurements> summary(const Comm& comm) const {
        ANYMPI_STEP(detail::require_one_group(comm, "Timers::summary"));
        std::string names;
        root_.write_children(names);
        ANYMPI_STEP(unite(comm, names));
        detail::TimerNode all;
        std::string_view rest = names;
        all.read_children(rest);
        std::vector<Measurement> list;
        std::vector<const detail::TimerNode*> mine;
        join(all, &root_, {}, 0, list, mine);
        ANYMPI_STEP(combine(comm, mine, list));
        return Measurements(std::move(list));
    }

private:
    struct Running {
        detail::TimerNode* timer;
        double since;
        std::uint64_t number; // of the start
    };

    /// The names of trees are strings that end with a null character.
    static std::string without_null(std::string_view name) {
        std::string text(name);
        std::ranges::replace(text, '\0', ' ');
        return text;
    }
    detail::TimerNode& innermost() noexcept { return running_.empty() ? root_ : *running_.back().timer; }
    void stop_last() noexcept {
        const Running last = running_.back();
        running_.pop_back();
        last.timer->add(MPI_Wtime() - last.since);
    }

    /// Replaces the names of this process by the names of all processes. Usually all have the same, which their hash
    /// shows.
    static ANYMPI_CALLS result<void> unite(const Comm& comm, std::string& names) {
        const std::uint64_t hash = std::hash<std::string>()(names);
        std::array<std::uint64_t, 2> extremes{hash, ~hash};
        ANYMPI_STEP(comm.allreduce(in_place, extremes, op::max));
        if (extremes[0] == ~extremes[1])
            return detail::done();
        std::string trees;
        ANYMPI_STEP(comm.gatherv(names, resize_to_fit(trees), 0));
        detail::TimerNode all;
        for (std::string_view rest = trees; !rest.empty();)
            all.read_children(rest);
        names.clear();
        all.write_children(names);
        ANYMPI_STEP(comm.broadcast(resize_to_fit(names), 0));
        return detail::done();
    }
    /// Lists the nodes of a tree, and for each the node of this process, or nullptr.
    static void join(const detail::TimerNode& tree, const detail::TimerNode* own, const std::string& path, int depth,
                     std::vector<Measurement>& list, std::vector<const detail::TimerNode*>& mine) {
        for (const auto& child : tree.children) {
            const detail::TimerNode* const found = own ? own->find(child->name, child->is_counter) : nullptr;
            list.push_back({path + child->name, child->name, depth, child->is_counter});
            mine.push_back(found);
            join(*child, found, path + child->name + '/', depth + 1, list, mine);
        }
    }
    static ANYMPI_CALLS result<void> combine(const Comm& comm, const std::vector<const detail::TimerNode*>& mine,
                                             std::vector<Measurement>& list) {
        constexpr double infinite = std::numeric_limits<double>::infinity();
        ANYMPI_VALUE(rank, comm.rank());
        std::vector<std::int64_t> counts; // processes and calls
        std::vector<double> totals, smallest;
        std::vector<Indexed<double>> largest;
        for (const detail::TimerNode* node : mine) {
            const bool is_here = node && node->calls > 0;
            counts.insert(counts.end(), {is_here, is_here ? node->calls : 0});
            totals.push_back(is_here ? node->value : 0);
            smallest.push_back(is_here ? node->value : infinite);
            largest.push_back({is_here ? node->value : -infinite, rank});
        }
        ANYMPI_STEP(comm.allreduce(in_place, counts, op::sum));
        ANYMPI_STEP(comm.allreduce(in_place, totals, op::sum));
        ANYMPI_STEP(comm.allreduce(in_place, smallest, op::min));
        ANYMPI_STEP(comm.allreduce(in_place, largest, op::max_loc));
        for (std::size_t row = 0; row < list.size(); ++row) {
            Measurement& measured = list[row];
            measured.processes = static_cast<int>(counts[2 * row]);
            if (measured.processes == 0) // it runs for the first time
                continue;
            measured.calls = counts[2 * row + 1];
            measured.min = smallest[row];
            measured.max = largest[row].value;
            measured.max_rank = largest[row].index;
            measured.total = totals[row];
            measured.mean = measured.total / measured.processes;
        }
        return detail::done();
    }

    detail::TimerNode root_;
    std::vector<Running> running_;
    std::uint64_t started_ = 0;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
