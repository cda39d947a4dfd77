// The functions that replace ferrompi's functions (docs/builder/coming-from.md), with their results: the environment,
// messages, requests, groups, datatypes, infos, errors, reports. See same_as.hpp.
#include <cstdlib>
#include <fstream>
#include <numeric>

#include "main.hpp"
#include "same_as.hpp"

namespace {

namespace op = anympi::op;
using anympi::Comm;
using anympi::Comparison;
using anympi::Datatype;
using anympi::Error;
using anympi::ErrorClass;
using anympi::Group;
using anympi::Info;
using anympi::RequestSet;
using anympi::ThreadLevel;

// Sets variables as Slurm does, and removes them again.
struct SlurmJob {
    static constexpr std::pair<const char*, const char*> variables[] = {{"SLURM_JOB_ID", "4711"},
                                                                        {"SLURM_LOCALID", "1"},
                                                                        {"SLURM_TASKS_PER_NODE", "4(x2),3"},
                                                                        {"SLURM_NODEID", "2"},
                                                                        {"SLURM_JOB_NUM_NODES", "3"},
                                                                        {"SLURM_CPUS_PER_TASK", "8"},
                                                                        {"SLURMD_NODENAME", "node07"},
                                                                        {"SLURM_JOB_NODELIST", "node[05-07]"}};
    SlurmJob() {
        unsetenv("SLURM_STEP_TASKS_PER_NODE");
        for (const auto& [name, value] : variables)
            setenv(name, value, 1);
    }
    ~SlurmJob() {
        for (const auto& [name, value] : variables)
            unsetenv(name);
    }
};

// Cannot be sent without a datatype, because its array of numbers is private.
class Opaque {
public:
    Opaque() = default;
    explicit Opaque(int first) : numbers_{first, first + 1} {}
    friend bool operator==(const Opaque&, const Opaque&) = default;

private:
    int numbers_[2]{};
};

} // namespace

TEST_F(Ferrompi, environment) {
    int level = -1, flag = 0, number = 0, part = 0, length = 0;
    MPI_Query_thread(&level);
    {
        SAME_AS("Mpi::init"); // an error if MPI has been initialized
        EXPECT_MPI_ERROR(anympi::init(), other, "MPI_Init_thread");
    }
    {
        SAME_AS("Mpi::init_thread");
        EXPECT_MPI_ERROR(anympi::init(ThreadLevel::multiple), other, "MPI_Init_thread");
    }
    {
        SAME_AS("Mpi::thread_level");
        EXPECT_EQ(static_cast<int>(environment().thread_level()), level);
        EXPECT_LT(ThreadLevel::single, ThreadLevel::multiple);
    }
    {
        SAME_AS("Mpi::world");
        EXPECT_EQ(environment().world().handle(), MPI_COMM_WORLD);
    }
    {
        SAME_AS("Mpi::create_from_group");
        const Comm made = Comm::create_from_group(world.group(), "ferrompi");
        EXPECT_EQ(made.rank(), rank);
        EXPECT_EQ(made.allreduce(1, op::sum), size);
        EXPECT_MPI_ERROR(Comm::create_from_group(world.group(), std::string("a\0b", 3)), arg,
                         "MPI_Comm_create_from_group");
    }
    {
        SAME_AS("Mpi::buffer_attach");
        environment().attach_buffer(std::size_t{100000});
        world.bsend(rank, next, tag);
        EXPECT_EQ(world.recv<int>(before, tag), before);
        EXPECT_MPI_ERROR(environment().attach_buffer(std::size_t{1}), buffer, "MPI_Buffer_attach");
    }
    {
        SAME_AS("Mpi::buffer_detach");
        EXPECT_EQ(environment().detach_buffer().size(), 100000U);
        EXPECT_MPI_ERROR(environment().detach_buffer(), buffer, "MPI_Buffer_detach");
    }
    {
        SAME_AS("Mpi::wtime");
        const double from = MPI_Wtime(), now = anympi::wtime(), to = MPI_Wtime();
        EXPECT_TRUE(from <= now && now <= to);
    }
    {
        SAME_AS("Mpi::library_version");
        char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
        MPI_Get_library_version(text, &length);
        EXPECT_EQ(anympi::library_version(), text);
    }
    {
        SAME_AS("Mpi::version");
        MPI_Get_version(&number, &part);
        EXPECT_EQ(anympi::version(), "MPI " + std::to_string(number) + "." + std::to_string(part));
    }
    {
        SAME_AS("Mpi::is_initialized");
        MPI_Initialized(&flag);
        EXPECT_EQ(anympi::is_initialized(), flag != 0);
        EXPECT_TRUE(anympi::is_initialized());
    }
    {
        SAME_AS("Mpi::is_finalized");
        EXPECT_FALSE(anympi::is_finalized());
    }
}

TEST_F(Ferrompi, communicators) {
    int number = -1;
    {
        SAME_AS("Communicator::rank");
        MPI_Comm_rank(MPI_COMM_WORLD, &number);
        EXPECT_EQ(world.rank(), number);
    }
    {
        SAME_AS("Communicator::size");
        MPI_Comm_size(MPI_COMM_WORLD, &number);
        EXPECT_EQ(world.size(), number);
    }
    {
        SAME_AS("Communicator::raw_handle");
        EXPECT_EQ(world.handle(), MPI_COMM_WORLD);
    }
    {
        SAME_AS("Communicator::processor_name");
        char text[MPI_MAX_PROCESSOR_NAME] = "";
        MPI_Get_processor_name(text, &number);
        EXPECT_EQ(anympi::processor_name(), text);
    }
    {
        SAME_AS("Communicator::group");
        MPI_Group theirs = MPI_GROUP_NULL;
        MPI_Comm_group(MPI_COMM_WORLD, &theirs);
        EXPECT_EQ(world.group().compare(Group(theirs, true)), Comparison::identical);
    }
    {
        SAME_AS("Communicator::duplicate");
        EXPECT_EQ(world.duplicate().compare(world), Comparison::congruent);
    }
    {
        SAME_AS("Communicator::split");
        const auto half = world.split(rank % 2, -rank); // in the reverse order
        ASSERT_TRUE(half);
        EXPECT_EQ(half->size(), (size + 1 - rank % 2) / 2);
        EXPECT_EQ(half->rank(), half->size() - 1 - rank / 2);
        EXPECT_EQ(world.split(rank == 0 ? Comm::undefined : 1, 0).has_value(), rank != 0);
    }
    {
        SAME_AS("Communicator::split_type");
        const auto node = world.split_type(anympi::SplitType::shared, 0);
        ASSERT_TRUE(node);
        EXPECT_EQ(node->size(), size); // the tests run on one machine
    }
    {
        SAME_AS("Communicator::split_shared");
        EXPECT_EQ(world.split_shared().rank(), rank);
    }
    {
        SAME_AS("Communicator::create_from_group");
        const int first[] = {0};
        const auto made = world.create(world.group().include(first));
        EXPECT_EQ(made.has_value(), rank == 0);
    }
    {
        SAME_AS("Communicator::abort"); // a test of the suite sees how a job ends (LEFT_OUT of lib/typed_coverage.py)
        EXPECT_TRUE(noexcept(std::declval<const Comm&>().handle()));
        static_assert(std::is_void_v<decltype(std::declval<const Comm&>().abort(3))>);
    }
}

TEST_F(Ferrompi, report) {
    const auto report = world.topology_report();
    {
        SAME_AS("Communicator::topology");
        const auto again = world.topology_report();
        EXPECT_EQ(again.text(), report.text());
    }
    {
        SAME_AS("TopologyInfo::hosts");
        ASSERT_EQ(report.hosts.size(), 1U);
        EXPECT_EQ(report.hosts[0].hostname, anympi::processor_name());
        std::vector<int> ranks(n);
        std::iota(ranks.begin(), ranks.end(), 0);
        EXPECT_EQ(report.hosts[0].ranks, ranks);
    }
    {
        SAME_AS("TopologyInfo::num_hosts");
        EXPECT_EQ(report.num_hosts(), 1U);
    }
    {
        SAME_AS("TopologyInfo::size");
        EXPECT_EQ(report.size, size);
    }
    {
        SAME_AS("TopologyInfo::library_version");
        EXPECT_EQ(report.library_version, anympi::library_version());
    }
    {
        SAME_AS("TopologyInfo::standard_version");
        EXPECT_EQ(report.standard_version, anympi::version());
    }
    {
        SAME_AS("TopologyInfo::thread_level");
        EXPECT_EQ(report.thread_level, environment().thread_level());
    }
    {
        SAME_AS("TopologyInfo::slurm");
        EXPECT_FALSE(report.slurm);
        const SlurmJob job;
        const auto inside = world.topology_report();
        ASSERT_TRUE(inside.slurm);
        EXPECT_EQ(inside.slurm->job_id, 4711);
        EXPECT_EQ(inside.slurm->node_list, "node[05-07]");
        EXPECT_EQ(inside.slurm->cpus_per_task, 8);
    }
}

TEST_F(Ferrompi, slurm) {
    namespace slurm = anympi::slurm;
    const auto all = [] {
        return std::tuple(slurm::job_id(), slurm::local_rank(), slurm::local_size(), slurm::num_nodes(),
                          slurm::cpus_per_task(), slurm::node_name(), slurm::node_list());
    };
    EXPECT_EQ(all(), decltype(all())()); // nothing outside of a job
    EXPECT_FALSE(slurm::is_slurm_job());
    const SlurmJob job;
    {
        SAME_AS("slurm::is_slurm_job");
        EXPECT_TRUE(slurm::is_slurm_job());
    }
    {
        SAME_AS("slurm::job_id");
        EXPECT_EQ(slurm::job_id(), 4711);
    }
    {
        SAME_AS("slurm::local_rank");
        EXPECT_EQ(slurm::local_rank(), 1);
    }
    {
        SAME_AS("slurm::local_size"); // of the third node
        EXPECT_EQ(slurm::local_size(), 3);
    }
    {
        SAME_AS("slurm::num_nodes");
        EXPECT_EQ(slurm::num_nodes(), 3);
    }
    {
        SAME_AS("slurm::cpus_per_task");
        EXPECT_EQ(slurm::cpus_per_task(), 8);
    }
    {
        SAME_AS("slurm::node_name");
        EXPECT_EQ(slurm::node_name(), "node07");
    }
    {
        SAME_AS("slurm::node_list");
        EXPECT_EQ(slurm::node_list(), "node[05-07]");
    }
}

TEST_F(Ferrompi, messages) {
    const std::vector<double> mine{rank + 0.5, rank + 1.5, rank + 2.5},
        theirs{before + 0.5, before + 1.5, before + 2.5};
    std::vector<double> room(5);
    // A message of three elements arrives in a larger buffer.
    const auto expect_arrival = [&](const anympi::Status& status) {
        EXPECT_EQ(status.source(), before);
        EXPECT_EQ(status.tag(), tag.number());
        EXPECT_EQ(status.count<double>(), 3U);
    };
    const auto expect_data = [&] {
        EXPECT_EQ(std::vector(room.begin(), room.begin() + 3), theirs);
        room.assign(5, 0);
    };
    {
        SAME_AS("Communicator::send");
        auto receiving = world.irecv(room, before, tag);
        world.send(mine, next, tag);
        expect_arrival(receiving.wait());
        expect_data();
        EXPECT_MPI_ERROR(world.send(mine, size, tag), rank, "MPI_Send");
    }
    {
        SAME_AS("Communicator::recv"); // also from any process and with any tag
        auto sending = world.isend(mine, next, tag);
        expect_arrival(world.recv(room, anympi::any_source, anympi::any_tag));
        expect_data();
        sending.wait();
        auto long_message = world.isend(mine, next, tag);
        EXPECT_MPI_ERROR(world.recv(std::span(room).first(2), before, tag), truncate, "MPI_Recv");
        long_message.wait();
    }
    {
        SAME_AS("Communicator::sendrecv");
        expect_arrival(world.sendrecv(mine, next, tag, room, before, tag));
        expect_data();
    }
    {
        SAME_AS("Communicator::isend");
        auto sending = world.isend(mine, next, tag);
        expect_arrival(world.recv(room, before, tag));
        expect_data();
        sending.wait();
        EXPECT_TRUE(sending.is_completed());
    }
    {
        SAME_AS("Communicator::irecv");
        auto receiving = world.irecv(room, before, tag);
        world.send(mine, next, tag);
        expect_arrival(receiving.wait());
        expect_data();
    }
    {
        SAME_AS("Communicator::probe");
        auto sending = world.isend(mine, next, tag);
        expect_arrival(world.probe(before, tag));
        static_cast<void>(world.recv(room, before, tag));
        sending.wait();
    }
    {
        SAME_AS("Communicator::iprobe");
        EXPECT_FALSE(world.iprobe(before, anympi::tag(23)));
        auto sending = world.isend(mine, next, tag);
        std::optional<anympi::Status> found;
        while (!found)
            found = world.iprobe(before, tag);
        expect_arrival(*found);
        static_cast<void>(world.recv(room, before, tag));
        sending.wait();
    }
}

TEST_F(Ferrompi, custom_datatypes) {
    using anympi::typed;
    using anympi::typed_each;
    const auto pair = Datatype::contiguous(2, Datatype::of<int>());
    const std::vector<Opaque> mine{Opaque(rank), Opaque(10 * rank)}, theirs{Opaque(before), Opaque(10 * before)};
    std::vector<Opaque> room(3);
    const auto expect_data = [&](const anympi::Status& status) {
        EXPECT_EQ(status.source(), before);
        EXPECT_EQ(status.count(pair.handle()), 2U); // pairs
        EXPECT_EQ(std::vector(room.begin(), room.begin() + 2), theirs);
        room.assign(3, Opaque());
    };
    // Any element, one datatype for each; a datatype on elements that can be sent.
    {
        SAME_AS("Communicator::send_custom");
        auto receiving = world.irecv(typed_each(std::span(room), pair), before, tag);
        world.send(typed_each(std::span(mine), pair), next, tag);
        expect_data(receiving.wait());
        const std::vector<int> four{1, 2, 3, 4};
        auto sending = world.isend(typed(std::span(four), pair, 2), next, tag);
        EXPECT_EQ(world.recv<std::vector<int>>(before, tag), four);
        sending.wait();
    }
    {
        SAME_AS("Communicator::recv_custom");
        auto sending = world.isend(typed_each(std::span(mine), pair), next, tag);
        expect_data(world.recv(typed_each(std::span(room), pair), before, tag));
        sending.wait();
    }
    {
        SAME_AS("Communicator::isend_custom");
        auto sending = world.isend(typed_each(std::span(mine), pair), next, tag);
        expect_data(world.recv(typed_each(std::span(room), pair), before, tag));
        sending.wait();
    }
    {
        SAME_AS("Communicator::irecv_custom");
        auto receiving = world.irecv(typed_each(std::span(room), pair), before, tag);
        world.send(typed_each(std::span(mine), pair), next, tag);
        expect_data(receiving.wait());
    }
    EXPECT_MPI_ERROR(typed_each(std::span(mine), Datatype::of<int>()), type, "typed_each");
    EXPECT_MPI_ERROR(typed_each(std::span(mine), Datatype::contiguous(2, pair).resized(0, 8)), type, "typed_each");

    std::vector<int> grid(6), three{7, 8, 9};
    const auto fill = [&](const Datatype& type) { // three integers go to the places of the datatype
        grid.assign(6, 0);
        static_cast<void>(world.sendrecv(three, rank, tag, typed(std::span(grid), type), rank, tag));
        return grid;
    };
    {
        SAME_AS("CustomDatatype::contiguous");
        EXPECT_EQ(fill(Datatype::contiguous(3, Datatype::of<int>())), (std::vector{7, 8, 9, 0, 0, 0}));
    }
    {
        SAME_AS("CustomDatatype::vector");
        EXPECT_EQ(fill(Datatype::vector(3, 1, 2, Datatype::of<int>())), (std::vector{7, 0, 8, 0, 9, 0}));
    }
    {
        SAME_AS("CustomDatatype::create_struct");
        const anympi::StructField fields[] = {{1, 4, MPI_INT}, {2, 16, MPI_INT}};
        EXPECT_EQ(fill(Datatype::structure(fields)), (std::vector{0, 7, 0, 0, 8, 9}));
    }
    {
        SAME_AS("CustomDatatype::resized");
        EXPECT_EQ(Datatype::of<int>().resized(0, 12).extent(), 12);
    }
    {
        SAME_AS("CustomDatatype::raw_handle");
        int bytes = 0;
        MPI_Type_size(pair.handle(), &bytes);
        EXPECT_EQ(bytes, 8);
    }
}

TEST_F(Ferrompi, persistent_messages) {
    const std::vector<int> mine{rank, 7};
    std::vector<int> room(2);
    auto receiving = world.recv_init(room, before, tag);
    // The same operation twice.
    const auto expect_twice = [&](auto sending) {
        for (int round = 0; round < 2; ++round) {
            room.assign(2, -1);
            receiving.start();
            world.barrier(); // a ready send needs a receiver
            sending.start();
            EXPECT_TRUE(sending.is_active());
            sending.wait();
            EXPECT_EQ(receiving.wait().source(), before);
            EXPECT_EQ(room, (std::vector{before, 7}));
            EXPECT_FALSE(sending.is_active());
        }
    };
    {
        SAME_AS("Communicator::send_init");
        expect_twice(world.send_init(mine, next, tag));
        EXPECT_EQ(room[0], before);
    }
    {
        SAME_AS("Communicator::bsend_init");
        environment().attach_buffer(std::size_t{100000});
        expect_twice(world.bsend_init(mine, next, tag));
        EXPECT_EQ(environment().detach_buffer().size(), 100000U);
    }
    {
        SAME_AS("Communicator::rsend_init");
        expect_twice(world.rsend_init(mine, next, tag));
        EXPECT_EQ(room[0], before);
    }
    {
        SAME_AS("Communicator::ssend_init");
        expect_twice(world.ssend_init(mine, next, tag));
        EXPECT_EQ(room[0], before);
    }
    {
        SAME_AS("Communicator::recv_init");
        std::vector<int> other(2);
        auto request = world.recv_init(other, before, tag);
        request.start();
        world.send(mine, next, tag);
        EXPECT_EQ(request.wait().count<int>(), 2U);
        EXPECT_EQ(other, (std::vector{before, 7}));
    }

    auto sending = world.send_init(mine, next, tag);
    {
        SAME_AS("PersistentRequest::raw_handle");
        EXPECT_NE(sending.handle(), MPI_REQUEST_NULL);
    }
    {
        SAME_AS("PersistentRequest::is_active");
        EXPECT_FALSE(sending.is_active());
    }
    {
        SAME_AS("PersistentRequest::start");
        sending.start();
        EXPECT_TRUE(sending.is_active());
        EXPECT_MPI_ERROR(sending.start(), request, "MPI_Start");
    }
    {
        SAME_AS("PersistentRequest::test");
        receiving.start();
        while (!receiving.test())
            ;
        EXPECT_FALSE(receiving.is_active());
        EXPECT_EQ(room, (std::vector{before, 7}));
    }
    {
        SAME_AS("PersistentRequest::wait");
        sending.wait();
        EXPECT_FALSE(sending.is_active());
        EXPECT_NE(sending.handle(), MPI_REQUEST_NULL); // can be started again
    }
    std::vector<int> more(1);
    std::vector<anympi::PersistentRequest> all;
    all.push_back(world.recv_init(more, before, tag));
    all.push_back(world.send_init(rank, next, tag));
    {
        SAME_AS("PersistentRequest::start_all");
        anympi::start_all(all);
        EXPECT_TRUE(all[0].is_active() && all[1].is_active());
    }
    {
        SAME_AS("PersistentRequest::wait_all");
        EXPECT_EQ(anympi::wait_all(all).size(), 2U);
        EXPECT_EQ(more[0], before);
        EXPECT_FALSE(all[0].is_active() || all[1].is_active());
    }
}

TEST_F(Ferrompi, requests) {
    int got = -1;
    std::vector<int> room(3, -1);
    // Three receives from this process. The second one gets a message.
    const auto set_of_three = [&] {
        RequestSet set;
        room.assign(3, -1);
        for (std::size_t place = 0; place < 3; ++place)
            set.add(world.irecv(room[place], rank, anympi::tag(static_cast<int>(place))));
        return set;
    };
    const auto send_to = [&](int place) { world.send(40 + place, rank, anympi::tag(place)); };
    {
        SAME_AS("Request::wait");
        auto receiving = world.irecv(got, rank, tag);
        world.send(5, rank, tag);
        receiving.wait();
        EXPECT_EQ(got, 5);
        EXPECT_TRUE(receiving.is_completed());
    }
    {
        SAME_AS("Request::test");
        auto receiving = world.irecv(got, rank, tag);
        EXPECT_FALSE(receiving.test());
        world.send(6, rank, tag);
        while (!receiving.test())
            ;
        EXPECT_EQ(got, 6);
    }
    {
        SAME_AS("Request::wait_all");
        int other = -1;
        auto one = world.irecv(got, rank, anympi::tag(1)), two = world.irecv(other, rank, anympi::tag(2));
        send_to(2);
        send_to(1);
        anympi::wait_all(one, two);
        EXPECT_TRUE(one.is_completed() && two.is_completed());
        EXPECT_EQ(got * 100 + other, 4142);
    }
    {
        SAME_AS("Request::wait_any");
        auto set = set_of_three();
        send_to(1);
        EXPECT_EQ(set.wait_any()->index, 1U);
        EXPECT_EQ(room, (std::vector{-1, 41, -1}));
        EXPECT_FALSE(RequestSet().wait_any());
    }
    {
        SAME_AS("Request::wait_some");
        auto set = set_of_three();
        send_to(2);
        const auto complete = set.wait_some();
        ASSERT_EQ(complete.size(), 1U);
        EXPECT_EQ(complete[0].index, 2U);
        EXPECT_EQ(set.active(), 2U);
    }
    {
        SAME_AS("Request::test_any");
        auto set = set_of_three();
        EXPECT_FALSE(set.test_any());
        send_to(0);
        auto found = set.test_any();
        while (!found)
            found = set.test_any();
        EXPECT_EQ(found->index, 0U);
    }
    {
        SAME_AS("Request::test_some");
        auto set = set_of_three();
        EXPECT_TRUE(set.test_some().empty());
        send_to(1);
        auto found = set.test_some();
        while (found.empty())
            found = set.test_some();
        EXPECT_EQ(found[0].index, 1U);
    }
    {
        SAME_AS("Request::get_status"); // the request stays
        auto receiving = world.irecv(got, rank, tag);
        EXPECT_FALSE(receiving.get_status());
        world.send(7, rank, tag);
        while (!receiving.get_status())
            ;
        EXPECT_FALSE(receiving.is_completed());
        receiving.wait();
        EXPECT_EQ(got, 7);
    }
    {
        SAME_AS("Request::cancel");
        auto receiving = world.irecv(got, rank, tag);
        receiving.cancel();
        EXPECT_TRUE(receiving.wait().cancelled());
    }
    auto receiving = world.irecv(got, rank, tag);
    {
        SAME_AS("Request::raw_handle");
        EXPECT_NE(receiving.handle(), MPI_REQUEST_NULL);
    }
    {
        SAME_AS("Request::is_completed");
        EXPECT_FALSE(receiving.is_completed());
        world.send(8, rank, tag);
        receiving.wait();
        EXPECT_TRUE(receiving.is_completed());
    }
}

TEST_F(Ferrompi, groups) {
    using Ranks = std::vector<std::optional<int>>;
    const Group all = world.group();
    const std::vector<int> first{0}, last{size - 1};
    const Group only_first = all.include(first), only_last = all.include(last);
    const auto has = [&](const Group& group, const std::vector<int>& wanted) { // exactly these processes of all
        Ranks ranks(wanted.begin(), wanted.end());
        std::vector<int> places(wanted.size());
        std::iota(places.begin(), places.end(), 0);
        return group.size() == static_cast<int>(wanted.size()) && group.translate_ranks(places, all) == ranks;
    };
    std::vector<int> even, odd;
    for (int process = 0; process < size; ++process)
        (process % 2 ? odd : even).push_back(process);
    const std::vector<anympi::RankRange> every_second{{0, size - 1, 2}};
    {
        SAME_AS("Group::size");
        EXPECT_EQ(all.size(), size);
        EXPECT_EQ(only_last.size(), 1);
    }
    {
        SAME_AS("Group::rank"); // nothing instead of -1
        EXPECT_EQ(all.rank(), rank);
        EXPECT_EQ(only_first.rank(), rank == 0 ? std::optional(0) : std::nullopt);
    }
    {
        SAME_AS("Group::raw_handle");
        int their_size = 0;
        MPI_Group_size(all.handle(), &their_size);
        EXPECT_EQ(their_size, size);
    }
    {
        SAME_AS("Group::undefined");
        EXPECT_EQ(Comm::undefined, MPI_UNDEFINED);
    }
    {
        SAME_AS("Group::include");
        EXPECT_TRUE(has(all.include(last), last));
    }
    {
        SAME_AS("Group::exclude");
        EXPECT_TRUE(has(all.exclude(odd), even));
    }
    {
        SAME_AS("Group::union");
        EXPECT_EQ(only_first.united(only_last).size(), size > 1 ? 2 : 1);
        EXPECT_TRUE(has(all.include(even).united(all.include(odd)).intersection(only_last), last));
    }
    {
        SAME_AS("Group::intersection");
        EXPECT_TRUE(has(all.include(even).intersection(all), even));
        EXPECT_TRUE(has(all.include(even).intersection(all.include(odd)), {}));
    }
    {
        SAME_AS("Group::difference");
        EXPECT_TRUE(has(all.difference(all.include(even)), odd));
    }
    {
        SAME_AS("Group::range_include");
        EXPECT_TRUE(has(all.range_include(every_second), even));
    }
    {
        SAME_AS("Group::range_exclude");
        EXPECT_TRUE(has(all.range_exclude(every_second), odd));
    }
    {
        SAME_AS("Group::compare");
        EXPECT_EQ(all.compare(world.group()), Comparison::identical);
        EXPECT_EQ(only_first.compare(only_last), size > 1 ? Comparison::unequal : Comparison::identical);
        if (size > 1) {
            std::vector<int> turned{1, 0}, straight{0, 1};
            EXPECT_EQ(all.include(turned).compare(all.include(straight)), Comparison::similar);
        }
    }
    {
        SAME_AS("Group::translate_ranks");
        EXPECT_EQ(only_last.translate_ranks(std::vector{0}, all), Ranks{size - 1});
        EXPECT_EQ(all.translate_ranks(first, only_last), size > 1 ? Ranks{std::nullopt} : Ranks{0});
    }
}

TEST_F(Ferrompi, infos) {
    Info info = Info::create();
    {
        SAME_AS("Info::new");
        EXPECT_TRUE(Info::create().keys().empty());
    }
    {
        SAME_AS("Info::null");
        EXPECT_TRUE(Info().is_null());
        EXPECT_EQ(Info{}.handle(), MPI_INFO_NULL);
    }
    {
        SAME_AS("Info::set");
        info.set("key", "value");
        info.set("key", "another value");
        EXPECT_EQ(info.keys(), std::vector<std::string>{"key"});
    }
    {
        SAME_AS("Info::get");
        EXPECT_EQ(info.get("key"), "another value");
        EXPECT_EQ(info.get("lock"), std::nullopt);
    }
    {
        SAME_AS("Info::raw_handle");
        int many = 0;
        MPI_Info_get_nkeys(info.handle(), &many);
        EXPECT_EQ(many, 1);
    }
}

TEST_F(Ferrompi, errors) {
    const int code = MPI_Send(&size, 1, MPI_INT, size, 0, MPI_COMM_WORLD); // there is no such process
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    {
        SAME_AS("Error::from_code");
        const auto error = Error::from_code(code);
        EXPECT_EQ(error.code(), code);
        EXPECT_EQ(error.error_class(), ErrorClass::rank);
        EXPECT_EQ(error.message(), text);
        EXPECT_EQ(error.operation(), "");
    }
    {
        SAME_AS("Error::from_code_with_op");
        const auto error = Error::from_code(code, "MPI_Send");
        EXPECT_EQ(error.operation(), "MPI_Send");
        EXPECT_EQ(error.what(), "MPI_Send: " + std::string(text));
    }
    {
        SAME_AS("Error::check");
        EXPECT_NO_THROW(anympi::check(MPI_SUCCESS));
        EXPECT_MPI_ERROR(anympi::check(code), rank, "");
    }
    {
        SAME_AS("Error::check_with_op");
        EXPECT_NO_THROW(anympi::check(MPI_SUCCESS, "MPI_Send"));
        EXPECT_MPI_ERROR(anympi::check(code, "MPI_Send"), rank, "MPI_Send");
    }
    {
        SAME_AS("MpiErrorClass::from_raw"); // a class that nobody knows keeps its number
        EXPECT_EQ(anympi::error_class_of(MPI_ERR_TRUNCATE), ErrorClass::truncate);
        EXPECT_EQ(anympi::error_class_of(MPI_ERR_WIN), ErrorClass::win);
        EXPECT_EQ(anympi::error_class_of(MPI_SUCCESS), ErrorClass::success);
        if (ANYMPI_HAS(MPI_Remove_error_class)) {
            const ErrorClass added = anympi::add_error_class("ours");
            EXPECT_EQ(anympi::error_class_of(static_cast<int>(added)), added);
            anympi::remove_error_class(added);
        }
    }
}
