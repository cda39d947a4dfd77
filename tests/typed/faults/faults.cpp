// Every function of MPI that a function of the typed API calls fails once, in one process: the error contains its name,
// and all objects can be used afterwards as before. The headers are read with other functions instead of MPI's, so this
// is a separate program.
#include "faults.hpp"
#include "fake_ports.hpp"
#include "fake_tools.hpp"

#include "faulty.inc"

#include <anympi/anympi.hpp>
#include <anympi/flatten.hpp>
#include <anympi/grid_alltoall.hpp>
#include <anympi/reproducible_reduce.hpp>
#include <anympi/resilience.hpp>
#include <anympi/sort.hpp>
#include <anympi/sparse_alltoall.hpp>
#include <anympi/timers.hpp>
#include <filesystem>

#include "../expect_error.hpp"
#include "../reporting.hpp"

namespace {

namespace op = anympi::op;
using anympi::at;
using anympi::by;
using anympi::Comm;
using anympi::count;
using anympi::Datatype;
using anympi::Info;
using anympi::Layout;
using anympi::LockType;
using anympi::partitions;
using anympi::tag;
using faults::calls_of;
using faults::on;

// Auxiliary functions, which are called for information or to clean up. If one of them fails, the API function may
// continue.
const std::set<std::string> aside{"MPI_Finalized",           "MPI_Initialized",         "MPI_Error_class",
                                  "MPI_Error_string",        "MPI_Comm_set_errhandler", "MPI_Win_set_errhandler",
                                  "MPI_File_set_errhandler", "MPI_Type_free",           "MPI_Op_free",
                                  "MPI_Info_free",           "MPI_T_cvar_handle_free",  "MPI_T_pvar_session_free",
                                  "MPI_T_cvar_get_info",     "MPI_T_pvar_get_info",     "MPI_T_event_get_info",
                                  "MPI_Get_count_c",         "MPI_Type_get_name",       "MPI_Type_get_envelope_c"};
// The failure of these functions is reported by the call that needs their result.
const std::set<std::string> told_later{"MPI_Op_create_c",     "MPI_Get_address",        "MPI_Type_dup",
                                       "MPI_Type_contiguous", "MPI_Type_create_struct", "MPI_Type_create_resized",
                                       "MPI_Type_set_attr",   "MPI_Type_create_keyval", "MPI_Comm_size",
                                       "MPI_Comm_rank",       "MPI_Comm_test_inter"};

std::string short_name(std::string name) {
    if (name.starts_with("faulty_"))
        name.erase(0, 7);
    return std::string(anympi::detail::short_name(name));
}

// Runs `act` while one call fails. The error must contain the name of that call, or `operation`.
template <class Act>
void fail_once(const Act& act, std::size_t number, const std::string& operation) {
    faults::calls = 0;
    faults::fails = number;
    faults::failed.clear();
    bool threw = false;
    std::string named;
    try {
        act();
    } catch (const anympi::Error& error) {
        threw = true;
        named = short_name(error.operation());
        if (!told_later.contains(faults::failed) && !aside.contains(faults::failed)) {
            EXPECT_EQ(error.error_class(), anympi::ErrorClass::intern) << faults::failed << ": " << error.what();
        }
    }
    faults::fails = 0;
    if (faults::failed.empty()) { // objects that are created once exist by now
        EXPECT_LT(faults::calls, number);
        return;
    }
    if (aside.contains(faults::failed))
        return;
    EXPECT_TRUE(threw) << faults::failed << " failed, and no error was reported";
    if (threw && !told_later.contains(faults::failed)) {
        EXPECT_EQ(named, operation.empty() ? short_name(faults::failed) : operation);
    }
}

// `act` calls on(...): it runs once, and then again for each call of MPI in it, which fails.
template <class Act>
void check(const Act& act, const std::string& operation = {}) {
    faults::calls = faults::fails = 0;
    act();
    const std::size_t calls = faults::calls;
    EXPECT_GT(calls, 0U);
    for (std::size_t number = 1; number <= calls; ++number)
        fail_once(act, number, operation);
    act(); // works as before
}

// Runs `act` while one function fails. Also for functions that cannot work here, because their failure comes first.
template <class Act>
void fails_with(const std::string& name, const Act& act, const std::string& operation = {}) {
    faults::fails_by_name = name;
    try {
        act();
        ADD_FAILURE() << name << " failed, and no error was reported";
    } catch (const anympi::Error& error) {
        EXPECT_EQ(error.error_class(), anympi::ErrorClass::intern) << name << ": " << error.what();
        EXPECT_EQ(short_name(error.operation()), operation.empty() ? short_name(name) : operation);
    }
    faults::fails_by_name.clear();
}

// Runs `act` while `owner` exists. `owner` ends normally, because an exception that leaves an epoch ends the job.
template <class Owner, class Act>
void during(Owner owner, const Act& act) {
    std::exception_ptr error;
    try {
        act(owner);
    } catch (const anympi::Error&) {
        error = std::current_exception();
    }
    { const Owner ends = std::move(owner); }
    if (error)
        std::rethrow_exception(error);
}

anympi::Environment* begun = nullptr;

struct Faults : testing::Test {
    const Comm self = anympi::Comm::borrow(MPI_COMM_SELF);
    std::vector<int> one = std::vector<int>(1, 7), two = std::vector<int>(1);
    const Layout whole = Layout::packed({1});
    ~Faults() override { EXPECT_EQ(self.allreduce(1, op::sum), 1); }
};

} // namespace

TEST_F(Faults, algorithms) {
    check([&] {
        const auto grid = on([&] { return anympi::GridAlltoall::create(self); });
        on([&] { return grid.alltoallv(one, std::vector{1}); });
    });
    check([&] {
        const auto reduction = on([&] { return anympi::ReproducibleReduction::create(self); });
        on([&] { return reduction.reduce(one, op::sum); });
    });
    check([&] {
        auto exchange = on([&] { return anympi::SparseAlltoall::create(self); });
        on([&] { return exchange.exchange(std::map<int, int>()); });
    });
    check([&] { on([&] { anympi::sort(self, two); }); });
    anympi::Timers timers;
    timers.count("one");
    check([&] { on([&] { return timers.summary(self); }); });
    EXPECT_EQ(anympi::flattened(std::map<int, int>{{0, 7}}, 1).data, one);
    // The library of this test has no fault tolerance.
    EXPECT_MPI_ERROR(anympi::agree(self, 1), unsupported_operation, "MPIX_Comm_agree");
    EXPECT_MPI_ERROR(anympi::shrink(self), unsupported_operation, "MPIX_Comm_shrink");
    EXPECT_MPI_ERROR(anympi::revoke(self), unsupported_operation, "MPIX_Comm_revoke");
    EXPECT_MPI_ERROR(anympi::is_revoked(self), unsupported_operation, "MPIX_Comm_is_revoked");
    EXPECT_MPI_ERROR(anympi::failed_processes(self), unsupported_operation, "MPIX_Comm_get_failed");
    const Comm unasked = Comm::borrow(MPI_COMM_SELF); // does not know its size yet
    fails_with("MPI_Comm_size", [&] { on([&] { anympi::acknowledge_failures(unasked); }); });
}

TEST_F(Faults, messages) {
    const auto received = [&](auto act) { // the message has a receiver
        check([&] {
            auto receiving = self.irecv(two, 0, tag(1));
            act();
        });
    };
    received([&] { on([&] { self.send(one, 0, tag(1)); }); });
    received([&] { on([&] { self.ssend(one, 0, tag(1)); }); });
    received([&] { on([&] { self.rsend(one, 0, tag(1)); }); });
    received([&] { auto request = on([&] { return self.isend(one, 0, tag(1)); }); });
    received([&] { auto request = on([&] { return self.issend(one, 0, tag(1)); }); });
    received([&] { auto request = on([&] { return self.irsend(one, 0, tag(1)); }); });
    received([&] { auto request = on([&] { return self.isend(std::vector<int>(1), 0, tag(1)); }); });
    received([&] { on([&] { self.send_object(7, 0, tag(1)); }); });
    received([&] { auto request = on([&] { return self.isend_object(7, 0, tag(1)); }); });
    check([&] { auto request = on([&] { return self.send_init(one, 0, tag(1)); }); });
    check([&] { auto request = on([&] { return self.ssend_init(one, 0, tag(1)); }); });
    check([&] { auto request = on([&] { return self.bsend_init(one, 0, tag(1)); }); });
    check([&] { auto request = on([&] { return self.rsend_init(one, 0, tag(1)); }); });
    check([&] { auto request = on([&] { return self.recv_init(one, 0, tag(1)); }); });
    check([&] { auto request = on([&] { return self.irecv(one, 0, tag(1)); }); });
    check([&] { auto request = on([&] { return self.irecv<int>(0, tag(1)); }); });
    check([&] { auto request = on([&] { return self.irecv<std::vector<int>>(0, tag(1), count(1)); }); });
    fails_with("MPI_Bsend_c", [&] { on([&] { self.bsend(one, 0, tag(1)); }); });
    fails_with("MPI_Ibsend_c", [&] { on([&] { static_cast<void>(self.ibsend(one, 0, tag(1))); }); });
    const auto sent = [&](auto act, const std::string& operation = {}) { // a message is there to receive, or is removed
        check(
            [&] {
                auto sending = self.isend(one, 0, tag(2));
                struct Rest {
                    ~Rest() {
                        if (const auto message = anympi::Comm::borrow(MPI_COMM_SELF).improbe(0, tag(2))) {
                        }
                    }
                } rest;
                act();
            },
            operation);
    };
    const auto exchanged = [&](auto act) { // the other side sends and receives
        sent(
            [&] {
                auto receiving = self.irecv(two, 0, tag(1));
                on([&] { return act(); });
            },
            "MPI_Sendrecv");
    };
    exchanged([&] { return self.sendrecv<int>(7, 0, tag(1), 0, tag(2)); });
    exchanged([&] { return self.sendrecv<std::vector<int>>(one, 0, tag(1), 0, tag(2)); });
    exchanged([&] { return self.sendrecv<std::vector<int>>(one, 0, tag(1), 0, tag(2), anympi::with_status); });
    sent([&] { on([&] { self.recv(two, 0, tag(2)); }); });
    sent([&] { on([&] { return self.recv<int>(0, tag(2)); }); });
    sent([&] { on([&] { return self.recv<std::vector<int>>(0, tag(2)); }); });
    sent([&] { on([&] { self.recv(anympi::grow_only(two), 0, tag(2)); }); });
    sent([&] { on([&] { return self.recv_object<int>(0, tag(2)); }); });
    sent([&] { on([&] { return self.recv_object<int>(0, tag(2), anympi::with_status); }); });
    sent([&] { on([&] { return self.recv<int>(0, tag(2), anympi::with_status); }); });
    sent([&] { on([&] { return self.recv<std::vector<int>>(0, tag(2), anympi::with_status); }); });
    sent([&] { on([&] { self.probe(0, tag(2)); }); });
    sent([&] { on([&] { self.iprobe(0, tag(2)); }); });
    sent([&] { const auto message = on([&] { return self.mprobe(0, tag(2)); }); });
    sent([&] { const auto message = on([&] { return self.improbe(0, tag(2)); }); });
    sent([&] {
        auto message = self.mprobe(0, tag(2));
        on([&] { std::move(message).recv(two); });
    });
    sent([&] {
        auto message = self.mprobe(0, tag(2));
        on([&] { std::move(message).recv(anympi::resize_to_fit(two)); });
    });
    sent([&] {
        auto message = self.mprobe(0, tag(2));
        on([&] { return std::move(message).recv_all<int>(); });
    });
    sent([&] {
        auto message = self.mprobe(0, tag(2));
        on([&] { return std::move(message).recv_object<int>(); });
    });
    sent([&] {
        auto message = self.mprobe(0, tag(2));
        on([&] { return std::move(message).recv_all<int>(anympi::with_status); });
    });
    sent([&] {
        auto message = self.mprobe(0, tag(2));
        auto request = on([&] { return std::move(message).irecv(two); });
    });
    sent([&] {
        auto message = self.mprobe(0, tag(2));
        auto request = on([&] { return std::move(message).irecv_all<int>(); });
    });
    check([&] { on([&] { self.sendrecv(one, 0, tag(3), two, 0, tag(3)); }); });
    check([&] { on([&] { self.sendrecv_replace(one, 0, tag(3), 0, tag(3)); }); });
    check([&] { auto request = on([&] { return self.isendrecv(one, 0, tag(3), two, 0, tag(3)); }); });
}

TEST_F(Faults, requests) {
    const auto pair = [&] {
        auto receiving = self.irecv(two, 0, tag(4));
        self.send(one, 0, tag(4));
        return receiving;
    };
    check([&] {
        auto request = pair();
        on([&] { request.wait(); });
    });
    check([&] {
        auto request = pair();
        on([&] { request.test(); });
    });
    check([&] {
        auto request = pair();
        on([&] { return request.get_status(); });
    });
    check([&] {
        auto request = self.irecv(two, 0, tag(5));
        on([&] { request.cancel(); });
    });
    const auto owning = [&] {
        auto receiving = self.irecv<std::vector<int>>(0, tag(4), count(1));
        self.send(one, 0, tag(4));
        return receiving;
    };
    check([&] {
        auto request = owning();
        on([&] { static_cast<void>(request.wait()); });
    });
    check([&] {
        auto request = owning();
        on([&] { static_cast<void>(request.test()); });
    });
    check([&] {
        auto request = self.irecv<std::vector<int>>(0, tag(5), count(1));
        on([&] { request.cancel(); });
    });
    check([&] {
        auto a = pair();
        auto b = owning();
        on([&] { anympi::wait_all(a, b); });
    });
    check([&] {
        const auto request = pair();
        on([&] { static_cast<void>(anympi::get_status_all(request)); });
        on([&] { static_cast<void>(anympi::get_status_any(request)); });
        on([&] { static_cast<void>(anympi::get_status_some(request)); });
    });
    check([&] {
        std::vector<anympi::OwningRequest<std::vector<int>>> all;
        all.push_back(owning());
        on([&] { static_cast<void>(anympi::wait_values(all)); });
    });
    const auto set = [&](auto act) {
        check([&] {
            anympi::RequestSet set;
            set.add(pair());
            on([&] { act(set); });
        });
    };
    set([](auto& all) { static_cast<void>(all.wait(0)); });
    set([](auto& all) { static_cast<void>(all.wait_all()); });
    set([](auto& all) { static_cast<void>(all.wait_any()); });
    set([](auto& all) { static_cast<void>(all.wait_some()); });
    set([](auto& all) { static_cast<void>(all.test_all()); });
    set([](auto& all) { static_cast<void>(all.test_any()); });
    set([](auto& all) { static_cast<void>(all.test_some()); });
    check([&] {
        auto request = self.barrier_init();
        on([&] { request.start(); });
        on([&] { request.wait(); });
    });
    check([&] {
        auto request = self.barrier_init();
        request.start();
        on([&] { request.test(); });
    });
    check([&] {
        auto request = self.recv_init(two, 0, tag(5));
        request.start();
        on([&] { request.cancel(); });
    });
    check([&] {
        auto request = self.barrier_init();
        auto other = self.recv_init(std::vector<int>(1), 0, tag(5));
        on([&] { anympi::start_all(request, other); });
    });
    check([&] {
        std::vector<anympi::PersistentRequest> all;
        all.push_back(self.barrier_init());
        on([&] { anympi::start_all(all); });
        on([&] { static_cast<void>(anympi::wait_all(all)); });
    });
    check([&] { auto operation = on([&] { return anympi::start_operation(); }); });
    check([&] {
        auto operation = anympi::start_operation();
        on([&] { std::move(operation.completion).complete(); });
    });
    check([&] {
        auto request = on([&] { return self.idup(); });
        const Comm made = on([&] { return request.wait(); });
    });
    check([&] {
        auto request = self.idup(Info{});
        const auto made = on([&] { return request.test(); });
    });
    check([&] { auto request = on([&] { return self.idup(Info{}); }); });
}

TEST_F(Faults, several_of_which_none_is_known_to_be_complete) {
    std::vector<anympi::PersistentRequest> all;
    all.push_back(self.barrier_init());
    anympi::start_all(all);
    fails_with("MPI_Waitall", [&] { on([&] { static_cast<void>(anympi::wait_all(all)); }); });
    EXPECT_TRUE(all[0].is_active());
    static_cast<void>(anympi::wait_all(all));
    EXPECT_FALSE(all[0].is_active());
}

TEST_F(Faults, collectives) {
    check([&] { on([&] { self.barrier(); }); });
    check([&] { auto request = on([&] { return self.ibarrier(); }); });
    check([&] { auto request = on([&] { return self.barrier_init(); }); });
    // The three forms of each operation.
    const auto forms = [&](auto now, auto soon, auto later) {
        check([&] { on([&] { now(); }); });
        check([&] { auto request = on([&] { return soon(); }); });
        check([&] { auto request = on([&] { return later(); }); });
    };
    forms([&] { self.broadcast(one, 0); }, [&] { return self.ibroadcast(one, 0); },
          [&] { return self.broadcast_init(one, 0); });
    forms([&] { self.reduce(one, two, op::sum, 0); }, [&] { return self.ireduce(one, two, op::sum, 0); },
          [&] { return self.reduce_init(one, two, op::sum, 0); });
    forms([&] { self.allreduce(one, two, op::sum); }, [&] { return self.iallreduce(one, two, op::sum); },
          [&] { return self.allreduce_init(one, two, op::sum); });
    forms([&] { self.scan(one, two, op::sum); }, [&] { return self.iscan(one, two, op::sum); },
          [&] { return self.scan_init(one, two, op::sum); });
    forms([&] { self.exscan(one, two, op::sum); }, [&] { return self.iexscan(one, two, op::sum); },
          [&] { return self.exscan_init(one, two, op::sum); });
    forms([&] { self.reduce_scatter_block(one, two, op::sum); },
          [&] { return self.ireduce_scatter_block(one, two, op::sum); },
          [&] { return self.reduce_scatter_block_init(one, two, op::sum); });
    const std::vector<int> counts(1, 1);
    forms([&] { self.reduce_scatter(one, two, counts, op::sum); },
          [&] { return self.ireduce_scatter(one, two, counts, op::sum); },
          [&] { return self.reduce_scatter_init(one, two, counts, op::sum); });
    forms([&] { self.gather(one, two, 0); }, [&] { return self.igather(one, two, 0); },
          [&] { return self.gather_init(one, two, 0); });
    forms([&] { self.allgather(one, two); }, [&] { return self.iallgather(one, two); },
          [&] { return self.allgather_init(one, two); });
    forms([&] { self.scatter(one, two, 0); }, [&] { return self.iscatter(one, two, 0); },
          [&] { return self.scatter_init(one, two, 0); });
    forms([&] { self.alltoall(one, two); }, [&] { return self.ialltoall(one, two); },
          [&] { return self.alltoall_init(one, two); });
    forms([&] { self.gatherv(one, two, whole, 0); }, [&] { return self.igatherv(one, two, whole, 0); },
          [&] { return self.gatherv_init(one, two, whole, 0); });
    forms([&] { self.scatterv(one, two, whole, 0); }, [&] { return self.iscatterv(one, two, whole, 0); },
          [&] { return self.scatterv_init(one, two, whole, 0); });
    forms([&] { self.allgatherv(one, two, whole); }, [&] { return self.iallgatherv(one, two, whole); },
          [&] { return self.allgatherv_init(one, two, whole); });
    forms([&] { self.alltoallv(one, two, whole, whole); }, [&] { return self.ialltoallv(one, two, whole, whole); },
          [&] { return self.alltoallv_init(one, two, whole, whole); });
    const auto sends = anympi::SendBlocks::of(one);
    auto receives = anympi::ReceiveBlocks::of(two);
    forms([&] { self.alltoallw(sends, receives); }, [&] { return self.ialltoallw(sends, receives); },
          [&] { return self.alltoallw_init(sends, receives); });
    // Values, and containers that are resized.
    check([&] { on([&] { return self.broadcast_value(1, 0); }); });
    check([&] { on([&] { return self.allreduce(1, op::sum); }); });
    check([&] { on([&] { return self.reduce(1, op::sum, 0); }); });
    check([&] { on([&] { return self.scan(1, op::sum); }); });
    check([&] { on([&] { return self.exscan(1, op::sum); }); });
    std::vector<int> room(1);
    check([&] { on([&] { self.broadcast(anympi::resize_to_fit(room), 0); }); });
    check([&] { on([&] { return self.allgather(one); }); });
    check([&] { on([&] { return self.gather(one, 0); }); });
    check([&] { on([&] { return self.allgatherv(one); }); }, "MPI_Allgatherv");
    check([&] { on([&] { return self.allgatherv(one, anympi::with_layout); }); }, "MPI_Allgatherv");
    check([&] { on([&] { return self.gatherv(one, 0); }); }, "MPI_Gatherv");
    check([&] { on([&] { return self.scatter(one, 0); }); }, "MPI_Scatter");
    check([&] { on([&] { return self.scatterv(one, counts, 0); }); }, "MPI_Scatterv");
    check([&] { on([&] { return self.alltoall(one); }); });
    check([&] { on([&] { return self.alltoallv(one, counts); }); }, "MPI_Alltoallv");
    const auto strided = anympi::strided(std::span(one), 1, 1, 1);
    check([&] { on([&] { return self.allgather(strided); }); }, "MPI_Allgather");
    // Reductions that return their result.
    forms([&] { return self.reduce(one, op::sum, 0); }, [&] { return self.ireduce(one, op::sum, 0); },
          [&] { return self.reduce_init(one, op::sum, 0); });
    forms([&] { return self.allreduce(one, op::sum); }, [&] { return self.iallreduce(one, op::sum); },
          [&] { return self.allreduce_init(one, op::sum); });
    forms([&] { return self.scan(one, op::sum); }, [&] { return self.iscan(one, op::sum); },
          [&] { return self.scan_init(one, op::sum); });
    forms([&] { return self.exscan(one, op::sum); }, [&] { return self.iexscan(one, op::sum); },
          [&] { return self.exscan_init(one, op::sum); });
    forms([&] { return self.reduce_scatter_block(one, op::sum); },
          [&] { return self.ireduce_scatter_block(one, op::sum); },
          [&] { return self.reduce_scatter_block_init(one, op::sum); });
    forms([&] { return self.reduce_scatter(one, counts, op::sum); },
          [&] { return self.ireduce_scatter(one, counts, op::sum); },
          [&] { return self.reduce_scatter_init(one, counts, op::sum); });
    // Requests whose vector has the right size.
    const auto sized = [&](const std::string& name, auto soon, auto later) {
        check([&] { auto request = on([&] { return soon(); }); }, "MPI_I" + name);
        check([&] { auto request = on([&] { return later(); }); },
              "MPI_" + std::string(1, static_cast<char>(std::toupper(name[0]))) + name.substr(1) + "_init");
    };
    sized(
        "allgather", [&] { return self.iallgather(strided); }, [&] { return self.allgather_init(strided); });
    sized(
        "gather", [&] { return self.igather(strided, 0); }, [&] { return self.gather_init(strided, 0); });
    sized(
        "scatter", [&] { return self.iscatter(one, count(1), 0); }, [&] { return self.scatter_init(one, 0); });
    sized(
        "alltoall", [&] { return self.ialltoall(one); }, [&] { return self.alltoall_init(one); });
    check([&] { auto request = on([&] { return self.allgatherv_init(strided); }); }, "MPI_Allgatherv_init");
    check([&] { auto request = on([&] { return self.gatherv_init(strided, 0); }); }, "MPI_Gatherv_init");
    check([&] { auto request = on([&] { return self.scatterv_init(one, counts, 0); }); }, "MPI_Scatterv_init");
    check([&] { auto request = on([&] { return self.alltoallv_init(one, counts); }); }, "MPI_Alltoallv_init");
    check([&] { on([&] { return self.broadcast_object(std::string("text"), 0); }); });
    check([&] { on([&] { return self.allgather_object(std::string("text")); }); }, "MPI_Allgatherv");
    check([&] { on([&] { return self.gather_object(std::string("text"), 0); }); }, "MPI_Gatherv");
    const std::vector<std::string> texts{"text"};
    check([&] { on([&] { return self.scatter_object(texts, 0); }); }, "MPI_Scatterv");
    check([&] { on([&] { return self.alltoall_object(texts); }); }, "MPI_Alltoallv");
    check([&] { on([&] { anympi::reduce_local(one, two, op::sum); }); });
    check([&] { on([&] { return self.topology_report(); }); });
}

TEST_F(Faults, operations) {
    int extra = 0; // the state
    check([&] { on([&] { return self.allreduce(1, [extra](int a, int b) { return a + b + extra; }); }); });
    check(
        [&] {
            const auto created =
                on([&] { return anympi::UserOp<int>::create([extra](int a, int b) { return a + b + extra; }); });
        },
        "MPI_Op_create");
}

TEST_F(Faults, communicators) {
    const auto group = self.group();
    const auto made = [&](auto act) { check([&] { [[maybe_unused]] const auto result = on(act); }); };
    made([&] { return self.group(); });
    made([&] { return self.name(); });
    made([&] { return self.info(); });
    made([&] { return self.compare(self); });
    made([&] { return self.duplicate(); });
    made([&] { return self.duplicate(Info{}); });
    made([&] { return self.split(0); });
    made([&] { return self.split_type(anympi::SplitType::shared); });
    made([&] { return self.split_shared(); });
    made([&] { return self.create(group); });
    made([&] { return self.create_group(group); });
    made([&] { return Comm::create_from_group(group, "faults"); });
    // Queries that are made inside of other functions.
    fails_with("MPI_Comm_rank", [&] { on([&] { return self.rank(); }); });
    fails_with("MPI_Comm_size", [&] { on([&] { return self.size(); }); });
    fails_with("MPI_Comm_test_inter", [&] { on([&] { return self.is_inter(); }); });
    fails_with("MPI_Comm_rank", [&] { on([&] { static_cast<void>(self.split_shared()); }); });
    Comm mine = self.duplicate();
    check([&] { on([&] { mine.set_name("mine"); }); });
    check([&] { on([&] { mine.set_info(Info::create()); }); });
    check([&] {
        Comm copy = self.duplicate();
        on([&] { copy.free(); });
    });
    check([&] { const auto buffer = on([&] { return mine.attach_buffer(std::size_t{1000}); }); });
    check([&] {
        during(mine.attach_buffer(std::size_t{1000}), [](auto& buffer) {
            on([&] { buffer.flush(); });
            auto request = on([&] { return buffer.iflush(); });
        });
    });
    check([&] {
        during(mine.attach_buffer(std::size_t{1000}),
               [](auto& buffer) { on([&] { static_cast<void>(std::move(buffer).detach()); }); });
    });
    made([&] { return anympi::tag_upper_bound(self); });
}

TEST_F(Faults, groups_and_infos) {
    const auto group = self.group();
    const std::array ranks{0};
    const anympi::RankRange ranges[] = {{0, 0, 1}};
    const auto made = [&](auto act) { check([&] { [[maybe_unused]] const auto result = on(act); }); };
    made([&] { return group.size(); });
    made([&] { return group.rank(); });
    made([&] { return group.include(ranks); });
    made([&] { return group.exclude(ranks); });
    made([&] { return group.range_include(ranges); });
    made([&] { return group.range_exclude(ranges); });
    made([&] { return group.united(group); });
    made([&] { return group.intersection(group); });
    made([&] { return group.difference(group); });
    made([&] { return group.compare(group); });
    made([&] { return group.translate_ranks(ranks, group); });
    check([&] {
        auto copy = group.include(ranks);
        on([&] { copy.free(); });
    });
    made([&] { return Info::create(); });
    made([&] { return Info::of({{"key", "value"}}); });
    made([&] { return Info::environment(); });
    check([&] {
        Info info = Info::create();
        on([&] { info.set("key", "value"); });
        on([&] { return info.get("key"); });
        on([&] { return info.keys(); });
        on([&] { return info.duplicate(); });
        on([&] { info.erase("key"); });
    });
    made([&] { return anympi::library_version(); });
    made([&] { return anympi::version(); });
    made([&] { return anympi::processor_name(); });
    faults::fails_by_name = "MPI_Alloc_mem";
    EXPECT_THROW(on([] { return anympi::Vector<int>(3); }), std::bad_alloc);
    faults::fails_by_name.clear();
}

TEST_F(Faults, datatypes) {
    const auto number = Datatype::of<int>();
    const MPI_Count sizes[] = {1}, starts[] = {0}, large[] = {MPI_Count{1} << 40};
    const anympi::StructField fields[] = {{1, 0, MPI_INT}}, many[] = {{MPI_Count{1} << 40, 0, MPI_BYTE}};
    const auto made = [&](auto act) { check([&] { [[maybe_unused]] const auto result = on(act); }); };
    made([&] { return Datatype::contiguous(1, number); });
    made([&] { return Datatype::contiguous(MPI_Count{1} << 40, number); });
    made([&] { return Datatype::vector(1, 1, 1, number); });
    made([&] { return Datatype::vector(1, 1, MPI_Count{1} << 40, number); });
    made([&] { return Datatype::indexed(sizes, starts, number); });
    made([&] { return Datatype::indexed(sizes, large, number); });
    made([&] { return Datatype::subarray(sizes, sizes, starts, number); });
    made([&] { return Datatype::subarray(large, sizes, starts, number); });
    made([&] { return Datatype::structure(fields); });
    made([&] { return Datatype::structure(many); });
    made([&] { return number.resized(0, 8); });
    made([&] { return number.size(); });
    made([&] { return number.extent(); });
    made([&] { return anympi::typed(std::span(one), number); });
    struct Rows { // like std::mdspan
        using element_type = int;
        int* first;
        std::size_t size = 1;
        [[nodiscard]] int* data_handle() const { return first; }
        [[nodiscard]] std::size_t extent(std::size_t) const { return size; }
        [[nodiscard]] static std::size_t stride(std::size_t) { return 1; }
        [[nodiscard]] static constexpr std::size_t rank() { return 2; }
    };
    made([&] { return anympi::view(Rows{one.data()}); });
    fails_with("MPI_Type_create_hvector_c", [&] {
        on([&] { static_cast<void>(anympi::view(Rows{one.data(), std::size_t{1} << 40})); });
    });
    // If the datatype of a C++ type was not created, it is created the next time.
    struct Point {
        int x, y;
    };
    struct Other {
        std::array<short, 3> numbers;
        char letter;
    };
    static_assert(anympi::Communicable<Other>);
    for (std::size_t number = 1; number < 5; ++number) {
        faults::calls = 0;
        faults::fails = number;
        on([] { return anympi::datatype<Other>(); });
        faults::fails = 0;
    }
    EXPECT_EQ(self.allreduce(Point{1, 2}, [](Point a, const Point&) { return a; }).y, 2);
    EXPECT_EQ(self.broadcast_value(Other{{1, 2, 3}, 'x'}, 0).letter, 'x');
}

TEST_F(Faults, further_datatypes) {
    const auto made = [&](auto make) { check([&] { [[maybe_unused]] const auto object = on(make); }); };
    const Datatype numbers = Datatype::of<int>();
    const std::vector<MPI_Count> lengths{1}, places{4};
    const std::vector<MPI_Count> long_lengths{MPI_Count{1} << 33};
    const std::array<anympi::DistributedDimension, 1> dimension{anympi::DistributedDimension{4}};
    const std::array<anympi::DistributedDimension, 1> long_dimension{anympi::DistributedDimension{MPI_Count{1} << 33}};
    made([&] { return Datatype::hindexed(lengths, places, numbers); });
    made([&] { return Datatype::hindexed(long_lengths, places, numbers); });
    made([&] { return Datatype::indexed_block(1, places, numbers); });
    made([&] { return Datatype::indexed_block(1, long_lengths, numbers); });
    made([&] { return Datatype::hindexed_block(1, places, numbers); });
    made([&] { return Datatype::hindexed_block(long_lengths[0], places, numbers); });
    made([&] { return Datatype::darray(0, dimension, numbers); });
    made([&] { return Datatype::darray(0, long_dimension, numbers); });
    made([&] { return Datatype::of_size(anympi::TypeClass::real, 8); });
    made([&] { return Datatype::f90_integer(9); });
    made([&] { return Datatype::f90_real(15); });
    made([&] { return Datatype::f90_complex(15); });
    made([&] { return Datatype::value_index(numbers, numbers); });
    const Datatype type = Datatype::hindexed(lengths, places, numbers);
    made([&] { return type.duplicate(); });
    made([&] { return type.bounds(); });
    made([&] { return type.true_bounds(); });
    fails_with("MPI_Type_get_name", [&] { static_cast<void>(on([&] { return numbers.name(); })); });
    check([&] { on([&] { type.duplicate().set_name("one"); }); });
    fails_with("MPI_Type_get_envelope_c", [&] { static_cast<void>(on([&] { return type.envelope(); })); });
    fails_with("MPI_Type_get_contents_c", [&] { static_cast<void>(on([&] { return type.contents(); })); });
    EXPECT_EQ(anympi::Status().elements<int>(), 0U);
    faults::fails_by_name = "MPI_Get_elements_c";
    EXPECT_EQ(on([] { return anympi::Status().elements<int>(); }), std::nullopt);
    faults::fails_by_name.clear();
}

TEST_F(Faults, error_handlers) {
    using anympi::CommErrorHandler;
    const Comm comm = self.duplicate();
    constexpr auto nothing = [](const anympi::Error&) {};
    check([&] { [[maybe_unused]] const auto handler = on([&] { return CommErrorHandler::create(nothing); }); });
    check([&] { [[maybe_unused]] const auto handler = on([&] { return CommErrorHandler::of(comm); }); });
    check([&] { on([&] { CommErrorHandler::errors_return().attach(comm); }); });
    check([&] { on([&] { CommErrorHandler::call(comm, anympi::ErrorClass::tag); }); });
    check([&] { on([&] { CommErrorHandler::create(nothing).free(); }); });
    const auto all_of = [&]<class Handler>(const std::string& name, const auto& object, const Handler& handler) {
        fails_with("MPI_" + name + "_create_errhandler",
                   [&] { static_cast<void>(on([&] { return Handler::create(nothing); })); });
        fails_with("MPI_" + name + "_get_errhandler",
                   [&] { static_cast<void>(on([&] { return Handler::of(object); })); });
        fails_with("MPI_" + name + "_set_errhandler", [&] { on([&] { handler.attach(object); }); });
        fails_with("MPI_" + name + "_call_errhandler", [&] { on([&] { Handler::call(object, 1); }); });
    };
    const auto window = anympi::Window<int>::allocate(self, 1);
    all_of("Win", window, anympi::WindowErrorHandler::errors_return());
    using anympi::FileMode;
    const auto file = anympi::File::open(self, "typed-faults-handled.bin",
                                         FileMode::create | FileMode::write | FileMode::delete_on_close);
    all_of("File", file, anympi::FileErrorHandler::errors_return());
    const auto session = anympi::Session::create();
    all_of("Session", session, anympi::SessionErrorHandler::errors_return());

    check([&] {
        const auto mine = on([] { return anympi::add_error_class("mine"); });
        const int code = on([&] { return anympi::add_error_code(mine, "my code"); });
        on([&] { anympi::remove_error_code(code); });
        on([&] { anympi::remove_error_class(mine); });
    });
}

TEST_F(Faults, further_functions) {
    const auto made = [&](auto make) { check([&] { [[maybe_unused]] const auto object = on(make); }); };
    made([] { return anympi::is_thread_main(); });
    made([] { return anympi::hardware_resources(); });
    made([] { return anympi::abi_version(); });
    made([] { return anympi::abi_info(); });
    check([&] { on([&] { return self.isendrecv_replace(one, 0, tag(5), 0, tag(5)); }).wait(); });
    const std::array<bool, 1> flags{false};
    made([&] { return anympi::CartComm::map(self, std::array{1}, flags); });
    const std::vector<std::vector<int>> alone{{}};
    made([&] { return anympi::GraphComm::map(self, alone); });
    const auto graph = *anympi::GraphComm::create(self, alone);
    made([&] { return graph.graph(); });
    fails_with("MPI_Comm_join", [&] { on([&] { static_cast<void>(anympi::InterComm::join(-1)); }); });

    const auto window = anympi::Window<int>::allocate(self, 1);
    made([&] { return window.flavor(); });
    made([&] { return window.memory_model(); });
    check([&] { during(window.lock_all(), [&](auto&) { on([&] { window.sync(); }); }); });

    using anympi::FileMode;
    const auto file = anympi::File::open(self, "typed-faults-asked.bin",
                                         FileMode::create | FileMode::write | FileMode::delete_on_close);
    fails_with("MPI_File_get_view", [&] { static_cast<void>(on([&] { return file.view(); })); });
    made([&] { return file.mode(); });
    made([&] { return file.group(); });
    made([&] { return file.byte_offset(0); });
    made([&] { return file.extent_of(Datatype::of<int>()); });
    made([&] { return file.position_shared(); });
}

TEST_F(Faults, attributes) {
    const auto all = [&](auto make, const auto& object) {
        check([&] { const auto key = on(make); });
        check([&] {
            const auto key = make();
            on([&] { key.set(object, 5); });
            on([&] { return key.get(object); });
            on([&] { key.erase(object); });
        });
    };
    all([] { return anympi::AttributeKey<int>::create(); }, self);
    const auto window = anympi::Window<int>::allocate(self, 1);
    all([] { return anympi::WindowKey<int>::create(); }, window);
    const auto type = Datatype::contiguous(1, Datatype::of<int>());
    all([] { return anympi::DatatypeKey<int>::create(); }, type);
}

TEST_F(Faults, topologies) {
    const std::array sizes{1};
    const std::array round{true};
    const auto made = [&](auto act) { check([&] { [[maybe_unused]] const auto result = on(act); }); };
    made([&] { return anympi::CartComm::create(self, sizes, round); });
    made([&] { return anympi::CartComm::dims(1, {0}); });
    const auto ring = *anympi::CartComm::create(self, sizes, round);
    made([&] { return ring.dimensions(); });
    made([&] { return ring.grid(); });
    made([&] { return ring.coordinates(0); });
    made([&] { return ring.shift(0, by(1)); });
    check([&] { on([&] { return ring.rank_at(sizes); }); }, "MPI_Cart_rank");
    check([&] { const auto part = on([&] { return ring.sub(round); }); }, "MPI_Cart_sub");
    check([&] { on([&] { return ring.degrees(); }); }, "MPI_Topo_test");
    const std::vector<std::vector<int>> alone(1, std::vector<int>{0});
    made([&] { return anympi::GraphComm::create(self, alone); });
    const auto graph = *anympi::GraphComm::create(self, alone);
    made([&] { return graph.neighbors(0); });
    check([&] { on([&] { return graph.degrees(); }); }, "MPI_Topo_test");
    made([&] { return anympi::DistGraphComm::create(self, std::array{0}, std::array{0}); });
    const anympi::DistGraphComm::Edge edges[] = {{0, 0}};
    made([&] { return anympi::DistGraphComm::create(self, edges); });
    const auto told = anympi::DistGraphComm::create(self, std::array{0}, std::array{0});
    made([&] { return told.neighbors(); });
    check([&] { on([&] { return told.degrees(); }); }, "MPI_Topo_test");
    // The degrees are queried first; the error of the operation counts.
    const auto forms = [&](const std::string& name, auto now, auto soon, auto later) {
        fails_with("MPI_Neighbor_" + name + "_c", [&] { on([&] { now(); }); });
        fails_with("MPI_Ineighbor_" + name + "_c", [&] { on([&] { static_cast<void>(soon()); }); });
        fails_with("MPI_Neighbor_" + name + "_init_c", [&] { on([&] { static_cast<void>(later()); }); });
    };
    forms(
        "allgather", [&] { told.neighbor_allgather(one, two); }, [&] { return told.ineighbor_allgather(one, two); },
        [&] { return told.neighbor_allgather_init(one, two); });
    forms(
        "alltoall", [&] { told.neighbor_alltoall(one, two); }, [&] { return told.ineighbor_alltoall(one, two); },
        [&] { return told.neighbor_alltoall_init(one, two); });
    forms(
        "allgatherv", [&] { told.neighbor_allgatherv(one, two, whole); },
        [&] { return told.ineighbor_allgatherv(one, two, whole); },
        [&] { return told.neighbor_allgatherv_init(one, two, whole); });
    forms(
        "alltoallv", [&] { told.neighbor_alltoallv(one, two, whole, whole); },
        [&] { return told.ineighbor_alltoallv(one, two, whole, whole); },
        [&] { return told.neighbor_alltoallv_init(one, two, whole, whole); });
    // Forms that return the data, or whose request owns it.
    const std::vector<int> sizes_of(1, 1);
    forms(
        "allgather", [&] { return told.neighbor_allgather(one); }, [&] { return told.ineighbor_allgather(one); },
        [&] { return told.neighbor_allgather_init(one); });
    forms(
        "alltoall", [&] { return told.neighbor_alltoall(one); }, [&] { return told.ineighbor_alltoall(one); },
        [&] { return told.neighbor_alltoall_init(one); });
    for (const char* step : {"MPI_Topo_test", "MPI_Neighbor_allgather_c", "MPI_Neighbor_allgatherv_c"})
        fails_with(step, [&] { on([&] { static_cast<void>(told.neighbor_allgatherv(one)); }); });
    for (const char* step : {"MPI_Topo_test", "MPI_Neighbor_allgather_c", "MPI_Neighbor_allgatherv_init_c"})
        fails_with(step, [&] { on([&] { static_cast<void>(told.neighbor_allgatherv_init(one)); }); });
    for (const char* step : {"MPI_Topo_test", "MPI_Neighbor_alltoall_c", "MPI_Neighbor_alltoallv_c"})
        fails_with(step, [&] { on([&] { static_cast<void>(told.neighbor_alltoallv(one, sizes_of)); }); });
    for (const char* step : {"MPI_Topo_test", "MPI_Neighbor_alltoall_c", "MPI_Neighbor_alltoallv_init_c"})
        fails_with(step, [&] { on([&] { static_cast<void>(told.neighbor_alltoallv_init(one, sizes_of)); }); });
    const auto sends = anympi::SendBlocks::of(one);
    auto receives = anympi::ReceiveBlocks::of(two);
    forms(
        "alltoallw", [&] { told.neighbor_alltoallw(sends, receives); },
        [&] { return told.ineighbor_alltoallw(sends, receives); },
        [&] { return told.neighbor_alltoallw_init(sends, receives); });
}

TEST_F(Faults, two_groups) {
    using anympi::InterComm;
    check([&] { const auto parent = on([&] { return InterComm::parent(); }); });
    // Calls that are impossible, or impossible with one process: they fail before anything is done.
    const auto group = self.group();
    fails_with("MPI_Intercomm_create", [&] { on([&] { static_cast<void>(InterComm::create(self, 0, self, 0)); }); });
    fails_with("MPI_Intercomm_create_from_groups",
               [&] { on([&] { static_cast<void>(InterComm::create_from_groups(group, 0, group, 0, "faults")); }); });
    fails_with("MPI_Comm_spawn",
               [&] { on([&] { static_cast<void>(InterComm::spawn(self, "/none", {"a"}, count(1))); }); });
    fails_with("MPI_Comm_spawn_multiple", [&] {
        std::vector<InterComm::Program> programs;
        programs.push_back({"/none", {}, 1});
        on([&] { static_cast<void>(InterComm::spawn_multiple(self, programs)); });
    });
    fails_with("MPI_Comm_accept", [&] { on([&] { static_cast<void>(InterComm::accept(self, "port")); }); });
    fails_with("MPI_Comm_connect", [&] { on([&] { static_cast<void>(InterComm::connect(self, "port")); }); });
    const auto fake = [&] { return InterComm(MPI_COMM_SELF, false); };
    fails_with("MPI_Comm_remote_size", [&] { on([&] { static_cast<void>(fake().remote_size()); }); });
    fails_with("MPI_Comm_remote_group", [&] { on([&] { static_cast<void>(fake().remote_group()); }); });
    fails_with("MPI_Intercomm_merge", [&] { on([&] { static_cast<void>(fake().merge(true)); }); });
    InterComm lasting = fake();
    fails_with("MPI_Comm_disconnect", [&] { on([&] { std::move(lasting).disconnect(); }); });
    EXPECT_FALSE(lasting.is_null());
}

TEST_F(Faults, ports) {
    using anympi::Port;
    check([&] { const auto port = on([] { return Port::open(); }); });
    {
        auto first = Port::open();
        check([&] { on([&] { first.publish("service"); }); });
        const Port port = std::move(first);
        check([&] { EXPECT_EQ(on([] { return Port::lookup("service"); }), port.name()); });
        EXPECT_EQ(fake_ports::open.size(), 1U);
    }
    EXPECT_TRUE(fake_ports::open.empty() && fake_ports::published.empty());
    EXPECT_THROW(static_cast<void>(Port::lookup("service")), anympi::Error);
}

TEST_F(Faults, what_goes_is_freed) {
    EXPECT_EQ(calls_of("MPI_Request_free", [&] { const auto request = self.barrier_init(); }), 1);
    const auto group = self.group();
    // the handle is predefined
    EXPECT_EQ(calls_of("MPI_Group_free", [&] { const auto empty = group.difference(group); }), 0);
    EXPECT_EQ(calls_of("MPI_Group_free", [&] { const auto same = group.united(group); }), 1);
    const Comm mine = self.duplicate();
    EXPECT_EQ(calls_of("MPI_Comm_free",
                       [&] {
                           Comm lent = Comm::borrow(mine.handle()), moved = std::move(lent);
                           lent = std::move(moved);
                       }),
              0);
    EXPECT_EQ(calls_of("MPI_T_finalize", [&] { const auto tools = anympi::Tools::begin(); }), 1);
    const auto tools = anympi::Tools::begin();
    const auto controls = tools.control_variables();
    EXPECT_EQ(calls_of("MPI_T_cvar_handle_free",
                       [&] {
                           try {
                               static_cast<void>(tools.read_control<long>(controls.at(0)));
                           } catch (const anympi::Error&) { // a text variable
                           }
                       }),
              1);
    // The memory of buffered sends is detached before its communicator ends.
    anympi::InterComm ending(self.duplicate().release(), true);
    const auto buffer = ending.attach_buffer(std::size_t{1000});
    EXPECT_EQ(calls_of("MPI_Comm_detach_buffer_c", [&] { std::move(ending).disconnect(); }), 1);
}

TEST_F(Faults, cached_handles_are_freed) {
    anympi::shared::drop_cached_handles(); // handles that are cached so far
    const auto before = faults::times;
    {
        const int state = 1;
        const auto with_state = [state](int a, int b) { return a + b + state; };
        const auto first = anympi::UserOp<int>::create(with_state);
        static_cast<void>(self.allreduce(1, [](int a, int b) { return a * b; }));
        // It ends before the others. While two of them exist, the datatype of the call identifies the operation.
        const auto second = anympi::UserOp<int>::create(with_state);
        EXPECT_EQ(calls_of("MPI_Type_get_attr", [&] { anympi::reduce_local(one, two, second); }), 0);
        static_cast<void>(self.allreduce(std::pair(1, 2.5), [](const auto& a, const auto&) { return a; }));
    }
    anympi::shared::drop_cached_handles();
    const auto more = [&](const char* name) { return faults::times[name] - before.at(name); };
    EXPECT_EQ(more("MPI_Op_create_c"), 4);
    EXPECT_EQ(more("MPI_Op_free"), 4);
    EXPECT_EQ(more("MPI_Type_free_keyval"), more("MPI_Type_create_keyval"));
    EXPECT_EQ(calls_of("MPI_Type_free", [] { anympi::shared::drop_cached_handles(); }), 0); // nothing is freed twice
}

// Mistakes that the API finds are reported before MPI is called, because some libraries do not find them, or find them
// too late.
TEST_F(Faults, mistakes_that_mpi_is_spared) {
    const auto not_called = [](const char* name, const auto& act) { EXPECT_EQ(calls_of(name, act), 0) << name; };
    not_called("MPI_Startall", [&] {
        auto idle = self.barrier_init(), active = self.barrier_init();
        active.start();
        EXPECT_MPI_ERROR(anympi::start_all(idle, active), request, "MPI_Startall");
        EXPECT_FALSE(idle.is_active());
        active.wait();
        const auto moved = std::move(idle);
        EXPECT_MPI_ERROR(anympi::start_all(idle), request, "MPI_Startall");
    });
    not_called("MPI_Allgatherv_c",
               [&] { EXPECT_MPI_ERROR(self.allgatherv(one, two, Layout::packed({-1})), count, "MPI_Allgatherv"); });
    not_called("MPI_Comm_test_inter", [&] { EXPECT_MPI_ERROR(Comm().allgather(one), comm, "MPI_Allgather"); });
    not_called("MPI_Intercomm_create_from_groups", [&] {
        EXPECT_MPI_ERROR(anympi::InterComm::create_from_groups({}, 0, self.group(), 0, "faults"), group,
                         "MPI_Intercomm_create_from_groups");
    });
    not_called("MPI_File_read_at_c",
               [&] { EXPECT_MPI_ERROR(anympi::File().read_at(0, two), file, "MPI_File_read_at"); });
    const auto grid = anympi::CartComm::create(self, std::array{1}, std::array{true});
    not_called("MPI_Cart_coords", [&] { EXPECT_MPI_ERROR(grid->coordinates(1), rank, "MPI_Cart_coords"); });
    // An epoch that has ended does not end again.
    const auto window = anympi::Window<int>::allocate(self, 1);
    const auto group = self.group();
    not_called("MPI_Win_wait", [&] {
        auto exposed = window.post(group);
        { const auto access = window.start(group); }
        while (!exposed.test()) {
        }
    });
    EXPECT_EQ(calls_of("MPI_Win_wait",
                       [&] {
                           auto exposed = window.post(group);
                           { const auto access = window.start(group); }
                           std::move(exposed).wait();
                       }),
              1);
}

TEST_F(Faults, windows) {
    const auto group = self.group();
    const auto made = [&](auto act) { check([&] { [[maybe_unused]] const auto result = on(act); }); };
    fails_with("MPI_Win_create_c", [&] { on([&] { static_cast<void>(anympi::Window<int>::create(self, one)); }); });
    made([&] { return anympi::Window<int>::allocate(self, 2); });
    made([&] { return anympi::SharedWindow<int>::allocate(self, 2); });
    made([&] { return anympi::DynamicWindow<int>::create(self); });
    auto window = anympi::Window<int>::allocate(self, 4);
    made([&] { return window.group(); });
    made([&] { return window.name(); });
    made([&] { return window.info(); });
    check([&] { on([&] { window.set_name("cells"); }); });
    check([&] { on([&] { window.set_info(Info::create()); }); });
    check([&] {
        auto other = anympi::Window<int>::allocate(self, 1);
        on([&] { other.free(); });
    });
    made([&] { return window.lock(LockType::exclusive, 0); });
    made([&] { return window.lock_all(); });
    made([&] { return window.fence(); });
    // Inside an epoch: it ends, whatever fails.
    const auto locked = [&](auto act, const std::string& operation = {}) {
        check([&] { during(window.lock(LockType::exclusive, 0), act); }, operation);
    };
    locked([&](auto& lock) { on([&] { lock.put(one, 0, at(0)); }); });
    locked([&](auto& lock) { on([&] { lock.get(two, 0, at(0)); }); });
    locked([&](auto& lock) { const auto got = on([&] { return lock.get(std::vector<int>(1), 0, at(0)); }); });
    locked([&](auto& lock) { on([&] { lock.accumulate(one, 0, at(0), op::sum); }); });
    locked([&](auto& lock) { on([&] { lock.get_accumulate(one, two, 0, at(0), op::sum); }); });
    locked([&](auto& lock) {
        const auto got = on([&] { return lock.get_accumulate(one, std::vector<int>(1), 0, at(0), op::sum); });
    });
    locked([&](auto& lock) { const auto got = on([&] { return lock.fetch_and_op(1, 0, at(0), op::sum); }); });
    locked([&](auto& lock) { const auto got = on([&] { return lock.compare_and_swap(1, 2, 0, at(0)); }); });
    locked([&](auto& lock) { auto request = on([&] { return lock.rput(one, 0, at(0)); }); });
    locked([&](auto& lock) { auto request = on([&] { return lock.rget(two, 0, at(0)); }); });
    locked([&](auto& lock) { auto request = on([&] { return lock.raccumulate(one, 0, at(0), op::sum); }); });
    locked([&](auto& lock) { auto request = on([&] { return lock.rget_accumulate(one, two, 0, at(0), op::sum); }); });
    locked([&](auto& lock) { on([&] { lock.flush(); }); });
    locked([&](auto& lock) { on([&] { lock.flush_local(); }); });
    locked([&](auto& lock) { on([&] { lock.sync(); }); });
    locked([&](auto& lock) { on([&] { std::move(lock).unlock(); }); });
    const auto strided = anympi::strided(std::span(one), 1, 1, 1);
    const auto twice = anympi::strided(std::span(two), 1, 1, 1);
    locked([&](auto& lock) { on([&] { lock.get_accumulate(strided, twice, 0, at(0), op::sum); }); },
           "MPI_Get_accumulate");
    locked([&](auto& lock) { on([&] { lock.put(strided, 0, at(0)); }); }, "MPI_Put");
    const auto all_locked = [&](auto act) {
        check([&] { during(window.lock_all(), [&](auto& lock) { on([&] { act(lock); }); }); });
    };
    all_locked([](auto& lock) { lock.flush_all(); });
    all_locked([](auto& lock) { lock.flush(0); });
    all_locked([](auto& lock) { lock.flush_local(0); });
    all_locked([](auto& lock) { lock.flush_local_all(); });
    all_locked([](auto& lock) { std::move(lock).unlock(); });
    check([&] {
        during(window.fence(), [](auto& epoch) {
            on([&] { epoch.fence(); });
            on([&] { std::move(epoch).close(); });
        });
    });
    const auto access = [&] { auto epoch = window.start(group); }; // the other side waits for this epoch
    check([&] {
        auto exposed = on([&] { return window.post(group); });
        access();
    });
    {
        auto exposed = window.post(group);
        fails_with("MPI_Win_start", [&] { on([&] { static_cast<void>(window.start(group)); }); });
        access();
    }
    check([&] {
        during(window.post(group), [&](auto&) {
            during(window.start(group), [](auto& epoch) { on([&] { std::move(epoch).complete(); }); });
        });
    });
    check([&] {
        during(window.post(group), [&](auto& exposed) {
            access();
            on([&] { exposed.test(); });
        });
    });
    check([&] {
        auto exposed = window.post(group);
        access();
        on([&] { std::move(exposed).wait(); });
    });
    const auto shared = anympi::SharedWindow<int>::allocate(self, 2);
    made([&] { return shared.remote(0); });
    check([&] { on([&] { shared.fence(self); }); });
    EXPECT_EQ(calls_of("MPI_Win_fence", [&] { shared.fence(self); }), 1);
    const auto dynamic = anympi::DynamicWindow<int>::create(self);
    std::vector<int> memory(4);
    fails_with("MPI_Win_attach", [&] { on([&] { dynamic.attach(memory); }); });
    dynamic.attach(memory);
    made([&] { return anympi::DynamicWindow<int>::address(memory[0]); });
    fails_with("MPI_Win_detach", [&] { on([&] { dynamic.detach(memory); }); });
    dynamic.detach(memory);
}

TEST_F(Faults, files) {
    using anympi::File;
    using anympi::FileMode;
    const Comm comm = self.duplicate();
    const std::string name = "typed-faults.bin";
    const auto mode = FileMode::create | FileMode::read_write;
    check([&] { const auto file = on([&] { return File::open(comm, name, mode); }); });
    const auto file = File::open(comm, name, mode);
    const auto made = [&](auto act) { check([&] { [[maybe_unused]] const auto result = on(act); }); };
    const auto does = [&](auto act) { check([&] { on(act); }); };
    made([&] { return file.size(); });
    does([&] { file.set_size(64); });
    does([&] { file.preallocate(64); });
    does([&] { file.sync(); });
    does([&] { file.set_atomicity(false); });
    made([&] { return file.atomicity(); });
    made([&] { return file.info(); });
    does([&] { file.set_info(Info::create()); });
    does([&] { file.set_view<int>(0); });
    does([&] { file.set_view<int>(0, Datatype::of<int>()); });
    does([&] { file.seek(0); });
    made([&] { return file.position(); });
    does([&] { file.seek_shared(0); });
    made([&] { return file.write_at(0, one); });
    made([&] { return file.write_at_all(0, one); });
    made([&] { return file.read_at(0, two); });
    made([&] { return file.read_at<std::vector<int>>(0, count(1)); });
    made([&] { return file.read_at_all(0, two); });
    made([&] { return file.iwrite_at(0, one); });
    made([&] { return file.iwrite_at_all(0, one); });
    made([&] { return file.iread_at(0, two); });
    made([&] { return file.iread_at_all(0, two); });
    made([&] { return file.write(one); });
    made([&] { return file.write_all(one); });
    made([&] { return file.read(two); });
    made([&] { return file.read_all(two); });
    made([&] { return file.iwrite(one); });
    made([&] { return file.iwrite_all(one); });
    made([&] { return file.iread(two); });
    made([&] { return file.iread_all(std::vector<int>(1)); });
    made([&] { return file.write_shared(one); });
    made([&] { return file.write_ordered(one); });
    made([&] { return file.read_shared(two); });
    made([&] { return file.read_ordered(two); });
    made([&] { return file.iwrite_shared(one); });
    made([&] { return file.iread_shared(two); });
    const auto in_two_steps = [&](auto begin) {
        made(begin);
        check([&] {
            auto transfer = begin();
            on([&] { static_cast<void>(std::move(transfer).end()); });
        });
    };
    in_two_steps([&] { return file.write_at_all_begin(0, one); });
    in_two_steps([&] { return file.read_at_all_begin(0, std::vector<int>(1)); });
    in_two_steps([&] { return file.write_all_begin(one); });
    in_two_steps([&] { return file.read_all_begin(two); });
    in_two_steps([&] { return file.write_ordered_begin(one); });
    in_two_steps([&] { return file.read_ordered_begin(two); });
    // Cut to the data that was read. (Here, because Open MPI 4.1 never returns from a collective read beyond the end.)
    file.set_size(8);
    EXPECT_EQ(file.read_at_all_begin(0, std::vector<int>(3)).end().size(), 2U);
    check([&] {
        File other = File::open(comm, name, mode);
        on([&] { other.close(); });
    });
    fails_with("MPI_File_delete", [&] { on([&] { File::remove(name); }); });
    EXPECT_TRUE(std::filesystem::exists(name));
}

TEST_F(Faults, partitions) {
    check([&] { auto request = on([&] { return self.psend_init(one, partitions(1), 0, tag(6)); }); }, "MPI_Psend_init");
    check([&] { auto request = on([&] { return self.precv_init(two, partitions(1), 0, tag(6)); }); }, "MPI_Precv_init");
    const auto both = [&](auto act) {
        auto sending = self.psend_init(one, partitions(1), 0, tag(7));
        auto receiving = self.precv_init(two, partitions(1), 0, tag(7));
        anympi::start_all(sending, receiving);
        act(sending, receiving);
        sending.ready(0);
        anympi::wait_all(sending, receiving);
    };
    both([&](auto& sending, auto& receiving) {
        const std::array parts{0};
        fails_with("MPI_Pready", [&] { on([&] { sending.ready(0); }); });
        fails_with("MPI_Pready_range", [&] { on([&] { sending.ready_range(0, 0); }); });
        fails_with("MPI_Pready_list", [&] { on([&] { sending.ready_list(parts); }); });
        check([&] { on([&] { return receiving.arrived(0); }); });
    });
}

TEST_F(Faults, packing) {
    check(
        [&] {
            anympi::Packer packer(self);
            on([&] { packer.add(1, 2.5); });
            anympi::Unpacker unpacker(self, packer.bytes());
        },
        "MPI_Pack");
    check(
        [&] {
            anympi::ExternalPacker packer;
            on([&] { packer.add(1, 2.5); });
        },
        "MPI_Pack_external");
    anympi::Packer packer(self);
    packer.add(1, 2.5);
    anympi::ExternalPacker external;
    external.add(1);
    check(
        [&] {
            anympi::Unpacker unpacker(self, packer.bytes());
            on([&] { return unpacker.get<int>(); });
        },
        "MPI_Unpack");
    check(
        [&] {
            anympi::ExternalUnpacker unpacker(external.bytes());
            on([&] { unpacker.get(two); });
        },
        "MPI_Unpack_external");
}

TEST_F(Faults, tools) {
    const auto tools = anympi::Tools::begin();
    const auto made = [&](auto act) { fail_once([&] { [[maybe_unused]] const auto result = on(act); }, 1, {}); };
    made([&] { return tools.control_variables(); });
    made([&] { return tools.performance_variables(); });
    for (const char* name : {"MPI_T_init_thread", "MPI_Query_thread"})
        fails_with(name, [&] { on([&] { static_cast<void>(anympi::Tools::begin()); }); });
    const auto find = [&] { // a variable that can be written with its present number
        for (const std::string& name : tools.control_variables()) {
            try {
                tools.write_control(name, tools.read_control<long>(name));
                return name;
            } catch (const anympi::Error&) {
                continue;
            }
        }
        return std::string();
    };
    const std::string name = find();
    ASSERT_FALSE(name.empty());
    const long value = tools.read_control<long>(name);
    check([&] { on([&] { return tools.read_control<long>(name); }); }, "MPI_T_cvar_read");
    check([&] { on([&] { tools.write_control(name, value); }); }, "MPI_T_cvar_write");
}

TEST_F(Faults, level_of_tools) {
    const auto lower = anympi::Tools::begin();
    EXPECT_EQ(fake_tools::level, static_cast<int>(begun->thread_level())); // not lower than MPI's level
    EXPECT_GT(begun->thread_level(), anympi::ThreadLevel::single);
}

TEST_F(Faults, performance_variables) {
    const auto tools = anympi::Tools::begin();
    EXPECT_EQ(tools.performance_variables(), (std::vector<std::string>{"counter", "level", "of a window"}));
    EXPECT_EQ(tools.read_performance<double>("counter"), 42); // it was started
    EXPECT_EQ(tools.read_performance<int>("level"), 42);      // this one was not started
    EXPECT_MPI_ERROR(tools.read_performance<int>("of a window"), arg, "MPI_T_pvar_read");
    EXPECT_MPI_ERROR(tools.read_performance<int>("another"), arg, "MPI_T_pvar_get_index");
    const auto read = [&] { on([&] { return tools.read_performance<int>("counter"); }); };
    fails_with("MPI_T_pvar_session_create", read);
    for (const char* name : {"MPI_T_pvar_handle_alloc", "MPI_T_pvar_start", "MPI_T_pvar_read"})
        fails_with(name, read, "MPI_T_pvar_read");
    check([&] { on([&] { return tools.performance_variables(); }); });
    EXPECT_EQ(fake_tools::sessions, 0);
}

TEST_F(Faults, events) {
    const auto tools = anympi::Tools::begin();
    check([&] { on([&] { EXPECT_LE(tools.events().size(), 1U); }); });
    EXPECT_EQ(tools.events(), std::vector<std::string>(1, fake_tools::event));
    EXPECT_THROW(static_cast<void>(tools.on_event("another", [](const anympi::Event&) {})), anympi::Error);
    const auto used = std::make_shared<int>(0); // lives as long as the listener
    check([&] {
        const auto watch = on([&] { return tools.on_event(fake_tools::event, [used](const anympi::Event&) {}); });
    });
    EXPECT_EQ(used.use_count(), 1);
    int heard = 0;
    {
        auto first = tools.on_event(fake_tools::event, [&heard, used](const anympi::Event& event) {
            ++heard;
            check([&] { EXPECT_EQ(on([&] { return event.read<int>(0); }), 7); });
            check([&] { EXPECT_EQ(on([&] { return event.timestamp(); }), 1234); });
            EXPECT_EQ(event.read<double>(1), 2.5);
            EXPECT_EQ(event.read<char>(2), 'm');
            // Nothing is written beyond the end, not even partly.
            EXPECT_MPI_ERROR(event.read<short>(0), type, "MPI_T_event_read");
            EXPECT_MPI_ERROR(event.read<float>(1), type, "MPI_T_event_read");
            EXPECT_MPI_ERROR(event.read<std::int64_t>(2), type, "MPI_T_event_read");
            EXPECT_MPI_ERROR(event.read<int>(3), arg, "MPI_T_event_read");
            EXPECT_MPI_ERROR(event.read<int>(-1), arg, "MPI_T_event_read");
        });
        const auto watch = std::move(first);
        fake_tools::happen();
        EXPECT_EQ(used.use_count(), 2);
    }
    EXPECT_EQ(heard, 1);
    EXPECT_EQ(used.use_count(), 1);
    EXPECT_EQ(fake_tools::registrations, 0);
}

TEST_F(Faults, sessions) {
    check([&] { const auto session = on([&] { return anympi::Session::create(); }); });
    check([&] { during(anympi::Session::create(), [](auto& session) { on([&] { session.free(); }); }); });
    const auto session = anympi::Session::create();
    const auto made = [&](auto act) { check([&] { [[maybe_unused]] const auto result = on(act); }); };
    made([&] { return session.process_sets(); });
    made([&] { return session.group("mpi://SELF"); });
    made([&] { return session.info(); });
    made([&] { return session.process_set_info("mpi://SELF"); });
    check([&] { const auto buffer = on([&] { return session.attach_buffer(std::size_t{1000}); }); });
    check([&] {
        during(session.attach_buffer(std::size_t{1000}),
               [](auto& buffer) { on([&] { static_cast<void>(std::move(buffer).detach()); }); });
    });
    check([&] {
        during(session.attach_buffer(std::size_t{1000}), [](auto& buffer) {
            on([&] { buffer.flush(); });
            auto request = on([&] { return buffer.iflush(); });
        });
    });
}

TEST_F(Faults, comparisons_of_calls) {
    struct Level {
        Level() { anympi::set_assertion_level(anympi::AssertionLevel::communication); }
        ~Level() { anympi::set_assertion_level(anympi::AssertionLevel::normal); }
    } level;
    check([&] { on([&] { self.broadcast(two, 0); }); }, "MPI_Bcast");
    check([&] { on([&] { self.allreduce(one, two, op::sum); }); }, "MPI_Allreduce");
    // The operation starts, whatever the result of the comparison.
    fails_with(
        "MPI_Ialltoall", [&] { on([&] { self.ibarrier().wait(); }); }, "MPI_Wait");
    const auto poll = [&] {
        auto request = self.ibarrier();
        while (!request.test())
            ;
    };
    fails_with(
        "MPI_Ialltoall", [&] { on(poll); }, "MPI_Test");
    // The datatypes inside another one, for which MPI_Type_get_contents creates new handles.
    std::vector<std::array<int, 2>> rows(4);
    const auto every_other = anympi::strided(std::span(rows), 2, 1, 2);
    EXPECT_GE(calls_of("MPI_Type_free", [&] { self.broadcast(every_other, 0); }), 1);
    std::vector<int> three(3), four(4);
    fails_with(
        "MPI_Bcast", [&] { on([&] { self.allgatherv(four, three, Layout::packed({3})); }); }, "MPI_Allgatherv");
}

TEST_F(Faults, the_environment) {
    const auto detach = [] { static_cast<void>(begun->detach_buffer()); };
    check([&] {
        on([] { begun->attach_buffer(std::size_t{1000}); });
        detach();
    });
    begun->attach_buffer(std::size_t{1000});
    check([&] { on([] { begun->flush_buffer(); }); });
    check([&] { auto request = on([] { return begun->iflush_buffer(); }); });
    fails_with("MPI_Buffer_detach_c", [&] { on(detach); });
    detach();
}

// The last test, because a session that does not end keeps MPI initialised.
TEST_F(Faults, destructors_tell_the_listener) {
    using anympi::File;
    using anympi::FileMode;
    std::vector<std::string> heard;
    const auto listener = [&](const anympi::Error& error) { heard.push_back(error.operation()); };
    const auto listened = [&](auto object) {
        object.on_error(listener);
        return object;
    };
    // `make` creates an object whose end calls the function, which fails.
    const auto tells = [&](const std::string& name, auto make) {
        heard.clear();
        {
            const auto object = make();
            faults::fails_by_name = name;
            faults::counts = true;
        }
        faults::counts = false;
        faults::fails_by_name.clear();
        EXPECT_EQ(heard, std::vector<std::string>{short_name(name)});
    };
    const Comm comm = listened(self.duplicate());
    const auto window = listened(anympi::Window<int>::allocate(comm, 4));
    const auto file = listened(
        File::open(comm, "typed-faults-ends.bin", FileMode::create | FileMode::write | FileMode::delete_on_close));
    const auto group = comm.group();
    tells("MPI_Comm_free", [&] { return listened(self.duplicate()); });
    tells("MPI_Win_free", [&] { return listened(anympi::Window<int>::allocate(comm, 4)); });
    tells("MPI_File_close",
          [&] { return listened(File::open(comm, "typed-faults-ends.bin", FileMode::create | FileMode::write)); });
    tells("MPI_Session_finalize", [&] { return listened(anympi::Session::create()); });
    tells("MPI_Win_unlock", [&] { return window.lock(LockType::exclusive, 0); });
    tells("MPI_Win_unlock_all", [&] { return window.lock_all(); });
    tells("MPI_Win_fence", [&] { return window.fence(); });
    {
        const auto exposed = window.post(group);
        tells("MPI_Win_complete", [&] { return window.start(group); });
    }
    tells("MPI_Win_wait", [&] {
        auto exposed = window.post(group);
        window.start(group).complete();
        return exposed;
    });
    tells("MPI_File_write_all_end", [&] { return file.write_all_begin(one); });
    tells("MPI_Comm_detach_buffer_c", [&] { return comm.attach_buffer(std::size_t{1000}); });
    void* memory = nullptr; // the memory still belongs to the library
    MPI_Count bytes = 0;
    MPI_Comm_detach_buffer_c(comm.handle(), static_cast<void*>(&memory), &bytes);
    tells("MPI_Wait", [&] { return file.iwrite(one); });
    tells("MPI_Wait", [&] { return comm.ibarrier(); });
    tells("MPI_Request_free", [&] { return comm.barrier_init(); });
    // Objects that are left open end before MPI: only a listener of MPI_COMM_WORLD hears of them.
    const Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    world.on_error(listener);
    try {
        const Comm left = self.duplicate();
        throw std::runtime_error("unwinds");
    } catch (const std::runtime_error&) {
    }
    heard.clear();
    faults::fails_by_name = "MPI_Comm_free";
    on([] { anympi::shared::LeftOpen::free_all(); });
    faults::fails_by_name.clear();
    EXPECT_EQ(heard, std::vector<std::string>{"MPI_Comm_free"});
    world.clear_on_error();
}

int main(int argc, char** argv) {
    report_failures_and_skips(argc, argv);
    // Initialised until the end, because MPICH 4.0 cannot initialise the interface again after its end.
    const auto tools = anympi::Tools::begin(anympi::ThreadLevel::funneled);
    EXPECT_EQ(fake_tools::level, MPI_THREAD_FUNNELED); // as requested, because MPI is not initialised
    fails_with("MPI_Init_thread", [] { on([] { static_cast<void>(anympi::init()); }); });
    auto mpi = anympi::init(anympi::ThreadLevel::multiple);
    begun = &mpi;
    const int failed = RUN_ALL_TESTS();
    for (const std::string& name : faults::all)
        std::printf("failed: %s\n", name.c_str());
    return failed;
}
