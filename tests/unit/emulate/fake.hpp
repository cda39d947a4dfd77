#pragma once

#include "abi/all.hpp"
#include "convert/handle.hpp"
#include "convert/status.hpp"

#include <climits>
#include <gtest/gtest.h>
#include <string>
#include <vector>

// A fake library of MPICH's ABI with the functions of MPICH 3.4, for tests: its functions record their calls, and fail
// on request. The emulations are bound to it as to a real library, so tests call the table `mpi` as a bridge does. The
// library lacks all functions that are not defined here.
namespace fake {

using anympi::mpich;
using anympi::word;
using status = mpich::status;
using table = anympi::functions<mpich>;
using handle = std::uint32_t;

inline table& mpi = anympi::writable_library<mpich>;

inline constexpr int a_code = 0x1200 | mpich::mpi_ERR_OTHER; // a code of the library that is not a class

/// The names of the functions that were called, in order.
inline std::vector<std::string> calls;
int count_calls(const std::string& name);
/// Returns true if these functions were called in this order; others may be between them.
bool were_called(std::initializer_list<const char*> names);

/// One function of the library.
template <auto Place>
struct function_of;
template <class Result, class... Arguments, Result (*table::*Place)(Arguments...)>
struct function_of<Place> {
    static inline const char* name = "";
    static inline Result (*usual)(Arguments...) = nullptr; // the usual behavior, if the test defines no other one
    static inline Result (*does)(Arguments...) = nullptr;
    static inline int fails_in = 0; // the number of the next call that fails (1 for the next call), or 0
    static inline Result code = 0;  // the code with which it fails

    static Result call(Arguments... arguments) {
        calls.emplace_back(name);
        if (fails_in > 0 && --fails_in == 0)
            return code;
        return does != nullptr ? does(arguments...) : Result{};
    }
    static void reset() {
        does = usual;
        fails_in = 0;
    }
    static void fail(int in_call = 1, Result with = a_code) {
        fails_in = in_call;
        code = with;
    }
};
#define FAKE(Name) fake::function_of<&fake::table::Name>

/// Lets the first, second, ... call of a function fail, until `call` succeeds. After each failure `check` is called.
/// Returns the number of failures.
template <class Function, class Call, class Check>
int fail_each(Call call, Check check) {
    for (int failures = 0;; ++failures) {
        Function::fail(failures + 1);
        const int code = call();
        const bool has_failed = Function::fails_in == 0;
        Function::fails_in = 0;
        EXPECT_EQ(code, has_failed ? a_code : 0);
        if (!has_failed)
            return failures;
        SCOPED_TRACE("after failure " + std::to_string(failures + 1));
        check();
    }
}

// ---- requests ----

struct request {
    bool is_persistent = false;
    bool is_active = true;
    bool is_done = false;
    bool is_cancelled = false;
    int code = 0;
    status result = anympi::empty_status(mpich{});
};

handle add_request(bool is_persistent = false);
request& request_of(handle which);
void complete(handle which, int code = 0);
void complete_all();
handle last_request();
/// Returns the number of existing requests: at the end, these were leaked.
int count_requests();
/// Returns the requests in the order of their creation, including freed ones.
const std::vector<handle>& made_requests();

// ---- datatypes, operations, communicators ----

struct datatype {
    std::int64_t size = 0;
    std::int64_t lower = 0;
    std::int64_t upper = 0;
    bool is_committed = false;
};
handle add_datatype(const datatype& made);
const datatype& datatype_of(word which);
int count_datatypes();
handle add_op();
int count_ops();

struct communicator {
    int size = 4;
    int rank = 1;
    bool is_inter = false;
    int remote_size = 0;
    int topology = mpich::mpi_UNDEFINED;
};
handle add_comm(const communicator& made);
communicator& comm_of(word which);
int count_comms();

/// The number of neighbors of a process in the one topology of each kind.
inline constexpr int cart_neighbors = 4;
inline constexpr int graph_neighbors = 2;
inline constexpr int dist_graph_sources = 2;
inline constexpr int dist_graph_destinations = 3;

/// An error that was passed to the error handler of a communicator.
struct raised {
    handle comm;
    int code;
};
inline std::vector<raised> errors;

inline constexpr word world = mpich::mpi_COMM_WORLD;
inline constexpr word self = mpich::mpi_COMM_SELF;
inline constexpr handle no_request = mpich::mpi_REQUEST_NULL;
inline constexpr std::int64_t most = INT_MAX; // the largest count of the library
inline constexpr std::int64_t more = most + 1;

/// Returns the status that a single completion sets. Its error field holds a mark, which such a call must not change.
inline status marked_status() {
    status made = anympi::empty_status(mpich{});
    made.error = 4711;
    return made;
}

/// Binds the emulations, once for the process.
void bind();
/// Forgets all calls, objects and failures.
void reset();

/// Runs a scenario in a separate process, because it needs its own MPI_Init. Returns true if it has found no failure.
bool passes_alone(void (*scenario)());

#define TEST_ALONE(Suite, Name)                                                                                        \
    void Suite##Name();                                                                                                \
    TEST_F(Suite, Name) {                                                                                              \
        EXPECT_TRUE(fake::passes_alone(Suite##Name));                                                                  \
    }                                                                                                                  \
    void Suite##Name()

/// A test that begins with the usual behavior.
class Emulation : public testing::Test {
protected:
    void SetUp() override {
        bind();
        reset();
    }
};

} // namespace fake
