#include <numeric>

#include "expect_error.hpp"

namespace {

namespace op = anympi::op;
using anympi::at;
using anympi::LockType;

// Counts objects that were allocated and not freed.
template <class T>
struct Counted {
    using value_type = T;
    Counted() = default;
    template <class U>
    Counted(const Counted<U>&) {}
    T* allocate(std::size_t count) { return ++living, std::allocator<T>().allocate(count); }
    void deallocate(T* memory, std::size_t count) { --living, std::allocator<T>().deallocate(memory, count); }
    friend bool operator==(const Counted&, const Counted&) = default;
    static inline int living = 0;
};

struct Windows : testing::Test {
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank(), size = world.size();
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;

    // Open MPI 4.1 can create some windows only for several processes.
    template <class Make>
    static auto made_or_alone(Make make) -> std::optional<decltype(make())> {
        try {
            return make();
        } catch (const anympi::Error& error) {
            const bool is_open_mpi_4 = anympi::library_version().find("Open MPI v4") != std::string::npos;
            if (anympi::Comm::borrow(MPI_COMM_WORLD).size() > 1 || !is_open_mpi_4 ||
                error.error_class() != anympi::ErrorClass::win)
                throw;
            return std::nullopt;
        }
    }
};

} // namespace

TEST_F(Windows, fences) {
    std::vector<int> memory(4, -1);
    const auto made = made_or_alone([&] { return anympi::Window<int>::create(world, memory); });
    if (!made)
        GTEST_SKIP() << "this Open MPI has no windows of one process";
    const auto& window = *made;
    EXPECT_EQ(window.local().data(), memory.data());
    {
        auto epoch = window.fence();
        epoch.put(std::vector<int>{rank, rank + 1}, anympi::to(next), at(1));
        epoch.fence();
        EXPECT_EQ(memory, (std::vector<int>{-1, before, before + 1, -1}));
        epoch.fence(); // before the elements are changed again
        epoch.accumulate(std::array{10, 20}, next, at(1), op::sum);
        std::vector<int> got(1);
        epoch.fence();
        epoch.get(got, anympi::from(next), at(2));
        auto asserts = anympi::FenceAssert::no_succeed;
        asserts |= anympi::FenceAssert::no_put;
        std::move(epoch).close(asserts | anympi::FenceAssert::none);
        EXPECT_EQ(got[0], rank + 21);
    }
    EXPECT_EQ(memory[1], before + 10);
}

TEST_F(Windows, locks) {
    // Whole units of 16 bytes, because MPICH 4.0 itself confuses displacements in other windows.
    const auto window = anympi::Window<long>::allocate(world, 4);
    std::iota(window.local().begin(), window.local().end(), rank * 10L);
    world.barrier();
    std::vector<long> got(2), old(1);
    {
        auto lock = window.lock(LockType::shared, next);
        lock.get(got, next, at(1));
        lock.flush();
        EXPECT_EQ(got, (std::vector<long>{next * 10L + 1, next * 10L + 2}));
        static_cast<void>(lock.rget(old, next, at(0)).wait());
        EXPECT_EQ(old[0], next * 10L);
        lock.flush_local();
        lock.sync();
    }
    world.barrier();
    {
        auto lock = window.lock(LockType::exclusive, 0);
        const auto ticket = lock.fetch_and_op(1, 0, at(0), op::sum);
        EXPECT_MPI_ERROR(ticket.get(), rma_sync, "Fetched::get");
        EXPECT_MPI_ERROR(lock.fetch_and_op(0, 0, at(0), op::sum).get(), rma_sync, "Fetched::get");
        lock.flush();
        EXPECT_GE(ticket.get(), 0);
        EXPECT_LT(ticket.get(), size);
        std::move(lock).unlock();
    }
    world.barrier();
    {
        auto all = window.lock_all();
        static_cast<void>(all.raccumulate(std::array{5L}, next, at(2), op::sum).wait());
        static_cast<void>(all.rput(std::array{7L}, next, at(1)).wait());
        all.flush(next);
        const auto kept = all.fetch_and_op(0, next, at(2), op::no_op);
        all.flush_all();
        EXPECT_EQ(kept.get(), next * 10L + 2 + 5);
        static_cast<void>(all.rget_accumulate(std::array{1L}, old, next, at(1), op::replace).wait());
        all.flush_local(next);
        all.flush_local_all();
        EXPECT_EQ(old[0], 7);
        const auto last = all.fetch_and_op(99, next, at(1), op::replace);
        std::move(all).unlock();
        EXPECT_EQ(last.get(), 1);
    }
    world.barrier();
    {
        auto own = window.lock(LockType::exclusive, rank);
        EXPECT_EQ(window.local()[1], 99);
        std::vector<long> was(1);
        own.get_accumulate(std::array{1L}, was, rank, at(1), op::sum);
        own.flush();
        EXPECT_EQ(was[0], 99);
    }
}

TEST_F(Windows, what_was_asked_of_one_process_is_released_by_its_flush) {
    const auto window = anympi::Window<long>::allocate(world, 4);
    std::iota(window.local().begin(), window.local().end(), rank * 10L);
    world.barrier();
    using Buffer = std::vector<long, Counted<long>>;
    {
        auto all = window.lock_all();
        const auto from_next = all.fetch_and_op(0, next, at(1), op::no_op);
        const auto from_own = all.get(Buffer(2, 0), rank, at(2));
        EXPECT_MPI_ERROR(from_next.get(), rma_sync, "Fetched::get");
        all.flush(anympi::to(next));
        EXPECT_EQ(from_next.get(), next * 10L + 1);
        if (size > 1) {
            EXPECT_MPI_ERROR(from_own.get(), rma_sync, "Fetched::get");
        }
        all.flush_local(anympi::to(rank));
        EXPECT_EQ(from_own.get(), (Buffer{rank * 10L + 2, rank * 10L + 3}));
        const auto again = all.fetch_and_op(0, next, at(1), op::no_op);
        all.flush_local_all();
        EXPECT_EQ(again.get(), next * 10L + 1);
    }
    {
        auto lock = window.lock(LockType::shared, next);
        const auto got = lock.get(Buffer(1, 0), next, at(3));
        lock.flush_local();
        EXPECT_EQ(got.get(), Buffer{next * 10L + 3});
    }
    world.barrier();
    // Memory does not grow with the number of operations.
    const int before_all = Counted<long>::living;
    auto all = window.lock_all();
    for (int round = 0; round < 100; ++round) {
        all.put(Buffer{long{round}}, next, at(0));
        static_cast<void>(all.get(Buffer(1, 0), next, at(3)));
        EXPECT_EQ(Counted<long>::living, before_all + 2);
        if (round % 2 == 0)
            all.flush(next);
        else
            all.flush_local(next);
        EXPECT_EQ(Counted<long>::living, before_all);
    }
    std::move(all).unlock();
    world.barrier();
    EXPECT_EQ(window.local()[0], 99);
}

TEST_F(Windows, compare_and_swap) {
    // int, because Open MPI 4.1 itself crashes with 8 bytes.
    const auto window = anympi::Window<int>::allocate(world, 8);
    window.local()[6] = -1;
    world.barrier();
    auto lock = window.lock(LockType::shared, 0);
    const auto found = lock.compare_and_swap(rank, -1, 0, at(6));
    std::move(lock).unlock();
    EXPECT_EQ(world.allreduce(found.get() == -1 ? 1 : 0, op::sum), 1); // exactly one process wins
}

TEST_F(Windows, post_and_start) {
    auto window = anympi::Window<double>::allocate(world, 2);
    window.local()[0] = -1;
    const int origins[] = {before}, targets[] = {next};
    const auto group = world.group();
    {
        auto exposed = window.post(group.include(origins));
        auto access = window.start(group.include(targets));
        access.put(rank + 0.5, next, at(0));
        std::move(access).complete();
        std::move(exposed).wait();
    }
    EXPECT_EQ(window.local()[0], before + 0.5);
    world.barrier();
    {
        auto asserts = anympi::PscwAssert::none;
        asserts |= anympi::PscwAssert::no_store;
        auto exposed = window.post(group.include(origins), asserts | anympi::PscwAssert::none);
        {
            auto access = window.start(group.include(targets));
            access.put(rank + 1.5, next, at(0));
        }
        while (!exposed.test())
            ;
    }
    EXPECT_EQ(window.local()[0], before + 1.5);
    window.set_name("doubles");
    EXPECT_EQ(window.name(), "doubles");
    EXPECT_EQ(window.group().size(), size);
    EXPECT_TRUE(window.info());
    window.set_info(anympi::Info::of({{"no_locks", "false"}}));
}

TEST_F(Windows, shared) {
    const auto node = world.split_shared();
    auto window = anympi::SharedWindow<int>::allocate(node, 2);
    window.local()[0] = rank;
    window.local()[1] = rank * 2;
    window.fence(node);
    const auto theirs = window.remote(next);
    ASSERT_EQ(theirs.size(), 2U);
    EXPECT_EQ(theirs[1], next * 2);
    window.fence(node);
    // It is a window like others, and a place keeps its datatype.
    const anympi::Place both{0, anympi::Datatype::contiguous(2, anympi::Datatype::of<int>())};
    {
        auto epoch = window.fence();
        epoch.put(std::vector<int>{rank + 5, rank + 6}, next, both);
    }
    EXPECT_EQ(window.local()[1], before + 6);
    window.fence(node);
    window.free();
    EXPECT_TRUE(window.local().empty()); // the memory belonged to the window
    EXPECT_MPI_ERROR(window.free(), win, "MPI_Win_free");
}

TEST_F(Windows, dynamic) {
    std::vector<int> memory(2, rank);
    const auto made = made_or_alone([&] { return anympi::DynamicWindow<int>::create(world); });
    if (!made)
        GTEST_SKIP() << "this Open MPI has no windows of one process";
    const auto& window = *made;
    window.attach(memory);
    const auto places = world.allgather(anympi::DynamicWindow<int>::address(memory[1]));
    {
        auto lock = window.lock(LockType::exclusive, next);
        lock.put(rank + 100, next, at(places[static_cast<std::size_t>(next)]));
    }
    world.barrier();
    {
        // Data that other processes wrote can be read in an epoch of this process.
        auto own = window.lock(LockType::shared, rank);
        EXPECT_EQ(memory, (std::vector<int>{rank, before + 100}));
    }
    world.barrier();
    window.detach(memory);
}

TEST_F(Windows, errors) {
    const auto window = anympi::Window<int>::allocate(world, 1);
    EXPECT_MPI_ERROR(window.lock(LockType::shared, size), rank, "MPI_Win_lock");
    EXPECT_MPI_ERROR(anympi::Window<int>::allocate(anympi::Comm(), 1), comm, "MPI_Win_allocate");
    {
        auto lock = window.lock(LockType::shared, rank);
        EXPECT_MPI_ERROR(lock.put(1, size, at(0)), rank, "MPI_Put");
        EXPECT_MPI_ERROR(lock.get_accumulate(std::array{1, 2}, std::span<int>(), rank, at(0), op::sum), count,
                         "MPI_Get_accumulate");
    }
    const anympi::Window<int> none;
    EXPECT_MPI_ERROR(none.fence(), win, "MPI_Win_fence");
    // So many elements that their size in bytes overflows 64 bits to a small number.
    const std::size_t endless = (std::size_t{1} << 61) + 1;
    EXPECT_MPI_ERROR(anympi::Window<double>::allocate(world, endless), size, "MPI_Win_allocate");
    EXPECT_MPI_ERROR(anympi::SharedWindow<double>::allocate(world, endless), size, "MPI_Win_allocate_shared");
    double cell = 0;
    EXPECT_MPI_ERROR(anympi::Window<double>::create(world, std::span(&cell, endless)), size, "MPI_Win_create");
    EXPECT_MPI_ERROR(anympi::DynamicWindow<double>().attach(std::span(&cell, endless)), size, "MPI_Win_attach");
}

TEST_F(Windows, groups_and_infos) {
    using anympi::Comparison;
    using anympi::Group;
    using anympi::Info;
    const Group all = world.group();
    EXPECT_EQ(all.size(), size);
    EXPECT_EQ(all.rank(), rank);
    const int zero[] = {0};
    const Group first = all.include(zero), rest = all.exclude(zero);
    EXPECT_EQ(first.rank().has_value(), rank == 0);
    EXPECT_EQ(rest.size(), size - 1);
    EXPECT_EQ(first.united(rest).compare(all), Comparison::identical);
    EXPECT_EQ(all.intersection(first).compare(first), Comparison::identical);
    EXPECT_EQ(all.difference(rest).size(), 1);
    EXPECT_EQ(all.intersection(Group::empty()).size(), 0);
    const anympi::RankRange down[] = {{size - 1, 0, -1}};
    const Group reversed = all.range_include(down);
    EXPECT_EQ(reversed.rank(), size - 1 - rank);
    EXPECT_EQ(reversed.compare(all), size == 1 ? Comparison::identical : Comparison::similar);
    EXPECT_EQ(all.range_exclude(down).size(), 0);
    EXPECT_EQ(all.translate_ranks(zero, reversed)[0], size - 1);
    EXPECT_EQ(first.translate_ranks(zero, Group::empty())[0], std::nullopt);
    const int outside[] = {size};
    EXPECT_MPI_ERROR(all.include(outside), rank, "MPI_Group_incl");
    EXPECT_MPI_ERROR(Group().size(), group, "MPI_Group_size");

    Info info = Info::create();
    EXPECT_EQ(info.get("key"), std::nullopt);
    info.set("key", "some value");
    EXPECT_EQ(info.get("key"), "some value");
    EXPECT_EQ(info.keys(), std::vector<std::string>{"key"});
    EXPECT_EQ(info.duplicate().get("key"), "some value");
    info.erase("key");
    EXPECT_TRUE(info.keys().empty());
    EXPECT_MPI_ERROR(info.erase("key"), info_nokey, "MPI_Info_delete");
    EXPECT_EQ(Info::of({{"a", "1"}, {"b", "2"}}).keys().size(), 2U);
    EXPECT_TRUE(Info::environment());
    EXPECT_THROW(Info().set("a", "b"), anympi::Error); // libraries differ in the class
}
