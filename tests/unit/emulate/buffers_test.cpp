// Emulated buffers for MPI_Bsend: they limit the sizes of messages, which are sent from copies.

#include "fake.hpp"

#include <climits>
#include <cstring>

namespace {

using namespace fake;

constexpr int overhead = 32; // for each message, as the buffers count it

class Buffers : public Emulation {
protected:
    void SetUp() override {
        Emulation::SetUp();
        comm = add_comm({});
    }
    void TearDown() override {
        complete_all();
        void* address = nullptr;
        int size = 0;
        EXPECT_EQ(mpi.Buffer_detach(&address, &size), 0);
        EXPECT_EQ(count_requests(), 0) << "messages remain";
    }
    int send(int bytes) { return mpi.Bsend(memory, bytes, mpich::mpi_CHAR, 2, 7, comm); }
    int attach(int size) { return mpi.Buffer_attach(memory, size); }
    word comm = 0;
    char memory[4096] = "some text";
};

TEST_F(Buffers, WithoutOneNothingIsSent) {
    EXPECT_EQ(send(1), mpich::mpi_ERR_BUFFER);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].comm, comm);
    EXPECT_EQ(count_calls("Isend"), 0);
}

TEST_F(Buffers, MessagesAreSentFromCopies) {
    static char copy[16];
    FAKE(Isend)::does = [](const void* data, int count, word type, int, int, word, handle* out) {
        EXPECT_EQ(type, mpich::mpi_PACKED);
        std::memcpy(copy, data, static_cast<std::size_t>(count));
        *out = add_request();
        return 0;
    };
    EXPECT_EQ(attach(100), 0);
    EXPECT_EQ(send(10), 0);
    EXPECT_STREQ(copy, "some text");
    EXPECT_EQ(count_calls("Bsend"), 0) << "the library's own buffer is not used";
}

TEST_F(Buffers, AMessageMayFillItExactly) {
    EXPECT_EQ(attach(100 + overhead), 0);
    EXPECT_EQ(send(100), 0);
}

TEST_F(Buffers, AMessageThatIsLargerIsRefusedAtOnce) {
    EXPECT_EQ(attach(100 + overhead), 0);
    EXPECT_EQ(send(101), mpich::mpi_ERR_BUFFER);
    EXPECT_EQ(send(100), 0) << "the failed message took no room";
}

TEST_F(Buffers, AFullOneHasRoomAgainWhenAMessageIsGone) {
    EXPECT_EQ(attach(2 * overhead + 20), 0);
    EXPECT_EQ(send(10), 0);
    EXPECT_EQ(send(10), 0);
    EXPECT_EQ(send(10), mpich::mpi_ERR_BUFFER);
    complete(made_requests()[1]); // not the oldest one
    EXPECT_EQ(send(10), 0);
}

TEST_F(Buffers, AMessageThatCannotBeSentGivesItsRoomBack) {
    EXPECT_EQ(attach(overhead + 10), 0);
    FAKE(Isend)::fail();
    EXPECT_EQ(send(10), a_code);
    FAKE(Pack)::fail();
    EXPECT_EQ(send(10), a_code);
    EXPECT_EQ(send(10), 0);
}

TEST_F(Buffers, TheSizeMayBeLargerThanAnInt) {
    void* address = nullptr;
    std::int64_t large = 0;
    int small = 0;
    EXPECT_EQ(mpi.Buffer_attach_c(memory, more), 0);
    EXPECT_EQ(mpi.Buffer_detach_c(&address, &large), 0);
    EXPECT_EQ(address, memory);
    EXPECT_EQ(large, more);
    EXPECT_EQ(mpi.Buffer_attach_c(memory, more), 0);
    EXPECT_EQ(mpi.Buffer_detach(&address, &small), 0);
    EXPECT_EQ(small, INT_MAX) << "the largest int";
}

TEST_F(Buffers, OneThatIsAttachedTwiceIsAnError) {
    EXPECT_EQ(attach(100), 0);
    EXPECT_EQ(attach(200), mpich::mpi_ERR_BUFFER);
    void* address = nullptr;
    int size = 0;
    EXPECT_EQ(mpi.Buffer_detach(&address, &size), 0);
    EXPECT_EQ(size, 100);
    EXPECT_EQ(address, memory);
}

TEST_F(Buffers, WrongArgumentsOfAttach) {
    EXPECT_EQ(mpi.Buffer_attach(memory, -1), mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Buffer_attach(nullptr, 10), mpich::mpi_ERR_ARG);
    EXPECT_EQ(send(1), mpich::mpi_ERR_BUFFER) << "no buffer is attached";
}

TEST_F(Buffers, DetachWithoutOneGivesNothing) {
    void* address = memory;
    int size = 1;
    EXPECT_EQ(mpi.Buffer_detach(&address, &size), 0);
    EXPECT_EQ(address, nullptr);
    EXPECT_EQ(size, 0);
}

TEST_F(Buffers, DetachWaitsForPendingMessages) {
    static int asked;
    asked = 0;
    EXPECT_EQ(attach(500), 0);
    EXPECT_EQ(send(10), 0);
    EXPECT_EQ(send(10), 0);
    FAKE(Test)::does = [](handle* which, int* flag, status* where) {
        if (++asked == 10)
            complete_all();
        return FAKE(Test)::usual(which, flag, where);
    };
    void* address = nullptr;
    int size = 0;
    EXPECT_EQ(mpi.Buffer_detach(&address, &size), 0);
    EXPECT_GE(asked, 10);
    EXPECT_EQ(count_requests(), 0);
}

TEST_F(Buffers, AnErrorOfAMessageIsNobodys) {
    EXPECT_EQ(attach(500), 0);
    EXPECT_EQ(send(10), 0);
    complete(last_request(), a_code);
    EXPECT_EQ(mpi.Buffer_flush(), 0);
    EXPECT_TRUE(errors.empty());
}

TEST_F(Buffers, AFlushRequestCompletesWhenAllMessagesAreGone) {
    EXPECT_EQ(attach(500), 0);
    EXPECT_EQ(send(10), 0);
    EXPECT_EQ(send(10), 0);
    handle flush = no_request;
    int flag = 1;
    EXPECT_EQ(mpi.Buffer_iflush(&flush), 0);
    EXPECT_EQ(mpi.Test(&flush, &flag, nullptr), 0);
    EXPECT_EQ(flag, 0);
    complete(made_requests()[0]);
    EXPECT_EQ(mpi.Test(&flush, &flag, nullptr), 0);
    EXPECT_EQ(flag, 0);
    complete(made_requests()[1]);
    EXPECT_EQ(mpi.Test(&flush, &flag, nullptr), 0);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(flush, no_request);
}

TEST_F(Buffers, ThatOfTheCommunicatorComesFirst) {
    char other[300];
    EXPECT_EQ(attach(overhead + 10), 0);
    EXPECT_EQ(mpi.Comm_attach_buffer(comm, other, 300), 0);
    EXPECT_EQ(send(200), 0) << "the buffer of the process is too small";
    EXPECT_EQ(mpi.Buffer_flush(), 0) << "it was not used";
    complete_all();
    void* address = nullptr;
    int size = 0;
    EXPECT_EQ(mpi.Comm_detach_buffer(comm, &address, &size), 0);
    EXPECT_EQ(size, 300);
    EXPECT_EQ(send(200), mpich::mpi_ERR_BUFFER);
}

TEST_F(Buffers, ThatOfACommunicatorWhichCannotBeNotedIsNotAttached) {
    char other[300];
    FAKE(Comm_set_attr)::fail();
    EXPECT_EQ(mpi.Comm_attach_buffer(comm, other, 300), a_code);
    EXPECT_EQ(send(10), mpich::mpi_ERR_BUFFER) << "no buffer is attached";
    EXPECT_EQ(mpi.Comm_attach_buffer(comm, other, 300), 0);
    EXPECT_EQ(mpi.Comm_attach_buffer(comm, other, 200), mpich::mpi_ERR_BUFFER) << "it has one";
    EXPECT_EQ(send(10), 0);
    handle flush = no_request;
    int flag = 1;
    EXPECT_EQ(mpi.Comm_iflush_buffer(comm, &flush), 0);
    EXPECT_EQ(mpi.Test(&flush, &flag, nullptr), 0);
    EXPECT_EQ(flag, 0);
    complete_all();
    EXPECT_EQ(mpi.Wait(&flush, nullptr), 0);
    void* address = nullptr;
    int size = 0;
    EXPECT_EQ(mpi.Comm_detach_buffer(comm, &address, &size), 0);
    EXPECT_EQ(address, other);
    EXPECT_EQ(mpi.Comm_detach_buffer(comm, &address, &size), 0);
    EXPECT_EQ(address, nullptr);
}

TEST_F(Buffers, FlushingThatOfACommunicatorWaitsForItsMessagesAlone) {
    static handle of_process;
    char other[300];
    EXPECT_EQ(attach(500), 0);
    EXPECT_EQ(send(10), 0);
    of_process = last_request();
    EXPECT_EQ(mpi.Comm_flush_buffer(comm), 0) << "no buffer is attached";
    EXPECT_EQ(mpi.Comm_attach_buffer_c(comm, other, 300), 0);
    EXPECT_EQ(send(10), 0);
    static int asked;
    asked = 0;
    FAKE(Test)::does = [](handle* which, int* flag, status* where) {
        EXPECT_NE(*which, of_process);
        if (++asked == 5)
            complete(last_request());
        return FAKE(Test)::usual(which, flag, where);
    };
    EXPECT_EQ(mpi.Comm_flush_buffer(comm), 0);
    EXPECT_GE(asked, 5);
    EXPECT_EQ(count_requests(), 1) << "the request of the process's buffer";
    FAKE(Test)::does = FAKE(Test)::usual;
    void* address = nullptr;
    std::int64_t size = 0;
    EXPECT_EQ(mpi.Comm_detach_buffer_c(comm, &address, &size), 0);
    EXPECT_EQ(size, 300);
}

TEST_ALONE(Buffers, FlushingThatOfASessionWaitsForItsMessages) {
    handle session = 0;
    char memory[300];
    EXPECT_EQ(mpi.Session_init(mpich::mpi_INFO_NULL, mpich::mpi_ERRORS_RETURN, &session), 0);
    EXPECT_EQ(mpi.Session_flush_buffer(session), 0) << "no buffer is attached";
    EXPECT_EQ(mpi.Session_flush_buffer(mpich::mpi_SESSION_NULL), mpich::mpi_ERR_SESSION);
    EXPECT_EQ(mpi.Session_attach_buffer_c(session, memory, 300), 0);
    EXPECT_EQ(mpi.Session_attach_buffer_c(session, memory, 300), mpich::mpi_ERR_BUFFER) << "it has one";
    EXPECT_EQ(mpi.Session_flush_buffer(session), 0) << "it was not used";
    void* address = nullptr;
    std::int64_t size = 0;
    EXPECT_EQ(mpi.Session_detach_buffer_c(session, &address, &size), 0);
    EXPECT_EQ(address, memory);
    EXPECT_EQ(size, 300);
    handle stale = session;
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
    EXPECT_NE(mpi.Session_flush_buffer(stale), 0) << "it was closed";
}

TEST_F(Buffers, AnAutomaticOneHasNoLimit) {
    EXPECT_EQ(mpi.Buffer_attach(reinterpret_cast<void*>(mpich::mpi_BUFFER_AUTOMATIC), 0), 0);
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(send(4000), 0);
    EXPECT_EQ(count_requests(), 5);
}

TEST_F(Buffers, NoMessageGoesToNobody) {
    EXPECT_EQ(mpi.Bsend(memory, 10, mpich::mpi_CHAR, mpich::mpi_PROC_NULL, 7, comm), 0) << "without a buffer";
    EXPECT_EQ(count_calls("Send"), 1);
}

TEST_F(Buffers, IbsendThatHasNoRoomMakesNoRequest) {
    handle request = 77;
    EXPECT_EQ(attach(overhead + 10), 0);
    EXPECT_EQ(mpi.Ibsend(memory, 11, mpich::mpi_CHAR, 2, 7, comm, &request), mpich::mpi_ERR_BUFFER);
    EXPECT_EQ(request, 77u);
}

TEST_F(Buffers, APersistentSendLooksForTheBufferAtEachStart) {
    handle request = no_request;
    EXPECT_EQ(mpi.Bsend_init(memory, 10, mpich::mpi_CHAR, 2, 7, comm, &request), 0);
    EXPECT_EQ(mpi.Start(&request), mpich::mpi_ERR_BUFFER) << "no buffer is attached";
    EXPECT_EQ(attach(500), 0);
    EXPECT_EQ(mpi.Start(&request), 0);
    EXPECT_EQ(mpi.Wait(&request, nullptr), 0) << "its message is on the way, but the buffer of the program is free";
    EXPECT_EQ(mpi.Request_free(&request), 0);
    EXPECT_EQ(count_datatypes(), 0);
}

TEST_F(Buffers, APersistentSendThatCannotBeMadeLeavesNothing) {
    handle request = 77;
    FAKE(Type_contiguous)::fail();
    EXPECT_EQ(mpi.Bsend_init(memory, 10, mpich::mpi_CHAR, 2, 7, comm, &request), a_code);
    EXPECT_EQ(request, 77u);
    EXPECT_EQ(count_requests(), 0) << "the request that keeps the communicator";
    FAKE(Type_commit)::fail();
    EXPECT_EQ(mpi.Bsend_init(memory, 10, mpich::mpi_CHAR, 2, 7, comm, &request), a_code);
    EXPECT_EQ(count_datatypes(), 0);
}

} // namespace
