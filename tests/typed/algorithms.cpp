// The algorithms outside the umbrella header: exchanges, sort, reduction. The data is random, and each result is
// compared with the result of plain functions.
#include <anympi/flatten.hpp>
#include <anympi/grid_alltoall.hpp>
#include <anympi/reproducible_reduce.hpp>
#include <anympi/sort.hpp>
#include <anympi/sparse_alltoall.hpp>
#include <chrono>
#include <cstring>
#include <map>
#include <numeric>
#include <random>
#include <thread>

#include "expect_error.hpp"
#include "main.hpp"

namespace {

using anympi::Comm;
using anympi::GridAlltoall;
using anympi::Layout;
using anympi::ReproducibleReduction;
using anympi::SparseAlltoall;
namespace op = anympi::op;

struct Algorithms : testing::Test {
    const Comm world = Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank(), size = world.size();
    const std::size_t processes = static_cast<std::size_t>(size);
    std::mt19937 alike{7};                                           // the same numbers in all processes
    std::mt19937 different{static_cast<unsigned>(world.rank()) + 1}; // other numbers in each process

    int below(std::mt19937& random, int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); }
    // Two processes of different groups.
    [[nodiscard]] anympi::InterComm two_groups() const {
        const Comm half = *world.split(rank % 2);
        return anympi::InterComm::create(half, 0, world, 1 - rank % 2, anympi::tag(3));
    }
};

struct Item {
    int key;
    int source;
    int place;
    friend bool operator==(const Item&, const Item&) = default;
};

// Returns the part of a sequence that a process has, if the parts have these sizes.
template <class T>
std::vector<T> part_of(const std::vector<T>& all, const std::vector<int>& sizes, int rank) {
    const auto begin = all.begin() + std::accumulate(sizes.begin(), sizes.begin() + rank, 0);
    return {begin, begin + sizes[static_cast<std::size_t>(rank)]};
}

} // namespace

// ---- sparse all-to-all ----

TEST_F(Algorithms, sparse_messages_arrive) {
    SparseAlltoall exchange = SparseAlltoall::create(world);
    for (int round = 0; round < 20; ++round) {
        // Everyone knows everyone's messages: [source][number] is a destination and data.
        std::vector<std::vector<std::pair<int, std::vector<int>>>> everyones(processes);
        for (int source = 0; source < size; ++source)
            for (int number = below(alike, 5); number > 0; --number)
                everyones[static_cast<std::size_t>(source)].emplace_back(
                    below(alike, size), std::vector<int>(alike() % 4, 1000 * round + 10 * source + number));
        std::vector<std::pair<int, std::vector<int>>> expected;
        for (int source = 0; source < size; ++source)
            for (const auto& [destination, data] : everyones[static_cast<std::size_t>(source)])
                if (destination == rank)
                    expected.emplace_back(source, data);
        EXPECT_EQ(exchange.exchange(everyones[static_cast<std::size_t>(rank)]), expected);
    }
}

TEST_F(Algorithms, sparse_exchanges_do_not_mix) {
    SparseAlltoall exchange = SparseAlltoall::create(world), other = SparseAlltoall::create(world);
    // Some processes are late, so that others begin the next exchange before.
    for (int round = 0; round < 300; ++round) {
        const std::vector<std::pair<int, int>> messages(static_cast<std::size_t>(below(different, 3)),
                                                        {(rank + 1) % size, round});
        if (below(different, 8) == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(below(different, 200)));
        SparseAlltoall& used = round % 5 == 0 ? other : exchange;
        for (const auto& [source, number] : used.exchange(messages)) {
            EXPECT_EQ(source, (rank + size - 1) % size);
            ASSERT_EQ(number, round);
        }
    }
}

TEST_F(Algorithms, sparse_takes_maps_and_values) {
    const std::map<int, std::string> texts{{(rank + 1) % size, "from " + std::to_string(rank)}};
    const int before = (rank + size - 1) % size;
    const std::vector<std::pair<int, std::string>> text{{before, "from " + std::to_string(before)}};
    EXPECT_EQ(anympi::sparse_alltoall(world, texts), text);

    const std::multimap<int, Item> items{{0, {1, rank, 0}}, {0, {2, rank, 1}}};
    const auto got = anympi::sparse_alltoall(world, items);
    ASSERT_EQ(got.size(), rank == 0 ? 2 * processes : 0);
    for (std::size_t place = 0; place < got.size(); ++place) {
        const int source = static_cast<int>(place / 2), number = static_cast<int>(place % 2);
        EXPECT_EQ(got[place], std::pair(source, Item{number + 1, source, number}));
    }

    std::array numbers{1.5, 2.5};
    const std::vector<std::pair<int, std::span<double>>> spans{{rank, numbers}};
    const std::vector<std::pair<int, std::vector<double>>> mine{{rank, {1.5, 2.5}}};
    EXPECT_EQ(anympi::sparse_alltoall(world, spans), mine);

    // Large messages, which libraries send only when they are being received, in a ring and to oneself.
    const std::vector<std::pair<int, std::vector<long>>> large{{(rank + 1) % size, std::vector<long>(100'000, rank)},
                                                               {rank, std::vector<long>(100'000, -rank)}};
    const auto received = anympi::sparse_alltoall(world, large);
    ASSERT_EQ(received.size(), 2U);
    for (const auto& [source, data] : received)
        EXPECT_EQ(data.size(), 100'000U);
}

TEST_F(Algorithms, sparse_errors_reach_all_processes) {
    SparseAlltoall exchange = SparseAlltoall::create(world);
    for (const int wrong : {-1, size, anympi::proc_null}) {
        std::vector<std::pair<int, int>> messages{{0, rank}};
        if (rank == size - 1)
            messages.emplace_back(wrong, 1);
        EXPECT_MPI_ERROR(exchange.exchange(messages), rank, "SparseAlltoall::exchange");
        const auto good = exchange.exchange(std::vector<std::pair<int, int>>{{rank, rank}});
        EXPECT_EQ(good, (std::vector<std::pair<int, int>>{{rank, rank}}));
    }
    // As an int, this number is 0.
    const std::map<std::int64_t, int> wide{{std::int64_t(1) << 32, 1}};
    EXPECT_MPI_ERROR(exchange.exchange(wide), rank, "SparseAlltoall::exchange");
    const auto own = exchange.exchange(std::map<std::uint64_t, int>{{static_cast<std::uint64_t>(rank), rank}});
    EXPECT_EQ(own, (std::vector<std::pair<int, int>>{{rank, rank}}));
    EXPECT_MPI_ERROR(SparseAlltoall::create(Comm()), comm, "MPI_Comm_test_inter");
    if (size > 1)
        EXPECT_MPI_ERROR(SparseAlltoall::create(two_groups()), comm, "SparseAlltoall::create");
}

TEST_F(Algorithms, flattens_data_by_destination) {
    std::vector<std::vector<int>> buckets(processes);
    std::multimap<int, int> numbers;
    std::vector<int> data;
    std::vector<std::size_t> counts;
    for (std::vector<int>& bucket : buckets) {
        bucket.assign(static_cast<std::size_t>(below(different, 4)), below(different, 100));
        for (const int number : bucket)
            numbers.emplace(static_cast<int>(counts.size()), number);
        data.insert(data.end(), bucket.begin(), bucket.end());
        counts.push_back(bucket.size());
    }
    const auto of_buckets = anympi::flattened(buckets);
    EXPECT_EQ(of_buckets.data, data);
    EXPECT_EQ(of_buckets.counts, counts);
    const auto of_numbers = anympi::flattened(numbers, size);
    EXPECT_EQ(of_numbers.data, data);
    EXPECT_EQ(of_numbers.counts, counts);
    std::vector<int> expected;
    for (const auto& [source, number] : anympi::sparse_alltoall(world, numbers))
        expected.push_back(number);
    EXPECT_EQ(world.alltoallv(of_numbers.data, of_numbers.counts), expected);
    for (const std::int64_t wrong : {std::int64_t(-1), std::int64_t(size), std::int64_t(1) << 32})
        EXPECT_MPI_ERROR(anympi::flattened(std::map<std::int64_t, int>{{wrong, 1}}, size), rank, "flattened");
}

// ---- grid all-to-all ----

TEST_F(Algorithms, every_grid_has_a_place_for_each_process) {
    for (int many = 1; many <= 200; ++many) {
        const anympi::detail::ProcessGrid grid(many);
        EXPECT_LE(grid.rest, grid.rows);
        EXPECT_LE(grid.columns + grid.rows, 2 * std::sqrt(many) + 2);
        std::vector<int> senders, in_columns(static_cast<std::size_t>(grid.columns));
        for (int row = 0; row < grid.rows; ++row)
            for (int number = 0; number < grid.senders_in(row); ++number) {
                senders.push_back(grid.sender(row, number));
                EXPECT_EQ(grid.row_of(senders.back()), row);
                ++in_columns[static_cast<std::size_t>(grid.column_of(senders.back()))];
            }
        std::sort(senders.begin(), senders.end());
        std::vector<int> all(static_cast<std::size_t>(many));
        std::iota(all.begin(), all.end(), 0);
        EXPECT_EQ(senders, all);
        for (int column = 0; column < grid.columns; ++column)
            EXPECT_EQ(in_columns[static_cast<std::size_t>(column)], grid.processes_in(column));
    }
}

TEST_F(Algorithms, grid_is_like_alltoallv) {
    const GridAlltoall grid = GridAlltoall::create(world);
    EXPECT_GE(grid.rows() * grid.columns(), size);
    EXPECT_LE((grid.rows() - 1) * grid.columns(), size);
    for (int round = 0; round < 20; ++round) {
        std::vector<int> counts(processes);
        std::vector<Item> items;
        for (int& count : counts)
            for (count = below(different, round % 4 == 0 ? 1 : 6); count > static_cast<int>(items.size()) % 7;)
                --count; // some sizes depend on others
        for (int place = 0; place < std::accumulate(counts.begin(), counts.end(), 0); ++place)
            items.push_back({below(different, 100), rank, place});
        const std::vector<Item> expected = world.alltoallv(items, counts);
        EXPECT_EQ(grid.alltoallv(items, counts), expected);
        const auto [values, layout] = grid.alltoallv(items, counts, anympi::with_layout);
        EXPECT_EQ(values, expected);
        EXPECT_EQ(layout.counts(), world.alltoallv(items, counts, anympi::with_layout).layout.counts());
    }
    const std::vector<double> halves(processes, 0.5 * rank);
    EXPECT_EQ(grid.alltoallv(halves, std::vector<int>(processes, 1)), world.alltoall(halves));
}

TEST_F(Algorithms, grid_errors_reach_all_processes) {
    const GridAlltoall grid = GridAlltoall::create(world);
    const std::vector<int> data(processes);
    for (const int wrong : {-1, 2}) {
        std::vector<int> counts(processes, 1);
        if (rank == 0)
            counts.back() = wrong;
        EXPECT_MPI_ERROR(grid.alltoallv(data, counts), count, "GridAlltoall::alltoallv");
    }
    const std::vector<int> many(processes + (rank == size - 1), 1);
    EXPECT_MPI_ERROR(grid.alltoallv(data, many), count, "GridAlltoall::alltoallv");
    EXPECT_EQ(grid.alltoallv(data, std::vector<int>(processes, 1)), data);
    if (size > 1)
        EXPECT_MPI_ERROR(GridAlltoall::create(two_groups()), comm, "GridAlltoall::create");
}

// ---- sort ----

TEST_F(Algorithms, sorts_anything) {
    for (int round = 0; round < 30; ++round) {
        // All the same, few or many different keys; everything on one process, nothing, few, or many elements.
        const int keys = std::array{1, 3, 1000}[static_cast<std::size_t>(round % 3)];
        const int most = std::array{0, 3, 50, 400}[static_cast<std::size_t>(round % 4)];
        const int only = round % 5 == 0 ? below(alike, size) : -1;
        const int many = most > 0 && (only < 0 || only == rank) ? below(different, most) : 0;
        std::vector<Item> items;
        for (int place = 0; place < many; ++place)
            items.push_back({below(different, keys), rank, place});
        std::vector<Item> expected = world.allgatherv(items);
        std::stable_sort(expected.begin(), expected.end(), [](const Item& a, const Item& b) { return a.key > b.key; });
        anympi::sort(world, items, std::greater<>(), &Item::key);
        const std::size_t fewest = expected.size() / processes, rest = expected.size() % processes;
        EXPECT_EQ(items.size(), fewest + (static_cast<std::size_t>(rank) < rest));
        EXPECT_EQ(world.allgatherv(items), expected);
    }
}

TEST_F(Algorithms, sorts_sorted_reversed_and_equal_data) {
    for (int kind = 0; kind < 3; ++kind) {
        std::vector<long> numbers(1000);
        for (std::size_t place = 0; place < numbers.size(); ++place) {
            const long number = rank * 1000L + static_cast<long>(place);
            numbers[place] = std::array{number, -number, static_cast<long>(place)}[static_cast<std::size_t>(kind)];
        }
        auto expected = world.allgatherv(numbers);
        std::sort(expected.begin(), expected.end());
        anympi::sort(world, numbers);
        EXPECT_EQ(numbers.size(), 1000U);
        EXPECT_EQ(world.allgatherv(numbers), expected);
    }
    std::string letters(static_cast<std::size_t>(rank), static_cast<char>('z' - rank));
    anympi::sort(world, letters);
    const std::vector<char> all = world.allgatherv(letters);
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
}

TEST_F(Algorithms, sort_needs_one_group) {
    std::vector<int> none;
    EXPECT_MPI_ERROR(anympi::sort(Comm(), none), comm, "MPI_Comm_test_inter");
    if (size > 1)
        EXPECT_MPI_ERROR(anympi::sort(two_groups(), none), comm, "sort");
}

// The samples bound the parts before they are balanced, also if all processes have the same elements.
TEST_F(Algorithms, samples_cover_all_elements) {
    for (const std::uint64_t each : {1, 5, 1000, 12'345})
        for (const std::size_t many : {1, 2, 7, 64}) {
            const anympi::detail::SamplePlaces places(each * many, many);
            std::vector<std::uint64_t> all;
            for (std::size_t of = 0; of < many; ++of) {
                const std::uint64_t count = places.count(of, each);
                for (std::uint64_t number = 0; number < count; ++number)
                    EXPECT_LT(places.place(of, number), each);
                EXPECT_GE(places.place(of, count), each);
                EXPECT_EQ(places.count(of, 0), 0U);
                for (std::uint64_t number = 0; number < count; ++number)
                    all.push_back(places.place(of, number));
            }
            EXPECT_GE(all.size(), std::min<std::uint64_t>(each * many, 16 * many) / 2);
        }
}

// ---- reproducible reduction ----

namespace {

template <class T>
std::vector<unsigned char> bits_of(const T& value) {
    std::vector<unsigned char> bits(sizeof value);
    std::memcpy(bits.data(), &value, sizeof value);
    return bits;
}

// The tree, computed by its definition.
template <class T, class Op>
T by_definition(const std::vector<T>& all, std::size_t node, std::size_t width, Op op) {
    if (width == 1)
        return all[node];
    const T left = by_definition(all, node, width / 2, op);
    return node + width / 2 < all.size() ? op(left, by_definition(all, node + width / 2, width / 2, op)) : left;
}

} // namespace

TEST_F(Algorithms, reduction_has_the_same_bits_everywhere) {
    const auto reduction = ReproducibleReduction::create(world);
    bool differs_from_usual_order = false;
    for (int round = 0; round < 60; ++round) {
        const int many = round < 20 ? round : below(alike, 3000);
        std::vector<double> all;
        for (int place = 0; place < many; ++place) { // numbers of very different sizes, which cancel each other
            const double size_of = std::ldexp(1.0, below(alike, 80) - 40);
            all.push_back(size_of * (below(alike, 2000) - 1000));
        }
        std::size_t width = 1;
        while (width < all.size())
            width *= 2;
        const double expected = all.empty() ? -1 : by_definition(all, 0, width, std::plus<>());
        differs_from_usual_order |= !all.empty() && expected != std::accumulate(all.begin(), all.end(), 0.0);
        for (int distribution = 0; distribution < 4; ++distribution) {
            std::vector<int> sizes(processes, 0);
            for (int left = many; left > 0; --left) // equal, random, all on the last one, few on the last one
                ++sizes[static_cast<std::size_t>(distribution == 0   ? left % size
                                                 : distribution == 1 ? below(alike, size)
                                                 : distribution == 2 ? size - 1
                                                                     : (left > 5 ? 0 : size - 1))];
            const auto mine = part_of(all, sizes, rank);
            EXPECT_EQ(bits_of(reduction.reduce(mine, op::sum, -1.0)), bits_of(expected)) << many << ' ' << distribution;
        }
    }
    EXPECT_TRUE(differs_from_usual_order); // otherwise this test would show nothing
}

// The same bits with fewer processes: the groups of all sizes compute them at the same time.
TEST_F(Algorithms, reduction_with_fewer_processes) {
    std::vector<float> all;
    for (int place = 0; place < 777; ++place)
        all.push_back(std::ldexp(static_cast<float>(below(alike, 2000) - 1000), below(alike, 40)));
    std::vector<std::vector<unsigned char>> found;
    for (int many = 1; many <= size; ++many) {
        const auto some = world.split(rank < many ? 0 : Comm::undefined);
        if (!some)
            continue;
        std::vector<int> sizes(static_cast<std::size_t>(many), 777 / many);
        sizes.back() += 777 % many;
        found.push_back(bits_of(anympi::reproducible_reduce(*some, part_of(all, sizes, rank), std::plus<>())));
    }
    for (const auto& bits : found)
        EXPECT_EQ(bits, found.front());
}

TEST_F(Algorithms, reduction_keeps_the_order) {
    // Composition of functions x -> a * x + b is not commutative.
    struct Linear {
        unsigned a, b;
        bool operator==(const Linear&) const = default;
    };
    const auto compose = [](const Linear& f, const Linear& g) { return Linear{f.a * g.a, f.a * g.b + f.b}; };
    std::vector<Linear> mine;
    for (int number = 0; number < 10 + rank; ++number)
        mine.push_back({static_cast<unsigned>(different()), static_cast<unsigned>(different())});
    Linear expected{1, 0};
    for (const Linear& next : world.allgatherv(mine))
        expected = compose(expected, next);
    EXPECT_EQ(anympi::reproducible_reduce(world, mine, compose), expected);
    EXPECT_EQ(anympi::reproducible_reduce(world, std::vector<int>(), std::plus<>(), 42), 42);
    EXPECT_EQ(anympi::reproducible_reduce(world, std::array{rank}, op::max), size - 1);
    if (size > 1)
        EXPECT_MPI_ERROR(ReproducibleReduction::create(two_groups()), comm, "ReproducibleReduction::create");
}
