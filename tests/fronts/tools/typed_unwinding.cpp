// An exception in one process while objects exist that the processes must end together: the job ends, and the program
// prints why. No process waits for another one that waits forever. Also exceptions that all processes catch.
#include <anympi/anympi.hpp>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace {

using anympi::at;
using anympi::Comm;
using anympi::File;
using anympi::FileMode;
using anympi::LockType;
using anympi::partitions;
using anympi::tag;
using anympi::Window;
namespace op = anympi::op;

// The first process fails. The other one waits for it.
void fail(const Comm& world) {
    if (world.rank() == 0)
        world.send(1, 99);
    world.barrier();
}

const char* const file_name = "typed-unwinding.bin";
File new_file(const Comm& comm) {
    return File::open(comm, file_name, FileMode::create | FileMode::write | FileMode::delete_on_close);
}

// Objects that only MPI uses stay open; then the exception leaves the scope of MPI.
void leave_objects() {
    const auto mpi = anympi::init();
    const Comm comm = mpi.world().duplicate();
    const auto window = Window<int>::allocate(comm, 4);
    const auto file = new_file(comm);
    const auto pending = comm.issend(std::vector<int>(100), 1 - comm.rank(), tag(7));
    fail(mpi.world());
}
void leave_memory() {
    const auto mpi = anympi::init();
    std::vector<int> memory(4);
    const auto window = Window<int>::create(mpi.world(), memory);
    fail(mpi.world());
}
void leave_epoch(std::string_view which) {
    const auto mpi = anympi::init();
    const Comm world = mpi.world();
    const auto window = Window<int>::allocate(world, 4);
    const int first[] = {0}, second[] = {1};
    const auto group = world.group();
    if (world.rank() != 0 && which.starts_with("lock")) {
        fail(world);
    } else if (which == "lock") {
        auto lock = window.lock(LockType::exclusive, 1);
        lock.put(1, 1, at(0));
        fail(world);
    } else if (which == "lock_all") {
        const auto lock = window.lock_all();
        fail(world);
    } else if (which == "fence") {
        const auto epoch = window.fence();
        fail(world);
    } else if (which == "start" && world.rank() == 0) {
        const auto epoch = window.start(group.include(second));
        fail(world);
    } else if (which == "start") {
        const auto epoch = window.post(group.include(first));
        fail(world);
    } else {
        const auto epoch = window.post(group.include(world.rank() == 0 ? second : first));
        fail(world);
    }
}
// No process receives this message.
void leave_request(std::string_view which) {
    const auto mpi = anympi::init();
    const Comm world = mpi.world();
    const int other = 1 - world.rank();
    std::vector<int> buffer(1000), more(1000);
    if (which == "send") {
        const auto request = world.issend(buffer, other, tag(1));
        fail(world);
    } else if (which == "persistent") {
        auto request = world.ssend_init(buffer, other, tag(1));
        request.start();
        fail(world);
    } else if (which == "partitioned") {
        auto request = world.psend_init(buffer, partitions(2), other);
        request.start();
        request.ready(0);
        fail(world);
    } else if (which == "scope") {
        anympi::RequestScope scope;
        scope.add(world.issend(buffer, other, tag(1)));
        fail(world);
    } else if (which == "collective") {
        if (world.rank() != 0)
            fail(world); // without this process's part
        const auto request = world.iallreduce(buffer, more, op::sum);
        fail(world);
    } else {
        const auto file = new_file(world);
        const auto transfer = file.write_ordered_begin(buffer);
        fail(world);
    }
}
void leave_session() {
    const auto session = anympi::Session::create();
    const auto comm = Comm::create_from_group(session.group("mpi://WORLD"), "typed.unwinding");
    fail(comm);
}

void leave(std::string_view what) {
    if (what == "objects")
        leave_objects();
    else if (what == "memory")
        leave_memory();
    else if (what == "session")
        leave_session();
    else if (what == "send" || what == "scope" || what == "persistent" || what == "partitioned" ||
             what == "collective" || what == "transfer")
        leave_request(what);
    else
        leave_epoch(what);
}

// Counts how often a listener hears that an object is left open.
std::atomic<int> left = 0;
const auto listener = [](const anympi::Error& error) { left += error.message().starts_with("not called"); };

int wrong = 0;
void expect(bool good, int line) {
    if (!good) {
        std::printf("line %d is wrong\n", line);
        ++wrong;
    }
}
#define EXPECT(...) expect(__VA_ARGS__, __LINE__)

// Objects that exceptions of all processes leave open are harmless, for later calls and for the end of MPI.
void catch_all() {
    const auto mpi = anympi::init();
    const Comm world = mpi.world();
    const int rank = world.rank(), other = 1 - rank;
    world.on_error(listener);
    for (int round = 0; round < 3; ++round) {
        std::vector<int> borrowed(10);
        left = 0;
        try {
            const Comm comm = world.duplicate(), second = world.duplicate();
            comm.on_error(listener);
            const auto window = Window<int>::allocate(comm, 4);
            window.on_error(listener);
            const auto file = new_file(comm);
            file.on_error(listener);
            const auto session = anympi::Session::create();
            session.on_error(listener);
            const auto buffer = second.attach_buffer(std::size_t{1000});
            second.on_error(listener);
            // These requests are completely freed: they were not started, have completed, or can be cancelled.
            const auto inactive = comm.send_init(borrowed, other);
            const auto sent = world.isend(borrowed, rank, tag(1));
            world.recv(borrowed, rank, tag(1));
            const auto coming = comm.irecv(borrowed, other, tag(2));
            // A buffer that was moved into an operation stays with the operation, which is never completed.
            const auto pending = world.issend(std::vector<int>(1'000'000), other, tag(3));
            auto persistent = world.ssend_init(std::vector<int>(10), other, tag(4));
            persistent.start();
            const auto transfer = file.write_ordered_begin(std::vector<int>(10));
            const auto [operation, completion] = anympi::start_operation();
            throw std::runtime_error("in all processes");
        } catch (const std::runtime_error&) {
        }
        // Two communicators, a window, a file, a session, a buffer, two requests, a transfer.
        EXPECT(left == 9);
        EXPECT(world.allreduce(1, op::sum) == 2);
        auto again = world.duplicate();
        again.free();
    }
}

} // namespace

int main(int, char** arguments) {
    const std::string_view what = arguments[1];
    if (what == "all") {
        catch_all();
        EXPECT(!std::filesystem::exists(file_name));
        std::puts(wrong ? "unwinding: wrong" : "unwinding: correct");
        return wrong;
    }
    try {
        leave(what);
    } catch (const std::exception&) {
    }
    return 0;
}
