// The tools interface: events, which no library has, and the thread level.

#include "fake.hpp"

namespace {

using namespace fake;

class Tools : public Emulation {};

TEST_F(Tools, ThereAreNoEvents) {
    int count = 7;
    EXPECT_EQ(mpi.T_event_get_num(&count), 0);
    EXPECT_EQ(count, 0);
    EXPECT_EQ(mpi.T_event_get_num(nullptr), mpich::mpi_T_ERR_INVALID);
    EXPECT_EQ(mpi.T_event_get_index("name", &count), mpich::mpi_T_ERR_INVALID_NAME);
    std::int64_t time = 0;
    EXPECT_EQ(mpi.T_source_get_timestamp(0, &time), mpich::mpi_T_ERR_INVALID_INDEX);
    EXPECT_EQ(mpi.T_event_handle_free(nullptr, nullptr, nullptr), mpich::mpi_T_ERR_INVALID_HANDLE);
    EXPECT_EQ(mpi.T_category_get_num_events(1, &count), 0) << "the last category";
    EXPECT_EQ(mpi.T_category_get_num_events(2, &count), mpich::mpi_T_ERR_INVALID_INDEX);
    EXPECT_EQ(mpi.T_category_get_num_events(-1, &count), mpich::mpi_T_ERR_INVALID_INDEX);
}

template <class... Arguments>
int call_with_zeros(int (*function)(Arguments...)) {
    return function(Arguments{}...);
}

TEST_F(Tools, NoIndexOrHandleIsThatOfAnEvent) {
    const int no_index = mpich::mpi_T_ERR_INVALID_INDEX;
    EXPECT_EQ(call_with_zeros(mpi.T_event_get_info), no_index);
    EXPECT_EQ(call_with_zeros(mpi.T_event_handle_alloc), no_index);
    EXPECT_EQ(call_with_zeros(mpi.T_source_get_info), no_index);
    const int no_handle = mpich::mpi_T_ERR_INVALID_HANDLE;
    EXPECT_EQ(call_with_zeros(mpi.T_event_handle_get_info), no_handle);
    EXPECT_EQ(call_with_zeros(mpi.T_event_handle_set_info), no_handle);
    EXPECT_EQ(call_with_zeros(mpi.T_event_register_callback), no_handle);
    EXPECT_EQ(call_with_zeros(mpi.T_event_callback_get_info), no_handle);
    EXPECT_EQ(call_with_zeros(mpi.T_event_callback_set_info), no_handle);
    EXPECT_EQ(call_with_zeros(mpi.T_event_set_dropped_handler), no_handle);
    EXPECT_EQ(call_with_zeros(mpi.T_event_read), no_handle);
    EXPECT_EQ(call_with_zeros(mpi.T_event_copy), no_handle);
    EXPECT_EQ(call_with_zeros(mpi.T_event_get_timestamp), no_handle);
    EXPECT_EQ(call_with_zeros(mpi.T_event_get_source), no_handle);
    int count = 7;
    EXPECT_EQ(mpi.T_source_get_num(&count), 0);
    EXPECT_EQ(count, 0);
    EXPECT_EQ(mpi.T_category_get_events(1, 0, nullptr), 0);
    EXPECT_EQ(mpi.T_category_get_events(2, 0, nullptr), no_index);
}

TEST_F(Tools, EventsNeedTheToolsInterface) {
    const int unready = mpich::mpi_T_ERR_NOT_INITIALIZED;
    int count = 7;
    FAKE(T_category_get_num)::fail(1, unready);
    EXPECT_EQ(mpi.T_event_get_num(&count), unready);
    FAKE(T_category_get_num)::fail(1, unready);
    EXPECT_EQ(mpi.T_category_get_num_events(1, &count), unready);
    FAKE(T_category_get_num)::fail(1, unready);
    EXPECT_EQ(mpi.T_event_handle_free(nullptr, nullptr, nullptr), unready);
}

int level_of_tools;
int note_level(int required, int*) {
    level_of_tools = required;
    return 0;
}

TEST_ALONE(Tools, ToolsHaveTheLevelOfMpi) {
    FAKE(T_init_thread)::does = note_level;
    int provided = -1;
    EXPECT_EQ(mpi.T_init_thread(mpich::mpi_THREAD_FUNNELED, &provided), 0);
    EXPECT_EQ(level_of_tools, mpich::mpi_THREAD_FUNNELED) << "MPI does not run";
    EXPECT_EQ(mpi.Init_thread(nullptr, nullptr, mpich::mpi_THREAD_SERIALIZED, &provided), 0);
    EXPECT_EQ(mpi.T_init_thread(mpich::mpi_THREAD_SINGLE, &provided), 0);
    EXPECT_GE(level_of_tools, mpich::mpi_THREAD_SERIALIZED);
    EXPECT_EQ(provided, level_of_tools);
}

} // namespace
