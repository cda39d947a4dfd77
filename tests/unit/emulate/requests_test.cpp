// Compound requests: failures in the middle, and the error handlers that are called.

#include "fake.hpp"

#include "convert/deferred_handlers.hpp"

namespace {

using namespace fake;

class Compounds : public Emulation {
protected:
    static handle begin() {
        handle made = no_request;
        EXPECT_EQ(mpi.Isendrecv(nullptr, 1, mpich::mpi_INT, 1, 2, nullptr, 1, mpich::mpi_INT, 3, 4, world, &made), 0);
        return made;
    }
    static handle receive_of(int compound) { return made_requests().at(static_cast<std::size_t>(2 * compound)); }
    static handle send_of(int compound) { return made_requests().at(static_cast<std::size_t>(2 * compound + 1)); }
    void TearDown() override { EXPECT_EQ(count_requests(), 0) << "requests of the library remain"; }
};

TEST_F(Compounds, CompleteWhenAllChildrenHave) {
    handle made = begin();
    int flag = 1;
    EXPECT_EQ(mpi.Test(&made, &flag, nullptr), 0);
    EXPECT_EQ(flag, 0);
    complete(receive_of(0));
    EXPECT_EQ(mpi.Test(&made, &flag, nullptr), 0);
    EXPECT_EQ(flag, 0);
    complete(send_of(0));
    EXPECT_EQ(mpi.Test(&made, &flag, nullptr), 0);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(made, no_request);
}

TEST_F(Compounds, HaveTheStatusOfTheReceive) {
    handle made = begin();
    request_of(receive_of(0)).result = {12, 0, 3, 4, 0};
    request_of(send_of(0)).result = {99, 0, 9, 9, 0};
    complete_all();
    status result = marked_status();
    EXPECT_EQ(mpi.Wait(&made, &result), 0);
    EXPECT_EQ(result.source, 3);
    EXPECT_EQ(result.tag, 4);
    EXPECT_EQ(result.count_low, 12);
    EXPECT_EQ(result.error, 4711);
}

TEST_F(Compounds, AFirstChildThatCannotBeginLeavesNothing) {
    FAKE(Irecv)::fail();
    handle made = 77;
    EXPECT_EQ(mpi.Isendrecv(nullptr, 1, mpich::mpi_INT, 1, 2, nullptr, 1, mpich::mpi_INT, 3, 4, world, &made), a_code);
    EXPECT_EQ(made, 77u);
    EXPECT_EQ(count_calls("Isend"), 0);
    EXPECT_TRUE(errors.empty()) << "the library has reported it";
}

TEST_F(Compounds, ASecondChildThatCannotBeginEndsTheFirst) {
    FAKE(Isend)::fail();
    handle made = 77;
    EXPECT_EQ(mpi.Isendrecv(nullptr, 1, mpich::mpi_INT, 1, 2, nullptr, 1, mpich::mpi_INT, 3, 4, world, &made), a_code);
    EXPECT_EQ(made, 77u);
    EXPECT_TRUE(were_called({"Irecv", "Isend", "Cancel", "Request_free"}));
}

TEST_F(Compounds, NoRequestToWriteToIsReportedToTheCommunicator) {
    EXPECT_EQ(mpi.Isendrecv(nullptr, 1, mpich::mpi_INT, 1, 2, nullptr, 1, mpich::mpi_INT, 3, 4, world, nullptr),
              mpich::mpi_ERR_ARG);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].comm, world);
    EXPECT_EQ(errors[0].code, mpich::mpi_ERR_ARG);
}

TEST_F(Compounds, AFailedChildDoesNotEndTheOthers) {
    handle made = begin();
    complete(receive_of(0), a_code);
    int flag = 1;
    EXPECT_EQ(mpi.Test(&made, &flag, nullptr), 0);
    EXPECT_EQ(flag, 0) << "the buffer of the send is still in use";
    complete(send_of(0));
    EXPECT_EQ(mpi.Test(&made, &flag, nullptr), a_code);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(made, no_request);
}

TEST_F(Compounds, HaveTheCodeOfTheFirstChildThatFailed) {
    handle made = begin();
    complete(send_of(0), a_code + 0x100);
    complete(receive_of(0), a_code);
    EXPECT_EQ(mpi.Wait(&made, nullptr), a_code);
}

// A call of the program's error handler: the code, and true if the failing call had done everything else by then.
struct handler_call {
    int code;
    bool is_last;
};
std::vector<handler_call> handler_calls;
int call_handler(const anympi::reported_error& error) {
    handler_calls.push_back({error.code, count_requests() == 0});
    return error.code;
}

TEST_F(Compounds, TheHandlerOfAFailedChildIsCalledLast) {
    handler_calls.clear();
    handle made = begin();
    complete_all();
    FAKE(Test)::does = [](handle* which, int* flag, status*) {
        anympi::reported_error error{};
        error.tell = call_handler;
        error.code = error.library_code = a_code;
        if (*which == made_requests()[0]) {
            EXPECT_TRUE(anympi::defer_error(error)) << "a handler may not run inside";
        }
        *flag = 1;
        FAKE(Request_free)::usual(which);
        return 0; // as MPICH 4.3 returns after a handler
    };
    EXPECT_EQ(mpi.Wait(&made, nullptr), a_code) << "the code that the handler was called with";
    ASSERT_EQ(handler_calls.size(), 1u);
    EXPECT_EQ(handler_calls[0].code, a_code);
    EXPECT_TRUE(handler_calls[0].is_last);
}

TEST_F(Compounds, AreUnknownOnceComplete) {
    handle made = begin();
    const handle stale = made;
    complete_all();
    EXPECT_EQ(mpi.Wait(&made, nullptr), 0);
    handle again = stale;
    EXPECT_EQ(mpi.Wait(&again, nullptr), mpich::mpi_ERR_REQUEST);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].code, mpich::mpi_ERR_REQUEST);
    EXPECT_EQ(errors[0].comm, mpich::mpi_COMM_WORLD) << "a library before MPI 4.0";
}

TEST_F(Compounds, CancelReachesChildrenThatAreNotComplete) {
    handle made = begin();
    complete(receive_of(0));
    int flag = 1;
    EXPECT_EQ(mpi.Test(&made, &flag, nullptr), 0);
    EXPECT_EQ(mpi.Cancel(&made), 0);
    EXPECT_TRUE(request_of(send_of(0)).is_cancelled);
    EXPECT_EQ(count_calls("Cancel"), 1);
    complete(send_of(0));
    EXPECT_EQ(mpi.Wait(&made, nullptr), 0);
}

TEST_F(Compounds, FreedOnesEndWhenTheirChildrenHave) {
    handle made = begin();
    EXPECT_EQ(mpi.Request_free(&made), 0);
    EXPECT_EQ(made, no_request);
    EXPECT_EQ(count_requests(), 2) << "still pending";
    complete_all();
    handle next = begin(); // this call frees the records of freed requests
    EXPECT_EQ(count_requests(), 2);
    complete_all();
    EXPECT_EQ(mpi.Wait(&next, nullptr), 0);
}

TEST_F(Compounds, NobodyIsToldOfErrorsOfFreedOnes) {
    handle made = begin();
    EXPECT_EQ(mpi.Request_free(&made), 0);
    complete(receive_of(0), a_code);
    complete(send_of(0), a_code);
    handle next = begin();
    complete(receive_of(1));
    complete(send_of(1));
    EXPECT_EQ(mpi.Wait(&next, nullptr), 0);
    EXPECT_TRUE(errors.empty());
}

TEST_F(Compounds, GetStatusTellsWithoutCompleting) {
    handle made = begin();
    request_of(receive_of(0)).result.source = 3;
    complete_all();
    status result = marked_status();
    int flag = 0;
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(mpi.Request_get_status(made, &flag, &result), 0);
        EXPECT_EQ(flag, 1);
        EXPECT_EQ(result.source, 3);
        EXPECT_EQ(result.error, 4711);
    }
    EXPECT_EQ(mpi.Wait(&made, &result), 0);
    EXPECT_EQ(result.source, 3);
}

TEST_F(Compounds, HaveNumbersForFortran) {
    handle made = begin();
    EXPECT_EQ(mpi.Request_f2c(mpi.Request_c2f(made)), made);
    EXPECT_EQ(mpi.Request_f2c(0x1234), 0x1234u) << "one of the library";
    complete_all();
    EXPECT_EQ(mpi.Wait(&made, nullptr), 0);
}

TEST_F(Compounds, AreNeverStarted) {
    handle made = begin();
    EXPECT_EQ(mpi.Start(&made), mpich::mpi_ERR_REQUEST);
    complete_all();
    EXPECT_EQ(mpi.Wait(&made, nullptr), 0);
}

// ---- several requests, in any order ----

class ManyRequests : public Compounds {
protected:
    void SetUp() override {
        Compounds::SetUp();
        all[0] = begin();
        all[1] = add_request();
        all[2] = no_request;
        all[3] = begin();
        library_request = all[1];
    }
    static handle child(int which) { return made_requests().at(static_cast<std::size_t>(which)); } // 0 1 | 3 4
    handle all[4];
    handle library_request;
    int index = -7;
    int flag = -7;
    int indices[4] = {};
    status results[4] = {marked_status(), marked_status(), marked_status(), marked_status()};
};

TEST_F(ManyRequests, WaitanyTakesTheLibrarysFirst) {
    complete_all();
    EXPECT_EQ(mpi.Waitany(4, all, &index, results), 0);
    EXPECT_EQ(index, 1);
    EXPECT_EQ(all[1], no_request);
    EXPECT_EQ(mpi.Waitany(4, all, &index, results), 0);
    EXPECT_EQ(index, 0);
    EXPECT_EQ(mpi.Waitany(4, all, &index, results), 0);
    EXPECT_EQ(index, 3);
    EXPECT_EQ(mpi.Waitany(4, all, &index, results), 0);
    EXPECT_EQ(index, mpich::mpi_UNDEFINED);
    EXPECT_EQ(results[0].source, mpich::mpi_ANY_SOURCE);
}

TEST_F(ManyRequests, TestanyFindsTheCompoundThatIsComplete) {
    EXPECT_EQ(mpi.Testany(4, all, &index, &flag, results), 0);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(index, mpich::mpi_UNDEFINED);
    complete(child(3));
    EXPECT_EQ(mpi.Testany(4, all, &index, &flag, results), 0);
    EXPECT_EQ(flag, 0) << "half of one";
    complete(child(4));
    EXPECT_EQ(mpi.Testany(4, all, &index, &flag, results), 0);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(index, 3);
    EXPECT_EQ(all[3], no_request);
    EXPECT_NE(all[0], no_request);
    complete_all();
    EXPECT_EQ(mpi.Waitall(4, all, nullptr), 0);
}

TEST_F(ManyRequests, TestsomeListsBothKinds) {
    int count = -1;
    EXPECT_EQ(mpi.Testsome(4, all, &count, indices, results), 0);
    EXPECT_EQ(count, 0);
    complete(library_request);
    complete(child(0));
    complete(child(1));
    EXPECT_EQ(mpi.Testsome(4, all, &count, indices, results), 0);
    ASSERT_EQ(count, 2);
    EXPECT_EQ(indices[0], 1);
    EXPECT_EQ(indices[1], 0);
    EXPECT_EQ(results[0].error, 0);
    EXPECT_EQ(results[1].error, 0);
    complete_all();
    EXPECT_EQ(mpi.Waitsome(4, all, &count, indices, results), 0);
    ASSERT_EQ(count, 1);
    EXPECT_EQ(indices[0], 3);
    EXPECT_EQ(mpi.Waitsome(4, all, &count, indices, results), 0);
    EXPECT_EQ(count, mpich::mpi_UNDEFINED);
}

TEST_F(ManyRequests, TestsomeTellsWhichCompoundFailed) {
    int count = -1;
    complete(library_request);
    complete(child(3), a_code);
    complete(child(4));
    EXPECT_EQ(mpi.Testsome(4, all, &count, indices, results), mpich::mpi_ERR_IN_STATUS);
    ASSERT_EQ(count, 2);
    EXPECT_EQ(results[0].error, 0) << "the library's own";
    EXPECT_EQ(results[1].error, a_code);
    complete_all();
    EXPECT_EQ(mpi.Waitall(4, all, nullptr), 0);
}

TEST_F(ManyRequests, TestallCompletesNothingUntilAllCan) {
    complete(library_request);
    complete(child(0));
    complete(child(1));
    EXPECT_EQ(mpi.Testall(4, all, &flag, results), 0);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(all[1], library_request) << "the library's own must not be gone";
    EXPECT_NE(all[0], no_request);
    complete_all();
    EXPECT_EQ(mpi.Testall(4, all, &flag, results), 0);
    EXPECT_EQ(flag, 1);
    for (const handle each : all)
        EXPECT_EQ(each, no_request);
}

TEST_F(ManyRequests, WaitallHasTheErrorOfEach) {
    complete_all();
    request_of(child(1)).code = a_code;
    EXPECT_EQ(mpi.Waitall(4, all, results), mpich::mpi_ERR_IN_STATUS);
    EXPECT_EQ(results[0].error, a_code);
    EXPECT_EQ(results[1].error, 0);
    EXPECT_EQ(results[2].error, 0);
    EXPECT_EQ(results[3].error, 0);
}

TEST_F(ManyRequests, WaitallWorksWithoutStatuses) {
    complete_all();
    EXPECT_EQ(mpi.Waitall(4, all, reinterpret_cast<status*>(mpich::mpi_STATUS_IGNORE)), 0);
}

TEST_F(ManyRequests, AFailureOfTheLibrarysWaitallLeavesTheCompounds) {
    complete_all();
    FAKE(Waitall)::fail(1, mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Waitall(4, all, results), mpich::mpi_ERR_ARG);
    EXPECT_NE(all[0], no_request);
    EXPECT_EQ(mpi.Waitall(4, all, results), 0);
}

TEST_F(ManyRequests, AStaleCompoundIsAnError) {
    const handle stale = all[0];
    complete_all();
    EXPECT_EQ(mpi.Wait(&all[0], nullptr), 0);
    all[0] = stale;
    EXPECT_EQ(mpi.Waitall(4, all, results), mpich::mpi_ERR_REQUEST);
    all[0] = no_request;
    EXPECT_EQ(mpi.Waitall(4, all, results), 0);
}

TEST_F(ManyRequests, GetStatusAllAnySome) {
    int count = 0;
    EXPECT_EQ(mpi.Request_get_status_all(4, all, &flag, results), 0);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(mpi.Request_get_status_any(4, all, &index, &flag, results), 0);
    EXPECT_EQ(flag, 0);
    complete(child(3));
    complete(child(4));
    EXPECT_EQ(mpi.Request_get_status_any(4, all, &index, &flag, results), 0);
    EXPECT_EQ(index, 3);
    EXPECT_EQ(mpi.Request_get_status_some(4, all, &count, indices, results), 0);
    ASSERT_EQ(count, 1);
    EXPECT_EQ(indices[0], 3);
    complete_all();
    EXPECT_EQ(mpi.Request_get_status_all(4, all, &flag, results), 0);
    EXPECT_EQ(flag, 1);
    EXPECT_NE(all[0], no_request) << "nothing is completed";
    EXPECT_EQ(mpi.Waitall(4, all, nullptr), 0);
}

// ---- other compound requests ----

TEST_F(Compounds, IsendrecvReplacePacksFirst) {
    const int data[3] = {1, 2, 3};
    int copy[3] = {1, 2, 3};
    static const void* sent = nullptr;
    FAKE(Isend)::does = [](const void* from, int, word, int, int, word, handle* out) {
        sent = from;
        *out = add_request();
        return 0;
    };
    handle made = no_request;
    EXPECT_EQ(mpi.Isendrecv_replace(copy, 3, mpich::mpi_INT, 1, 2, 3, 4, world, &made), 0);
    EXPECT_TRUE(were_called({"Pack", "Irecv", "Isend"}));
    copy[0] = -1; // the receive writes into it
    ASSERT_NE(sent, nullptr);
    EXPECT_EQ(memcmp(sent, data, sizeof data), 0);
    complete_all();
    EXPECT_EQ(mpi.Wait(&made, nullptr), 0);
}

TEST_F(Compounds, IsendrecvReplaceThatCannotPackBeginsNothing) {
    int data[3] = {};
    FAKE(Pack)::fail();
    handle made = no_request;
    EXPECT_EQ(mpi.Isendrecv_replace(data, 3, mpich::mpi_INT, 1, 2, 3, 4, world, &made), a_code);
    EXPECT_EQ(count_calls("Irecv"), 0);
}

TEST_ALONE(Compounds, IdupWithInfoSetsTheInfoAtTheEnd) {
    handle info = 0;
    handle made = 0;
    handle one = no_request;
    EXPECT_EQ(FAKE(Info_create)::usual(&info), 0);
    EXPECT_EQ(mpi.Comm_idup_with_info(world, info, &made, &one), 0);
    EXPECT_EQ(count_calls("Comm_set_info"), 0);
    complete_all();
    FAKE(Comm_set_info)::fail();
    EXPECT_EQ(mpi.Wait(&one, nullptr), a_code) << "the last step failed";
    EXPECT_EQ(one, no_request);
    EXPECT_EQ(count_calls("Comm_set_info"), 1);
}

} // namespace
