// Owning objects during the unwinding of an exception that all processes have: no process waits, and everything works
// afterwards. Separate programs test exceptions that end the job.
#include <thread>

#include "expect_error.hpp"
#include "main.hpp"

namespace {

namespace op = anympi::op;
using anympi::at;
using anympi::Comm;
using anympi::tag;
using Names = std::vector<std::string>;

// The exception, which occurs in all processes.
struct Wrong {};

struct Unwinding : testing::Test {
    const Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank(), size = world.size();
    // The names of functions that listeners heard, because the functions were not called.
    Names left, failed;
    template <class Object>
    Object heard(Object object) {
        object.on_error([this](const anympi::Error& error) {
            (error.message().starts_with("not called") ? left : failed).push_back(error.operation());
        });
        return object;
    }
    Comm made() { return heard(world.duplicate()); }
    ~Unwinding() override {
        EXPECT_EQ(failed, Names());
        EXPECT_EQ(world.allreduce(1, op::sum), size);
    }
};

// Runs a function when it is destroyed.
template <class Act>
struct AtEnd {
    explicit AtEnd(Act act) : act(act) {}
    AtEnd(const AtEnd&) = delete;
    AtEnd& operator=(const AtEnd&) = delete;
    ~AtEnd() { act(); }
    Act act;
};

// Runs a function, then throws.
template <class Act>
void fail_after(const Act& act) {
    try {
        const auto live = act();
        throw Wrong();
    } catch (const Wrong&) {
    }
}

} // namespace

TEST_F(Unwinding, objects_stay_open) {
    try {
        const Comm comm = made();
        const auto window = heard(anympi::Window<int>::allocate(comm, 1));
        const auto shared = heard(anympi::SharedWindow<int>::allocate(heard(comm.split_shared()), 1));
        const auto file = heard(
            anympi::File::open(comm, "typed-unwinding.bin",
                               anympi::FileMode::create | anympi::FileMode::write | anympi::FileMode::delete_on_close));
        const auto group = comm.group(); // these functions are local
        const auto info = anympi::Info::of({{"key", "value"}});
        const auto type = anympi::Datatype::vector(2, 1, 2, anympi::Datatype::of<int>());
        throw Wrong();
    } catch (const Wrong&) {
    }
    EXPECT_EQ(left, (Names{"MPI_File_close", "MPI_Win_free", "MPI_Win_free", "MPI_Comm_free"}));
}

TEST_F(Unwinding, what_outlives_an_exception_ends_as_usual) {
    {
        const Comm comm = made();
        try {
            throw Wrong();
        } catch (const Wrong&) {
            const Comm caught = made(); // while the exception is handled
        }
        EXPECT_EQ(comm.allreduce(1, op::sum), size);
    }
    EXPECT_EQ(left, Names());
}

TEST_F(Unwinding, what_a_destructor_makes_ends_as_usual) {
    fail_after([&] { return AtEnd([&] { const Comm comm = made(); }); });
    EXPECT_EQ(left, Names());
    // The second exception inside it is newer than objects that were created before it.
    fail_after([&] { return AtEnd([&] { fail_after([&] { return made(); }); }); });
    EXPECT_EQ(left, Names{"MPI_Comm_free"});
}

TEST_F(Unwinding, what_is_moved_stays_as_old_as_it_was) {
    std::optional<Comm> kept;
    fail_after([&] {
        std::vector<Comm> all;
        for (int number = 0; number < 3; ++number)
            all.push_back(made());
        return all;
    });
    EXPECT_EQ(left, Names(3, "MPI_Comm_free"));
    left.clear();
    // A destructor takes over the object: to end it there, …
    try {
        Comm comm = made(), other = made(), third = made();
        const AtEnd takes([&] { const Comm taken = std::move(comm); });
        const AtEnd replaces([&] { other = Comm(); });
        const AtEnd saves([&] { kept = std::move(third); }); // … or later
        throw Wrong();
    } catch (const Wrong&) {
    }
    EXPECT_EQ(left, Names(2, "MPI_Comm_free"));
    left.clear();
    EXPECT_EQ(kept->allreduce(1, op::sum), size);
    kept.reset();
    EXPECT_EQ(left, Names());
    // An object that is newer than an exception, and lives longer, is older than the next exception.
    fail_after([&] { return AtEnd([&] { kept = made(); }); });
    fail_after([&] { return std::move(*kept); });
    EXPECT_EQ(left, Names{"MPI_Comm_free"});
}

TEST_F(Unwinding, operations_that_own_their_buffers_go_on) {
    const Comm comm = made();
    fail_after([&] { return comm.issend(std::vector<int>{1, 2, 3}, rank, tag(1)); });
    EXPECT_EQ(left, Names{"MPI_Wait"});
    EXPECT_EQ(comm.recv<std::vector<int>>(rank, tag(1)), (std::vector<int>{1, 2, 3}));
    left.clear();
    fail_after([&] {
        auto request = comm.ssend_init(std::vector<int>{4}, rank, tag(2));
        request.start();
        return request;
    });
    EXPECT_EQ(left, Names{"MPI_Wait"});
    EXPECT_EQ(comm.recv<int>(rank, tag(2)), 4);
    left.clear();
    fail_after([&] {
        anympi::OwningRequestSet<std::vector<int>> set;
        for (int number = 0; number < 2; ++number)
            set.add(comm.issend(std::vector<int>{number}, rank, tag(3)));
        return set;
    });
    EXPECT_EQ(left, Names(2, "MPI_Wait"));
    EXPECT_EQ(comm.recv<int>(rank, tag(3)), 0);
    EXPECT_EQ(comm.recv<int>(rank, tag(3)), 1);
}

TEST_F(Unwinding, operations_that_are_over_are_borrowers_without_harm) {
    const Comm comm = made();
    std::vector<int> sent{5}, room(1);
    fail_after([&] { return comm.irecv(room, rank, tag(1)); }); // the request is cancelled
    fail_after([&] { return comm.send_init(sent, rank, tag(1)); });
    fail_after([&] {
        auto request = comm.recv_init(room, rank, tag(1));
        request.start();
        return request;
    });
    fail_after([&] {
        auto sending = comm.isend(sent, rank, tag(1));
        comm.recv(room, rank, tag(1));
        return sending;
    });
    EXPECT_EQ(room, sent);
    fail_after([&] { // the request was started in C
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Isend(sent.data(), 1, MPI_INT, MPI_PROC_NULL, 1, comm.handle(), &request);
        return anympi::Request(request, anympi::Direction::other);
    });
    EXPECT_EQ(left, Names());
}

TEST_F(Unwinding, messages_and_buffers) {
    NEEDS(MPI_Comm_attach_buffer_c);
    const Comm comm = made();
    std::optional<anympi::CommBuffer> buffer;
    auto sending = comm.issend(std::vector<int>{6}, rank, tag(1));
    fail_after([&] { return comm.mprobe(rank, tag(1)); });
    static_cast<void>(sending.wait()); // the message was received
    EXPECT_EQ(left, Names());
    fail_after([&] {
        auto attached = comm.attach_buffer(std::size_t{2'000});
        comm.bsend(7, rank, tag(2));
        return attached;
    });
    EXPECT_EQ(left, Names{"MPI_Comm_detach_buffer"});
    EXPECT_EQ(comm.recv<int>(rank, tag(2)), 7);
    left.clear();
}

TEST_F(Unwinding, operations_of_the_program) {
    std::atomic<bool> goes_on = false;
    std::thread worker;
    MPI_Request left_alone = MPI_REQUEST_NULL;
    try {
        auto [request, completion] = anympi::start_operation();
        left_alone = request.handle();
        worker = std::thread([&goes_on, done = std::move(completion)]() mutable {
            goes_on.wait(false);
            std::move(done).complete();
        });
        throw Wrong(); // the request does not wait
    } catch (const Wrong&) {
    }
    goes_on = true;
    goes_on.notify_one();
    worker.join();
    MPI_Wait(&left_alone, MPI_STATUS_IGNORE);
    EXPECT_EQ(left_alone, MPI_REQUEST_NULL);
}

TEST_F(Unwinding, communicators_that_nobody_has_taken) {
    // Created, but not yet returned. Open MPI 4.1 may hang if other communicators are created while this creation is
    // pending.
    fail_after([&] {
        auto request = world.idup();
        anympi::wait_all(request);
        return request;
    });
}

TEST_F(Unwinding, what_was_left_ends_before_mpi) {
    fail_after([&] { return made(); });
    fail_after([&] { return heard(anympi::Window<int>::allocate(world, 1)); });
    const anympi::AttributeKey<std::shared_ptr<int>> key = anympi::AttributeKey<std::shared_ptr<int>>::create();
    const auto value = std::make_shared<int>(1);
    fail_after([&] {
        Comm comm = made();
        key.set(comm, value);
        return comm;
    });
    EXPECT_EQ(value.use_count(), 2);
    anympi::shared::LeftOpen::free_all();
    EXPECT_EQ(value.use_count(), 1);
}
