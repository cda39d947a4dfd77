// The functions that replace ferrompi's functions (docs/builder/coming-from.md), with their results: windows. See
// same_as.hpp.
#include "same_as.hpp"

namespace {

namespace op = anympi::op;
using anympi::at;
using anympi::FenceAssert;
using anympi::LockType;
using anympi::PscwAssert;
using anympi::Window;

struct FerrompiWindows : Ferrompi {
    const std::vector<int> mine{100 * rank, 100 * rank + 1};
    // All processes set their memory to 10 * rank, 10 * rank + 1, …
    template <class W>
    void fill(const W& window) const {
        world.barrier();
        auto own = window.lock(LockType::exclusive, rank);
        int number = 10 * rank;
        for (auto& element : window.local())
            element = number++;
        std::move(own).unlock();
        world.barrier();
    }
};

} // namespace

TEST_F(FerrompiWindows, shared) {
    const auto node = world.split_shared();
    const auto window = anympi::SharedWindow<int>::allocate(node, 3);
    {
        SAME_AS("SharedWindow::allocate");
        EXPECT_EQ(anympi::SharedWindow<int>::allocate(node, 3).size_bytes(), 12);
        EXPECT_EQ(window.flavor(), anympi::WindowFlavor::shared);
    }
    {
        SAME_AS("SharedWindow::local_slice_mut");
        window.local()[0] = 5 + rank;
        window.local()[1] = 0;
        EXPECT_EQ(window.local()[0], 5 + rank);
    }
    {
        SAME_AS("SharedWindow::local_slice");
        EXPECT_EQ(window.local().size(), 3U);
        EXPECT_EQ(window.local().front(), 5 + rank);
    }
    {
        SAME_AS("SharedWindow::fence");
        window.fence(node);
        EXPECT_EQ(window.remote(next)[0], 5 + next);
        window.fence(node);
    }
    {
        SAME_AS("SharedWindow::remote_slice");
        EXPECT_EQ(window.remote(next).size(), 3U);
        EXPECT_EQ(window.remote(before)[0], 5 + before);
        EXPECT_EQ(window.remote(rank).data(), window.local().data());
    }
    {
        SAME_AS("SharedWindow::raw_handle");
        EXPECT_NE(window.handle(), MPI_WIN_NULL);
    }
    {
        SAME_AS("SharedWindow::comm_size");
        EXPECT_EQ(window.group().size(), size);
    }
    {
        SAME_AS("SharedWindow::lock");
        auto lock = window.lock(LockType::exclusive, 0);
        ++window.remote(0)[1];
        std::move(lock).unlock();
        world.barrier();
        EXPECT_EQ(window.remote(0)[1], size); // no increment was lost
    }
    {
        SAME_AS("SharedWindow::lock_all");
        auto lock = window.lock_all();
        lock.put(std::array{7}, next, at(2));
        std::move(lock).unlock();
        world.barrier();
        EXPECT_EQ(window.local()[2], 7);
    }
    fill(window);
    {
        auto lock = window.lock(LockType::shared, next);
        SAME_AS("LockGuard::flush"); // the target has the data
        lock.put(mine, next, at(0));
        lock.flush();
        EXPECT_EQ(window.remote(next)[1], mine[1]);
    }
    fill(window);
    {
        auto lock = window.lock_all();
        {
            SAME_AS("LockAllGuard::flush_all");
            lock.put(mine, next, at(0));
            lock.flush_all();
            EXPECT_EQ(window.remote(next)[1], mine[1]);
        }
        {
            SAME_AS("LockAllGuard::flush");
            lock.put(std::array{-8}, next, at(1));
            lock.flush(next);
            EXPECT_EQ(window.remote(next)[1], -8);
        }
    }
    world.barrier();
}

TEST_F(FerrompiWindows, over_memory) {
    if (size == 1)
        GTEST_SKIP() << "Open MPI 4 has no such windows of one process";
    std::vector<int> memory(4);
    const auto window = Window<int>::create(world, memory);
    {
        SAME_AS("Win::create");
        EXPECT_EQ(Window<int>::create(world, memory).local().data(), memory.data());
    }
    {
        SAME_AS("Win::local_slice_mut");
        window.local()[3] = 9;
        EXPECT_EQ(memory[3], 9);
    }
    {
        SAME_AS("Win::local_slice");
        EXPECT_EQ(window.local().size(), 4U);
    }
    {
        SAME_AS("Win::raw_handle");
        EXPECT_NE(window.handle(), MPI_WIN_NULL);
    }
    {
        SAME_AS("Win::comm_size");
        EXPECT_EQ(window.group().size(), size);
    }
}

TEST_F(FerrompiWindows, epochs) {
    const auto window = Window<int>::allocate(world, 4);
    {
        SAME_AS("Win::allocate");
        EXPECT_EQ(Window<int>::allocate(world, 4).local().size(), 4U);
    }
    fill(window);
    {
        SAME_AS("Win::fence");
        auto epoch = window.fence();
        epoch.put(mine, next, at(2));
        epoch.fence();
        EXPECT_EQ(window.local()[3], 100 * before + 1);
        std::move(epoch).close(FenceAssert::no_succeed);
    }
    fill(window);
    const auto to = world.group().include(std::vector{next}), from = world.group().include(std::vector{before});
    {
        SAME_AS("Win::post");
        auto exposed = window.post(from);
        auto access = window.start(to, PscwAssert::none);
        access.put(mine, next, at(0));
        std::move(access).complete();
        std::move(exposed).wait();
        EXPECT_EQ(window.local()[0], 100 * before);
    }
    {
        SAME_AS("Win::start");
        auto exposed = window.post(from);
        auto access = window.start(to);
        std::vector<int> got(1);
        access.get(got, next, at(3));
        std::move(access).complete();
        std::move(exposed).wait();
        EXPECT_EQ(got[0], 10 * next + 3);
    }
    {
        SAME_AS("Win::complete"); // the origin may use its buffers
        auto exposed = window.post(from);
        auto access = window.start(to);
        const auto got = access.get(std::vector<int>(1), next, at(1));
        std::move(access).complete();
        EXPECT_EQ(got.get(), std::vector{100 * rank + 1}); // this process has put it there
        std::move(exposed).wait();
    }
    {
        SAME_AS("Win::wait_exposure"); // the data has arrived
        auto exposed = window.post(from);
        auto access = window.start(to);
        access.put(std::array{-3}, next, at(1));
        std::move(access).complete();
        std::move(exposed).wait();
        EXPECT_EQ(window.local()[1], -3);
    }
    {
        SAME_AS("Win::test_exposure");
        auto exposed = window.post(from);
        window.start(to).put(std::array{-4}, next, at(1));
        while (!exposed.test())
            ;
        EXPECT_EQ(window.local()[1], -4);
    }
    world.barrier();
}

TEST_F(FerrompiWindows, locks) {
    const auto window = Window<int>::allocate(world, 4);
    fill(window);
    {
        SAME_AS("Win::lock");
        auto lock = window.lock(LockType::exclusive, next);
        lock.put(mine, next, at(0));
        std::move(lock).unlock();
        world.barrier();
        EXPECT_EQ(window.local()[1], 100 * before + 1);
    }
    fill(window);
    std::vector<int> got(2);
    {
        SAME_AS("WinLockGuard::flush");
        auto lock = window.lock(LockType::shared, next);
        lock.get(got, next, at(1));
        lock.flush();
        EXPECT_EQ(got, (std::vector{10 * next + 1, 10 * next + 2}));
    }
    {
        SAME_AS("Win::lock_all");
        auto lock = window.lock_all();
        lock.get(got, before, at(0));
        std::move(lock).unlock();
        EXPECT_EQ(got, (std::vector{10 * before, 10 * before + 1}));
    }
    auto all = window.lock_all();
    {
        SAME_AS("WinLockAllGuard::flush_all");
        all.get(got, next, at(2));
        all.flush_all();
        EXPECT_EQ(got, (std::vector{10 * next + 2, 10 * next + 3}));
    }
    {
        SAME_AS("WinLockAllGuard::flush");
        all.get(got, before, at(2));
        all.flush(before);
        EXPECT_EQ(got, (std::vector{10 * before + 2, 10 * before + 3}));
    }
    {
        SAME_AS("Win::flush_local"); // the buffers of this process can be used again
        all.get(got, next, at(0));
        all.flush_local(next);
        EXPECT_EQ(got, (std::vector{10 * next, 10 * next + 1}));
    }
    {
        SAME_AS("Win::flush_local_all");
        all.get(got, before, at(0));
        all.flush_local_all();
        EXPECT_EQ(got, (std::vector{10 * before, 10 * before + 1}));
    }
    world.barrier();
    {
        SAME_AS("Win::sync"); // on the window, and on its epoch
        window.local()[0] = 77;
        window.sync();
        all.sync();
        const auto own = all.get(std::vector<int>(1), rank, at(0));
        all.flush(rank);
        EXPECT_EQ(own.get(), std::vector{77});
    }
}

TEST_F(FerrompiWindows, accesses) {
    const auto window = Window<int>::allocate(world, 4);
    std::vector<int> got(2);
    const auto of_next = [&](int place) { return 10 * next + place; };
    // Runs an access under a lock; afterwards all processes have ended their accesses.
    const auto locked = [&](auto access) {
        fill(window);
        {
            auto lock = window.lock(LockType::shared, next);
            access(lock);
        }
        world.barrier();
    };
    {
        SAME_AS("Win::put");
        locked([&](auto& lock) { lock.put(mine, next, at(1)); });
        EXPECT_EQ(window.local()[2], 100 * before + 1);
        EXPECT_EQ(window.local()[3], 10 * rank + 3);
    }
    {
        SAME_AS("Win::get");
        locked([&](auto& lock) { lock.get(got, next, at(2)); });
        EXPECT_EQ(got, (std::vector{of_next(2), of_next(3)}));
    }
    {
        SAME_AS("Win::accumulate");
        locked([&](auto& lock) { lock.accumulate(mine, next, at(1), op::sum); });
        EXPECT_EQ(window.local()[1], 10 * rank + 1 + 100 * before);
    }
    {
        SAME_AS("Win::get_accumulate");
        locked([&](auto& lock) { lock.get_accumulate(mine, got, next, at(1), op::replace); });
        EXPECT_EQ(got, (std::vector{of_next(1), of_next(2)}));
        EXPECT_EQ(window.local()[2], 100 * before + 1);
    }
    {
        SAME_AS("Win::rput");
        locked([&](auto& lock) { lock.rput(mine, next, at(0)).wait(); });
        EXPECT_EQ(window.local()[1], 100 * before + 1);
    }
    {
        SAME_AS("Win::rget");
        locked([&](auto& lock) {
            lock.rget(got, next, at(0)).wait();
            EXPECT_EQ(got, (std::vector{of_next(0), of_next(1)})); // before the end of the epoch
        });
    }
    {
        SAME_AS("Win::raccumulate");
        locked([&](auto& lock) { lock.raccumulate(mine, next, at(1), op::max).wait(); });
        EXPECT_EQ(window.local()[1], std::max(10 * rank + 1, 100 * before));
    }
    {
        SAME_AS("Win::fetch_and_op");
        std::optional<int> old;
        locked([&](auto& lock) {
            const auto ticket = lock.fetch_and_op(5, next, at(0), op::sum);
            lock.flush();
            old = ticket.get();
        });
        EXPECT_EQ(old, of_next(0));
        EXPECT_EQ(window.local()[0], 10 * rank + 5);
    }
    {
        SAME_AS("Win::compare_and_swap");
        std::optional<int> old;
        locked([&](auto& lock) {
            const auto ticket = lock.compare_and_swap(-1, of_next(2), next, at(2));
            lock.flush();
            old = ticket.get();
        });
        EXPECT_EQ(old, of_next(2));
        EXPECT_EQ(window.local()[2], -1);
    }
    {
        SAME_AS("PendingFetchResult::resolve"); // after the epoch too, and an error before the flush
        std::optional<anympi::Fetched<int>> ticket;
        locked([&](auto& lock) {
            ticket.emplace(lock.fetch_and_op(0, next, at(3), op::no_op));
            EXPECT_MPI_ERROR(ticket->get(), rma_sync, "Fetched::get");
        });
        EXPECT_EQ(ticket->get(), of_next(3));
    }
}

TEST_F(FerrompiWindows, promises) {
    {
        SAME_AS("WinFenceAssert::none");
        EXPECT_EQ(static_cast<int>(FenceAssert::none), 0);
    }
    {
        SAME_AS("WinFenceAssert::no_store");
        EXPECT_EQ(static_cast<int>(FenceAssert::no_store), MPI_MODE_NOSTORE);
    }
    {
        SAME_AS("WinFenceAssert::no_put");
        EXPECT_EQ(static_cast<int>(FenceAssert::no_put), MPI_MODE_NOPUT);
    }
    {
        SAME_AS("WinFenceAssert::no_precede");
        EXPECT_EQ(static_cast<int>(FenceAssert::no_precede), MPI_MODE_NOPRECEDE);
    }
    {
        SAME_AS("WinFenceAssert::no_succeed");
        EXPECT_EQ(static_cast<int>(FenceAssert::no_succeed), MPI_MODE_NOSUCCEED);
    }
    {
        SAME_AS("WinFenceAssert::bits");
        EXPECT_EQ(static_cast<int>(FenceAssert::no_put | FenceAssert::no_store), MPI_MODE_NOPUT | MPI_MODE_NOSTORE);
    }
    {
        SAME_AS("WinPscwAssert::none");
        EXPECT_EQ(static_cast<int>(PscwAssert::none), 0);
    }
    {
        SAME_AS("WinPscwAssert::no_check");
        EXPECT_EQ(static_cast<int>(PscwAssert::no_check), MPI_MODE_NOCHECK);
    }
    {
        SAME_AS("WinPscwAssert::no_store");
        EXPECT_EQ(static_cast<int>(PscwAssert::no_store), MPI_MODE_NOSTORE);
    }
    {
        SAME_AS("WinPscwAssert::no_put");
        EXPECT_EQ(static_cast<int>(PscwAssert::no_put), MPI_MODE_NOPUT);
    }
    {
        SAME_AS("WinPscwAssert::bits");
        EXPECT_EQ(static_cast<int>(PscwAssert::no_check | PscwAssert::no_put), MPI_MODE_NOCHECK | MPI_MODE_NOPUT);
    }
}
