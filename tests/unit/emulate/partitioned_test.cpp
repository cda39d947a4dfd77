// Partitioned messages: one message, sent when its last partition is ready.

#include "fake.hpp"

#include <climits>

namespace {

using namespace fake;

int sent_tag;
int sent_count;
int make_send(const void*, int count, word, int, int tag, word, handle* out) {
    sent_tag = tag;
    sent_count = count;
    *out = add_request(true);
    return 0;
}

class Partitions : public Emulation {
protected:
    void SetUp() override {
        Emulation::SetUp();
        comm = add_comm({});
        FAKE(Send_init)::does = make_send;
    }
    void TearDown() override {
        for (handle* each : {&send, &receive})
            if (*each != no_request) {
                EXPECT_EQ(mpi.Request_free(each), 0);
            }
        EXPECT_EQ(count_requests(), 0) << "requests of the library remain";
    }
    int init(int partitions = 3, std::int64_t count = 5, int tag = 7) {
        return mpi.Psend_init(nullptr, partitions, count, mpich::mpi_INT, 2, tag, comm, mpich::mpi_INFO_NULL, &send);
    }
    int is_complete() {
        int flag = -1;
        EXPECT_EQ(mpi.Test(&send, &flag, nullptr), 0);
        return flag;
    }
    word comm = 0;
    handle send = no_request;
    handle receive = no_request;
};

TEST_F(Partitions, AreSentWhenTheLastIsReady) {
    const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}};
    EXPECT_EQ(init(), 0);
    EXPECT_EQ(sent_count, 15);
    for (const auto& order : orders) {
        calls.clear();
        EXPECT_EQ(mpi.Start(&send), 0);
        EXPECT_EQ(mpi.Pready(order[0], send), 0);
        EXPECT_EQ(mpi.Pready(order[1], send), 0);
        EXPECT_EQ(count_calls("Start"), 0);
        EXPECT_EQ(is_complete(), 0);
        EXPECT_EQ(mpi.Pready(order[2], send), 0);
        EXPECT_EQ(count_calls("Start"), 1);
        complete_all();
        EXPECT_EQ(is_complete(), 1);
    }
}

TEST_F(Partitions, OneThatIsReadyTwiceIsAnError) {
    EXPECT_EQ(init(), 0);
    EXPECT_EQ(mpi.Start(&send), 0);
    EXPECT_EQ(mpi.Pready(1, send), 0);
    EXPECT_EQ(mpi.Pready(1, send), mpich::mpi_ERR_ARG);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].comm, comm);
    EXPECT_EQ(mpi.Pready_range(0, 2, send), mpich::mpi_ERR_ARG) << "partition 1 is in the list";
    EXPECT_EQ(mpi.Pready(2, send), 0);
    EXPECT_EQ(count_calls("Start"), 1) << "partition 0 became ready before the error";
    complete_all();
    EXPECT_EQ(is_complete(), 1);
}

TEST_F(Partitions, RangesAndListsAreCheckedBeforeAnyIsReady) {
    EXPECT_EQ(init(), 0);
    EXPECT_EQ(mpi.Start(&send), 0);
    EXPECT_EQ(mpi.Pready_range(1, 3, send), mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Pready_range(-1, 1, send), mpich::mpi_ERR_ARG);
    const int list[] = {0, 1, 3};
    EXPECT_EQ(mpi.Pready_list(3, list, send), mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Pready_list(1, nullptr, send), mpich::mpi_ERR_ARG);
    const int good[] = {2, 0, 1};
    EXPECT_EQ(mpi.Pready_list(3, good, send), 0) << "no partition became ready";
    EXPECT_EQ(count_calls("Start"), 1);
    complete_all();
    EXPECT_EQ(is_complete(), 1);
}

TEST_F(Partitions, InactiveSendsAndOtherRequestsAreErrors) {
    EXPECT_EQ(init(), 0);
    EXPECT_EQ(mpi.Pready(0, send), mpich::mpi_ERR_REQUEST);
    EXPECT_EQ(mpi.Pready(0, no_request), mpich::mpi_ERR_REQUEST);
    EXPECT_EQ(mpi.Precv_init(nullptr, 3, 5, mpich::mpi_INT, 2, 7, comm, mpich::mpi_INFO_NULL, &receive), 0);
    EXPECT_EQ(mpi.Start(&receive), 0);
    EXPECT_EQ(mpi.Pready(0, receive), mpich::mpi_ERR_REQUEST);
    complete_all();
    EXPECT_EQ(mpi.Wait(&receive, nullptr), 0);
}

TEST_F(Partitions, ASendThatCannotStartFailsAndCompletes) {
    EXPECT_EQ(init(1), 0);
    EXPECT_EQ(mpi.Start(&send), 0);
    FAKE(Start)::fail();
    EXPECT_EQ(mpi.Pready(0, send), a_code);
    EXPECT_EQ(mpi.Wait(&send, nullptr), a_code) << "no process waits forever";
}

TEST_F(Partitions, NoPartitionsAreSentAtOnce) {
    EXPECT_EQ(init(0), 0);
    EXPECT_EQ(mpi.Start(&send), 0);
    EXPECT_EQ(count_calls("Start"), 1);
    complete_all();
    EXPECT_EQ(is_complete(), 1);
}

TEST_F(Partitions, CountsAtTheBorder) {
    EXPECT_EQ(init(1, INT_MAX), 0);
    EXPECT_EQ(sent_count, INT_MAX);
    EXPECT_EQ(mpi.Request_free(&send), 0);
    EXPECT_EQ(init(3, INT64_MAX / 2), mpich::mpi_ERR_COUNT) << "the product does not fit";
    EXPECT_EQ(init(3, -1), mpich::mpi_ERR_COUNT);
    EXPECT_EQ(init(-1, 1), mpich::mpi_ERR_ARG);
    EXPECT_EQ(send, no_request);
    for (const raised& each : errors)
        EXPECT_EQ(each.comm, comm);
    EXPECT_EQ(errors.size(), 3u);
}

TEST_F(Partitions, EqualTagsAreToldApartInTheOrderOfMaking) {
    handle others[2] = {no_request, no_request};
    EXPECT_EQ(init(), 0);
    const int first = sent_tag;
    EXPECT_EQ(mpi.Psend_init(nullptr, 1, 1, mpich::mpi_INT, 2, 7, comm, mpich::mpi_INFO_NULL, &others[0]), 0);
    const int second = sent_tag;
    EXPECT_NE(first, second);
    FAKE(Send_init)::fail();
    EXPECT_EQ(mpi.Psend_init(nullptr, 1, 1, mpich::mpi_INT, 2, 7, comm, mpich::mpi_INFO_NULL, &others[1]), a_code);
    FAKE(Send_init)::does = make_send;
    EXPECT_EQ(mpi.Psend_init(nullptr, 1, 1, mpich::mpi_INT, 2, 7, comm, mpich::mpi_INFO_NULL, &others[1]), 0);
    EXPECT_EQ(sent_tag - second, second - first) << "a request that was not created has no number";
    for (handle& each : others)
        EXPECT_EQ(mpi.Request_free(&each), 0);
}

TEST_F(Partitions, OtherCommunicatorsCountForThemselves) {
    EXPECT_EQ(init(), 0);
    const int first = sent_tag;
    handle other = no_request;
    const word fresh = add_comm({});
    EXPECT_EQ(mpi.Psend_init(nullptr, 1, 1, mpich::mpi_INT, 2, 7, fresh, mpich::mpi_INFO_NULL, &other), 0);
    EXPECT_EQ(sent_tag, first);
    EXPECT_EQ(mpi.Request_free(&other), 0);
}

TEST_F(Partitions, TagsAboveTheRangeAreRefused) {
    EXPECT_EQ(init(1, 1, INT_MAX), mpich::mpi_ERR_TAG);
    EXPECT_EQ(init(1, 1, -1), mpich::mpi_ERR_TAG);
    EXPECT_EQ(send, no_request);
}

TEST_F(Partitions, AReceiveHasTheTagOfTheProgram) {
    EXPECT_EQ(mpi.Precv_init(nullptr, 3, 5, mpich::mpi_INT, 2, 7, comm, mpich::mpi_INFO_NULL, &receive), 0);
    EXPECT_EQ(mpi.Start(&receive), 0);
    int flag = 1;
    EXPECT_EQ(mpi.Parrived(receive, 1, &flag), 0);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(mpi.Parrived(receive, 3, &flag), mpich::mpi_ERR_ARG);
    request_of(last_request()).result = {60, 0, 2, 0x12345, 0};
    complete_all();
    EXPECT_EQ(mpi.Parrived(receive, 1, &flag), 0);
    EXPECT_EQ(flag, 1);
    status result = marked_status();
    EXPECT_EQ(mpi.Wait(&receive, &result), 0);
    EXPECT_EQ(result.tag, 7);
    EXPECT_EQ(result.source, 2);
    EXPECT_EQ(result.count_low, 60);
}

TEST_F(Partitions, AnySourceIsRefused) {
    EXPECT_EQ(
        mpi.Precv_init(nullptr, 3, 5, mpich::mpi_INT, mpich::mpi_ANY_SOURCE, 7, comm, mpich::mpi_INFO_NULL, &receive),
        mpich::mpi_ERR_RANK);
}

TEST_F(Partitions, ASendThatIsFreedBeforeAllAreReadyIsNeverSent) {
    EXPECT_EQ(init(), 0);
    EXPECT_EQ(mpi.Start(&send), 0);
    EXPECT_EQ(mpi.Pready(0, send), 0);
    EXPECT_EQ(mpi.Request_free(&send), 0);
    EXPECT_EQ(count_requests(), 0);
    EXPECT_EQ(count_calls("Start"), 0);
}

} // namespace
