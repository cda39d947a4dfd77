// MPI_Init and MPI_Finalize in a library without sessions, and emulated sessions. Each scenario runs in a separate
// process, because a process can initialise MPI only once.

#include "fake.hpp"

#include <cstring>

namespace {

using namespace fake;

class Sessions : public Emulation {};

handle open_session() {
    handle made = 0;
    EXPECT_EQ(mpi.Session_init(mpich::mpi_INFO_NULL, mpich::mpi_ERRORS_RETURN, &made), 0);
    return made;
}
bool has_library_begun() {
    return count_calls("Init") + count_calls("Init_thread") > 0;
}
bool has_library_ended() {
    return count_calls("Finalize") > 0;
}
bool says(int (*question)(int*)) {
    int flag = -1;
    EXPECT_EQ(question(&flag), 0);
    return flag != 0;
}

TEST_ALONE(Sessions, TheFirstStartsTheLibraryWithoutTheWorld) {
    handle first = open_session();
    EXPECT_TRUE(has_library_begun());
    EXPECT_FALSE(says(mpi.Initialized)) << "MPI_Init was not called";
    handle second = open_session();
    EXPECT_NE(first, second);
    EXPECT_EQ(count_calls("Init_thread"), 1);
    EXPECT_EQ(mpi.Session_finalize(&first), 0);
    EXPECT_EQ(mpi.Session_finalize(&second), 0);
    EXPECT_FALSE(has_library_ended()) << "sessions may still be opened";
    handle third = open_session();
    EXPECT_EQ(mpi.Session_finalize(&third), 0);
    EXPECT_EQ(third, mpich::mpi_SESSION_NULL);
}

TEST_ALONE(Sessions, TheWorldEndsFirst) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    EXPECT_TRUE(says(mpi.Initialized));
    handle session = open_session();
    EXPECT_EQ(mpi.Finalize(), 0);
    EXPECT_TRUE(says(mpi.Finalized));
    EXPECT_FALSE(has_library_ended()) << "the session is open";
    int count = 0;
    EXPECT_EQ(mpi.Session_get_num_psets(session, mpich::mpi_INFO_NULL, &count), 0);
    EXPECT_EQ(count, 2);
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
    EXPECT_TRUE(has_library_ended());
}

TEST_ALONE(Sessions, TheSessionEndsFirst) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    handle session = open_session();
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
    EXPECT_FALSE(has_library_ended());
    EXPECT_EQ(mpi.Finalize(), 0);
    EXPECT_TRUE(has_library_ended());
    EXPECT_EQ(count_comms(), 0) << "the parent of the sessions' communicators";
}

TEST_ALONE(Sessions, TheWorldMayComeLater) {
    handle session = open_session();
    int level = -1;
    EXPECT_EQ(mpi.Init_thread(nullptr, nullptr, mpich::mpi_THREAD_SERIALIZED, &level), 0);
    EXPECT_EQ(count_calls("Init_thread"), 1) << "the library is already initialised";
    EXPECT_EQ(level, mpich::mpi_THREAD_SERIALIZED);
    level = -1;
    EXPECT_EQ(mpi.Query_thread(&level), 0);
    EXPECT_EQ(level, mpich::mpi_THREAD_SERIALIZED) << "the library provides a higher level";
    int flag = 0;
    EXPECT_EQ(mpi.Is_thread_main(&flag), 0);
    EXPECT_EQ(flag, 1) << "the thread of MPI_Init, not the session's thread";
    EXPECT_EQ(mpi.Finalize(), 0);
    EXPECT_FALSE(has_library_ended());
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
    EXPECT_TRUE(has_library_ended());
}

TEST_ALONE(Sessions, NoneIsOpenedAfterTheEnd) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    EXPECT_EQ(mpi.Finalize(), 0);
    handle session = 77;
    EXPECT_EQ(mpi.Session_init(mpich::mpi_INFO_NULL, mpich::mpi_ERRORS_RETURN, &session), mpich::mpi_ERR_OTHER);
    EXPECT_EQ(session, 77u);
}

TEST_ALONE(Sessions, OneIsFinalizedOnce) {
    handle session = open_session();
    handle copy = session;
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
    EXPECT_EQ(mpi.Session_finalize(&copy), mpich::mpi_ERR_SESSION);
    EXPECT_EQ(mpi.Session_finalize(&session), mpich::mpi_ERR_SESSION);
    int count = 0;
    EXPECT_EQ(mpi.Session_get_num_psets(copy, mpich::mpi_INFO_NULL, &count), mpich::mpi_ERR_SESSION);
}

TEST_ALONE(Sessions, AFailureToStartIsTheResult) {
    FAKE(Init_thread)::fail();
    handle session = 77;
    EXPECT_EQ(mpi.Session_init(mpich::mpi_INFO_NULL, mpich::mpi_ERRORS_RETURN, &session), a_code);
    EXPECT_EQ(session, 77u);
    session = open_session();
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
}

TEST_ALONE(Sessions, TheirProcessSets) {
    handle session = open_session();
    char name[32] = "";
    int length = sizeof name;
    EXPECT_EQ(mpi.Session_get_nth_pset(session, mpich::mpi_INFO_NULL, 0, &length, name), 0);
    EXPECT_STREQ(name, "mpi://WORLD");
    EXPECT_EQ(length, 12);
    length = 5;
    EXPECT_EQ(mpi.Session_get_nth_pset(session, mpich::mpi_INFO_NULL, 1, &length, name), 0);
    EXPECT_STREQ(name, "mpi:") << "cut";
    EXPECT_EQ(length, 11);
    EXPECT_EQ(mpi.Session_get_nth_pset(session, mpich::mpi_INFO_NULL, 2, &length, name), mpich::mpi_ERR_ARG);
    handle group = 0;
    EXPECT_NE(mpi.Group_from_session_pset(session, "mpi://OTHER", &group), 0);
    EXPECT_EQ(mpi.Group_from_session_pset(session, "MPI://world", &group), 0);
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
}

// ---- communicators from groups ----

constexpr word group = mpich::mpi_GROUP_EMPTY;
std::vector<int> tags;

int create_from_group(const char* text, handle* made, word handler = mpich::mpi_ERRORS_RETURN) {
    FAKE(Comm_create_group)::does = [](word from, word given, int tag, handle* out) {
        tags.push_back(tag);
        return FAKE(Comm_create_group)::usual(from, given, tag, out);
    };
    return mpi.Comm_create_from_group(group, text, mpich::mpi_INFO_NULL, handler, made);
}

TEST_ALONE(Sessions, ACommunicatorFromAGroup) {
    handle session = open_session();
    handle made[3] = {};
    EXPECT_EQ(create_from_group("one", &made[0]), 0);
    EXPECT_EQ(create_from_group("two", &made[1]), 0);
    EXPECT_EQ(create_from_group("one", &made[2]), 0);
    ASSERT_EQ(tags.size(), 3u);
    EXPECT_NE(tags[0], tags[1]) << "threads make both at the same time";
    EXPECT_EQ(tags[0], tags[2]) << "other processes must compute the same tag";
    EXPECT_EQ(count_calls("Comm_set_errhandler"), 3);
    EXPECT_EQ(count_calls("Comm_set_info"), 0) << "no info was given";
    for (handle& each : made)
        EXPECT_EQ(mpi.Comm_free(&each), 0);
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
}

TEST_ALONE(Sessions, ACommunicatorFromAGroupThatCannotBeMade) {
    handle session = open_session();
    handle made = 77;
    FAKE(Comm_create_group)::fail();
    EXPECT_EQ(create_from_group("one", &made), a_code);
    EXPECT_EQ(made, 77u);
    EXPECT_EQ(count_calls("Comm_set_errhandler"), 0);
    EXPECT_EQ(create_from_group(nullptr, &made), mpich::mpi_ERR_ARG);
    EXPECT_TRUE(errors.empty()) << "MPI_ERRORS_RETURN was given";
    EXPECT_EQ(create_from_group(nullptr, &made, mpich::mpi_ERRORS_ARE_FATAL), mpich::mpi_ERR_ARG);
    EXPECT_EQ(errors.size(), 1u);
    EXPECT_EQ(
        mpi.Comm_create_from_group(mpich::mpi_GROUP_NULL, "one", mpich::mpi_INFO_NULL, mpich::mpi_ERRORS_RETURN, &made),
        mpich::mpi_ERR_GROUP);
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
}

// The process has rank 1 in both communicators.
int connect(int local_leader, handle* made) {
    return mpi.Intercomm_create_from_groups(group, local_leader, group, 2, "text", mpich::mpi_INFO_NULL,
                                            mpich::mpi_ERRORS_RETURN, made);
}

TEST_ALONE(Sessions, LeadersConnectTwoGroups) {
    handle session = open_session();
    static word between;
    FAKE(Intercomm_create)::does = [](word local, int leader, word peers, int remote, int tag, handle* out) {
        between = peers;
        EXPECT_EQ(remote, leader == 1 ? 1 : 0) << "of the two leaders, the one with the larger rank is the second";
        return FAKE(Intercomm_create)::usual(local, leader, peers, remote, tag, out);
    };
    const int before = count_comms();
    handle made = 0;
    EXPECT_EQ(connect(1, &made), 0);
    EXPECT_NE(between, mpich::mpi_COMM_NULL);
    EXPECT_EQ(count_comms(), before + 1) << "the intermediate objects are freed";
    EXPECT_EQ(mpi.Comm_free(&made), 0);
    EXPECT_EQ(connect(0, &made), 0);
    EXPECT_EQ(between, mpich::mpi_COMM_NULL) << "another process leads";
    EXPECT_EQ(mpi.Comm_free(&made), 0);
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
}

// Lets each call of a function fail once.
template <class Function>
int fail_each_connection() {
    const int before = count_comms();
    for (int i = 1;; ++i) {
        handle made = 0;
        Function::fail(i);
        const int code = connect(1, &made);
        if (Function::fails_in != 0) {
            Function::fails_in = 0;
            EXPECT_EQ(mpi.Comm_free(&made), 0);
            return i - 1;
        }
        EXPECT_EQ(code, a_code);
        EXPECT_EQ(count_comms(), before) << "after failure " << i;
    }
}

TEST_ALONE(Sessions, AConnectionThatFailsInTheMiddleLeavesNothing) {
    handle session = open_session();
    EXPECT_EQ(fail_each_connection<FAKE(Comm_create_group)>(), 2);
    EXPECT_EQ(fail_each_connection<FAKE(Comm_rank)>(), 1);
    EXPECT_EQ(fail_each_connection<FAKE(Group_translate_ranks)>(), 2);
    EXPECT_EQ(fail_each_connection<FAKE(Group_incl)>(), 1);
    EXPECT_EQ(fail_each_connection<FAKE(Intercomm_create)>(), 1);
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
}

// ---- buffers of sessions ----

TEST_ALONE(Sessions, BuffersOfSessions) {
    handle session = open_session();
    char memory[256];
    void* address = nullptr;
    int size = 0;
    EXPECT_EQ(mpi.Session_attach_buffer(session, memory, 100), 0);
    EXPECT_EQ(mpi.Session_attach_buffer(session, memory, 200), mpich::mpi_ERR_BUFFER) << "it has one";
    handle request = no_request;
    EXPECT_EQ(mpi.Bsend(memory, 10, mpich::mpi_CHAR, 2, 7, world), 0) << "there is no other process";
    EXPECT_EQ(mpi.Session_iflush_buffer(session, &request), 0);
    int flag = 1;
    EXPECT_EQ(mpi.Test(&request, &flag, nullptr), 0);
    EXPECT_EQ(flag, 0);
    complete_all();
    EXPECT_EQ(mpi.Test(&request, &flag, nullptr), 0);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(mpi.Session_detach_buffer(session, &address, nullptr), mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Session_detach_buffer(session, &address, &size), 0);
    EXPECT_EQ(address, memory);
    EXPECT_EQ(size, 100);
    EXPECT_EQ(mpi.Session_attach_buffer(mpich::mpi_SESSION_NULL, memory, 100), mpich::mpi_ERR_SESSION);
    handle ended = session;
    EXPECT_EQ(mpi.Session_attach_buffer(session, memory, 100), 0);
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
    EXPECT_EQ(mpi.Bsend(memory, 10, mpich::mpi_CHAR, 2, 7, world), mpich::mpi_ERR_BUFFER)
        << "it ended with its session";
    EXPECT_EQ(mpi.Session_attach_buffer(ended, memory, 100), mpich::mpi_ERR_SESSION);
}

std::vector<int> session_errors;
void note_error(void*, int* code, ...) {
    session_errors.push_back(*code);
}

TEST_ALONE(Sessions, ErrorHandlersLiveAsLongAsTheirSession) {
    handle handler = 0;
    handle session = 0;
    EXPECT_EQ(mpi.Session_create_errhandler(reinterpret_cast<void*>(note_error), &handler), 0);
    EXPECT_EQ(mpi.Session_init(mpich::mpi_INFO_NULL, handler, &session), 0);
    EXPECT_EQ(mpi.Errhandler_free(&handler), 0);
    EXPECT_EQ(handler, mpich::mpi_ERRHANDLER_NULL);
    EXPECT_EQ(mpi.Session_get_num_psets(session, mpich::mpi_INFO_NULL, nullptr), mpich::mpi_ERR_ARG);
    EXPECT_EQ(session_errors, std::vector<int>{mpich::mpi_ERR_ARG});
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
}

std::vector<int> deleted;
int delete_attribute(handle, int keyval, void*, void*) {
    deleted.push_back(keyval);
    return 0;
}

TEST_ALONE(Sessions, FinalizeDeletesAttributesOfSelfInReverseOrder) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    handle session = open_session();
    int keys[3] = {};
    for (int& key : keys)
        EXPECT_EQ(mpi.Comm_create_keyval(nullptr, reinterpret_cast<void*>(delete_attribute), &key, nullptr), 0);
    for (const int key : keys)
        EXPECT_EQ(mpi.Comm_set_attr(self, key, nullptr), 0);
    EXPECT_EQ(mpi.Comm_delete_attr(self, keys[1]), 0);
    deleted.clear();
    EXPECT_EQ(mpi.Finalize(), 0);
    EXPECT_EQ(deleted, (std::vector<int>{keys[2], keys[0]}));
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
}

TEST_ALONE(Sessions, FinalizeWaitsForRequestsThatWereFreed) {
    static int asked = 0;
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    handle request = no_request;
    EXPECT_EQ(mpi.Isendrecv(nullptr, 1, mpich::mpi_INT, 1, 2, nullptr, 1, mpich::mpi_INT, 3, 4, world, &request), 0);
    EXPECT_EQ(mpi.Request_free(&request), 0);
    FAKE(Test)::does = [](handle* which, int* flag, status* where) {
        EXPECT_FALSE(has_library_ended());
        if (++asked == 5)
            complete_all();
        return FAKE(Test)::usual(which, flag, where);
    };
    EXPECT_EQ(mpi.Finalize(), 0);
    EXPECT_GE(asked, 5);
    EXPECT_EQ(count_requests(), 0);
}

TEST_ALONE(Sessions, FinalizeMayBeCalledAgainAfterAFailure) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    handle info = 0;
    EXPECT_EQ(mpi.Info_create(&info), 0);
    EXPECT_EQ(mpi.Info_set(info, "key", "a value"), 0);
    FAKE(Finalize)::fail();
    EXPECT_EQ(mpi.Finalize(), a_code);
    EXPECT_FALSE(says(mpi.Finalized));
    EXPECT_EQ(mpi.Finalize(), 0);
    EXPECT_TRUE(says(mpi.Finalized));
    EXPECT_EQ(count_calls("Comm_free"), 1) << "the parent of the sessions' communicators is freed once";
    int count = 0;
    EXPECT_EQ(mpi.Info_get_nkeys(info, &count), 0);
    EXPECT_EQ(count, 1) << "the contents of the info were kept twice";
}

// ---- error handlers ----

handle told_session;
int told_code;
void hear_session_error(handle* session, int* code, ...) {
    told_session = *session;
    told_code = *code;
}

TEST_ALONE(Sessions, ErrorsGoToTheHandlerOfTheSession) {
    handle session = open_session();
    handle handler = 0;
    EXPECT_EQ(mpi.Session_create_errhandler(reinterpret_cast<void*>(hear_session_error), &handler), 0);
    EXPECT_EQ(mpi.Session_set_errhandler(session, handler), 0);
    EXPECT_EQ(mpi.Errhandler_free(&handler), 0);
    EXPECT_EQ(handler, mpich::mpi_ERRHANDLER_NULL) << "the session still has it";
    EXPECT_EQ(mpi.Session_get_errhandler(session, &handler), 0);
    EXPECT_EQ(mpi.Errhandler_f2c(mpi.Errhandler_c2f(handler)), handler);
    EXPECT_EQ(mpi.Errhandler_free(&handler), 0);
    EXPECT_EQ(mpi.Session_call_errhandler(session, 4711), 0)
        << "the handler was called, which is the purpose of the call";
    EXPECT_EQ(told_session, session);
    EXPECT_EQ(told_code, 4711);
    EXPECT_EQ(mpi.Session_get_num_psets(session, mpich::mpi_INFO_NULL, nullptr), mpich::mpi_ERR_ARG);
    EXPECT_EQ(told_code, mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Session_get_errhandler(session, &handler), 0);
    EXPECT_EQ(mpi.Session_set_errhandler(session, mpich::mpi_ERRORS_RETURN), 0);
    told_code = 0;
    EXPECT_EQ(mpi.Session_call_errhandler(session, 4711), 0);
    EXPECT_EQ(told_code, 0) << "MPI_ERRORS_RETURN";
    EXPECT_EQ(mpi.Session_set_errhandler(session, handler), 0) << "the returned handle keeps it alive";
    EXPECT_EQ(mpi.Errhandler_free(&handler), 0);
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
}

TEST_ALONE(Sessions, WhatIsNoErrorHandlerOfASessionIsRefused) {
    handle session = open_session();
    handle handler = 0;
    EXPECT_EQ(mpi.Session_set_errhandler(session, mpich::mpi_ERRHANDLER_NULL), mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Session_get_errhandler(session, nullptr), mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Session_get_errhandler(session, &handler), 0);
    EXPECT_EQ(handler, mpich::mpi_ERRORS_RETURN) << "it was given to MPI_Session_init";
    EXPECT_EQ(mpi.Errhandler_free(&handler), 0);
    const handle stale = session;
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
    EXPECT_NE(mpi.Session_set_errhandler(stale, mpich::mpi_ERRORS_RETURN), 0);
    EXPECT_NE(mpi.Session_get_errhandler(stale, &handler), 0);
    EXPECT_NE(mpi.Session_call_errhandler(stale, 4711), 0);
}

// ---- queries of sessions ----

TEST_ALONE(Sessions, InfosOfASessionAndItsSets) {
    handle session = open_session();
    handle info = 0;
    char value[32] = "";
    int flag = 0;
    EXPECT_EQ(mpi.Session_get_info(session, &info), 0);
    EXPECT_EQ(mpi.Info_get(info, "thread_level", 31, value, &flag), 0);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(mpi.Info_free(&info), 0);
    EXPECT_EQ(mpi.Session_get_pset_info(session, "mpi://world", &info), 0);
    EXPECT_EQ(mpi.Info_get(info, "mpi_size", 31, value, &flag), 0);
    EXPECT_STREQ(value, "4");
    EXPECT_EQ(mpi.Info_free(&info), 0);
    EXPECT_EQ(mpi.Session_get_pset_info(session, "mpi://nothing", &info), mpich::mpi_ERR_ARG);
    FAKE(Info_create)::fail();
    EXPECT_EQ(mpi.Session_get_info(session, &info), a_code);
    EXPECT_EQ(mpi.Session_f2c(mpi.Session_c2f(session)), session);
    EXPECT_EQ(mpi.Session_finalize(&session), 0);
}

// ---- infos and error codes at any time ----

TEST_ALONE(Sessions, AnInfoBeforeTheStartStartsTheLibrary) {
    handle info = 0;
    EXPECT_EQ(mpi.Info_create(&info), 0);
    EXPECT_TRUE(has_library_begun());
    EXPECT_FALSE(says(mpi.Initialized));
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    EXPECT_EQ(count_calls("Init") + count_calls("Init_thread"), 1);
    EXPECT_EQ(mpi.Info_free(&info), 0);
}

TEST_ALONE(Sessions, InfosOutliveTheLibrary) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    handle info = 0;
    EXPECT_EQ(mpi.Info_create(&info), 0);
    EXPECT_EQ(mpi.Info_set(info, "key", "a value"), 0);
    EXPECT_EQ(mpi.Finalize(), 0);
    calls.clear();
    char value[32] = "";
    int flag = 0;
    EXPECT_EQ(mpi.Info_get(info, "key", 31, value, &flag), 0);
    EXPECT_EQ(flag, 1);
    EXPECT_STREQ(value, "a value");
    EXPECT_EQ(mpi.Info_get(info, "key", 3, value, &flag), 0);
    EXPECT_STREQ(value, "a v");
    handle copy = 0;
    EXPECT_EQ(mpi.Info_dup(info, &copy), 0);
    EXPECT_EQ(mpi.Info_f2c(mpi.Info_c2f(copy)), copy);
    EXPECT_EQ(mpi.Info_set(copy, "key", "another"), 0);
    EXPECT_EQ(mpi.Info_get(info, "key", 31, value, &flag), 0);
    EXPECT_STREQ(value, "a value") << "the copy changed";
    EXPECT_EQ(mpi.Info_delete(copy, "nothing"), mpich::mpi_ERR_INFO_NOKEY);
    EXPECT_EQ(mpi.Info_free(&copy), 0);
    EXPECT_EQ(copy, mpich::mpi_INFO_NULL);
    EXPECT_EQ(mpi.Info_free(&info), 0);
    handle stale = info;
    EXPECT_EQ(mpi.Info_free(&stale), mpich::mpi_ERR_INFO);
    EXPECT_TRUE(calls.empty()) << "the library was called after MPI_Finalize";
}

TEST_ALONE(Sessions, InfosAreCheckedAfterTheEnd) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    EXPECT_EQ(mpi.Finalize(), 0);
    calls.clear();
    handle info = 0;
    EXPECT_EQ(mpi.Info_create(&info), 0);
    EXPECT_EQ(mpi.Info_set(info, "one", "first"), 0);
    EXPECT_EQ(mpi.Info_set(info, "two", "second"), 0);
    int length = 0;
    int flag = 0;
    EXPECT_EQ(mpi.Info_get_valuelen(info, "two", &length, &flag), 0);
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(length, 6);
    EXPECT_EQ(mpi.Info_get_valuelen(info, "three", &length, &flag), 0);
    EXPECT_EQ(flag, 0);
    int keys = 0;
    EXPECT_EQ(mpi.Info_get_nkeys(info, &keys), 0);
    EXPECT_EQ(keys, 2);
    char key[mpich::mpi_MAX_INFO_KEY + 1] = "";
    EXPECT_EQ(mpi.Info_get_nthkey(info, 1, key), 0);
    EXPECT_STREQ(key, "two");
    EXPECT_EQ(mpi.Info_get_nthkey(info, 2, key), mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Info_delete(info, "one"), 0);
    EXPECT_EQ(mpi.Info_get_nkeys(info, &keys), 0);
    EXPECT_EQ(keys, 1);
    const std::string long_text(anympi::standard::mpi_MAX_INFO_VAL, 'x');
    EXPECT_EQ(mpi.Info_set(info, "", "empty"), mpich::mpi_ERR_INFO_KEY);
    EXPECT_EQ(mpi.Info_set(info, long_text.c_str(), "long"), mpich::mpi_ERR_INFO_KEY);
    EXPECT_EQ(mpi.Info_set(info, "long", long_text.c_str()), mpich::mpi_ERR_INFO_VALUE);
    EXPECT_EQ(mpi.Info_set(mpich::mpi_INFO_NULL, "key", "value"), mpich::mpi_ERR_INFO);
    EXPECT_EQ(mpi.Info_get_nkeys(mpich::mpi_INFO_NULL, &keys), mpich::mpi_ERR_INFO);
    EXPECT_EQ(mpi.Info_dup(mpich::mpi_INFO_NULL, &info), mpich::mpi_ERR_INFO);
    EXPECT_EQ(mpi.Info_free(&info), 0);
    EXPECT_TRUE(calls.empty()) << "the library was called after MPI_Finalize";
}

TEST_ALONE(Sessions, ErrorCodesAreAddedAndRemovedAfterTheEnd) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    EXPECT_EQ(mpi.Finalize(), 0);
    calls.clear();
    int of_class = 0;
    int number = 0;
    int found = 0;
    EXPECT_EQ(mpi.Add_error_class(&of_class), 0);
    EXPECT_EQ(mpi.Add_error_code(of_class, &number), 0);
    EXPECT_NE(number, of_class);
    EXPECT_EQ(mpi.Error_class(number, &found), 0);
    EXPECT_EQ(found, of_class);
    EXPECT_EQ(mpi.Add_error_code(number, &found), mpich::mpi_ERR_ARG) << "it is not a class";
    char text[mpich::mpi_MAX_ERROR_STRING] = "";
    int length = 0;
    EXPECT_EQ(mpi.Add_error_string(number, "out of paper"), 0);
    EXPECT_EQ(mpi.Error_string(number, text, &length), 0);
    EXPECT_STREQ(text, "out of paper");
    EXPECT_EQ(length, 12);
    EXPECT_EQ(mpi.Add_error_string(mpich::mpi_ERR_TAG, "of the library"), mpich::mpi_ERR_ARG);
    EXPECT_NE(mpi.Remove_error_class(of_class), 0) << "it has a code";
    EXPECT_EQ(mpi.Remove_error_string(number), 0);
    EXPECT_EQ(mpi.Remove_error_code(number), 0);
    EXPECT_EQ(mpi.Remove_error_class(of_class), 0);
    EXPECT_NE(mpi.Remove_error_class(mpich::mpi_ERR_TAG), 0);
    EXPECT_TRUE(calls.empty()) << "the library was called after MPI_Finalize";
}

TEST_ALONE(Sessions, TextsOfErrorsOutliveTheLibrary) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    EXPECT_EQ(mpi.Finalize(), 0);
    EXPECT_GT(count_calls("Error_string"), 0);
    EXPECT_EQ(count_calls("Error_string of MPI_ERR_LASTCODE"), 0);
    calls.clear();
    char text[mpich::mpi_MAX_ERROR_STRING] = "";
    int length = 0;
    EXPECT_EQ(mpi.Error_string(mpich::mpi_ERR_TAG, text, &length), 0);
    EXPECT_STREQ(text, ("text of " + std::to_string(mpich::mpi_ERR_TAG)).c_str());
    int number = 0;
    EXPECT_EQ(mpi.Add_error_class(&number), 0);
    EXPECT_TRUE(mpich::is_added_code(number));
    int found = 0;
    EXPECT_EQ(mpi.Error_class(number, &found), 0);
    EXPECT_EQ(found, number);
    EXPECT_TRUE(calls.empty());
}

} // namespace
