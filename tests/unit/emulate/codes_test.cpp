// Errors, infos, names and questions: codes that the program removes, on a library that cannot remove them; keys of
// infos that are longer than the library takes; what a library of its age does not know.

#include "emulate/info_and_errors/long_keys.hpp"
#include "fake.hpp"

#include <cstring>

namespace {

using namespace fake;

class ErrorCodes : public Emulation {};

int add_class() {
    int number = 0;
    EXPECT_EQ(mpi.Add_error_class(&number), 0);
    return number;
}
int add_code(int of_class) {
    int number = 0;
    EXPECT_EQ(mpi.Add_error_code(of_class, &number), 0);
    return number;
}

TEST_ALONE(ErrorCodes, ARemovedClassIsTheNextToBeAdded) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    const int first = add_class();
    const int second = add_class();
    EXPECT_NE(first, second);
    EXPECT_EQ(mpi.Remove_error_class(first), 0);
    EXPECT_EQ(mpi.Remove_error_class(second), 0);
    EXPECT_EQ(add_class(), second) << "the last that was removed";
    EXPECT_EQ(add_class(), first);
    EXPECT_EQ(count_calls("Add_error_class"), 2) << "the library was asked for new ones only";
    EXPECT_NE(add_class(), first);
    EXPECT_EQ(count_calls("Add_error_class"), 3);
}

TEST_ALONE(ErrorCodes, ARemovedCodeComesBackInItsOwnClass) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    const int one = add_class();
    const int other = add_class();
    const int code = add_code(one);
    EXPECT_EQ(mpi.Remove_error_code(code), 0);
    EXPECT_NE(add_code(other), code);
    EXPECT_EQ(add_code(one), code);
    int found = 0;
    EXPECT_EQ(mpi.Error_class(code, &found), 0);
    EXPECT_EQ(found, one);
}

TEST_ALONE(ErrorCodes, AClassWithCodesStays) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    const int number = add_class();
    const int code = add_code(number);
    EXPECT_EQ(mpi.Remove_error_class(number), mpich::mpi_ERR_OTHER);
    EXPECT_EQ(errors.size(), 1u) << "reported";
    EXPECT_EQ(mpi.Remove_error_code(number), mpich::mpi_ERR_OTHER) << "no code";
    EXPECT_EQ(mpi.Remove_error_class(code), mpich::mpi_ERR_OTHER) << "no class";
    EXPECT_EQ(mpi.Remove_error_code(code), 0);
    EXPECT_EQ(mpi.Remove_error_class(number), 0);
    EXPECT_EQ(mpi.Remove_error_class(number), mpich::mpi_ERR_OTHER) << "removed already";
}

TEST_ALONE(ErrorCodes, OneWithATextStays) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    const int number = add_class();
    EXPECT_EQ(mpi.Add_error_string(number, "a text"), 0);
    EXPECT_EQ(mpi.Remove_error_class(number), mpich::mpi_ERR_OTHER);
    EXPECT_EQ(mpi.Remove_error_string(number), 0);
    EXPECT_EQ(mpi.Remove_error_class(number), 0);
}

TEST_ALONE(ErrorCodes, ATextThatTheLibraryRefusesIsNotNoted) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    const int number = add_class();
    FAKE(Add_error_string)::fail();
    EXPECT_EQ(mpi.Add_error_string(number, "a text"), a_code);
    EXPECT_EQ(mpi.Remove_error_class(number), 0);
}

TEST_ALONE(ErrorCodes, AClassThatTheLibraryRefusesIsNotNoted) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    FAKE(Add_error_class)::fail();
    int number = 0;
    EXPECT_EQ(mpi.Add_error_class(&number), a_code);
    EXPECT_EQ(mpi.Remove_error_class(number), mpich::mpi_ERR_OTHER);
}

// ---- infos ----

TEST_ALONE(ErrorCodes, GetStringTellsTheWholeLength) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    handle info = 0;
    EXPECT_EQ(mpi.Info_create(&info), 0);
    EXPECT_EQ(mpi.Info_set(info, "key", "0123456789"), 0);
    char value[32] = "";
    int room = 5;
    int flag = 0;
    EXPECT_EQ(mpi.Info_get_string(info, "key", &room, value, &flag), 0);
    EXPECT_STREQ(value, "0123");
    EXPECT_EQ(room, 11);
    room = 0;
    std::strcpy(value, "untouched");
    EXPECT_EQ(mpi.Info_get_string(info, "key", &room, value, &flag), 0);
    EXPECT_STREQ(value, "untouched");
    EXPECT_EQ(room, 11);
    room = 11;
    EXPECT_EQ(mpi.Info_get_string(info, "key", &room, value, &flag), 0);
    EXPECT_STREQ(value, "0123456789");
    EXPECT_EQ(mpi.Info_get_string(info, "nothing", &room, value, &flag), 0);
    EXPECT_EQ(flag, 0);
    EXPECT_EQ(mpi.Info_free(&info), 0);
}

/// Open MPI's side: keys of 36 characters and more are kept beside its infos.
namespace keys = anympi::emulate::with_long_keys;
using anympi::openmpi;
using openmpi_info = keys::info_of<openmpi>;

constexpr word short_info = 0x1000;
int own_keys = 2; // of each info of the library
const std::string long_key(openmpi::mpi_MAX_INFO_KEY, 'k');

template <auto Function, class Fake>
void stands_before(Fake fake) {
    anympi::emulate::original<Function>.set(fake);
}
/// A library that refuses info 0 and takes note of nothing.
void bind_infos_of_openmpi() {
    anympi::writable_library<openmpi>.Initialized = [](int* flag) { return *flag = 0; };
    stands_before<keys::Info_get_nkeys<openmpi>>([](word info, int* count) {
        *count = own_keys;
        return info == 0 ? a_code : 0;
    });
    stands_before<keys::Info_set<openmpi>>([](word, const char*, const char*) { return 1; });
    stands_before<keys::Info_delete<openmpi>>([](word, const char*) { return 2; });
    stands_before<keys::Info_get_nthkey<openmpi>>([](word, int, char* key) {
        std::strcpy(key, "short");
        return 0;
    });
    stands_before<keys::Info_dup<openmpi>>([](word info, openmpi_info* copy) {
        *copy = static_cast<openmpi_info>(info + 1);
        return 0;
    });
    stands_before<keys::Info_free<openmpi>>([](openmpi_info* info) {
        *info = {};
        return 0;
    });
}

TEST_ALONE(ErrorCodes, AKeyOfTheLibrarysLengthIsItsOwn) {
    bind_infos_of_openmpi();
    EXPECT_EQ(keys::Info_set<openmpi>(short_info, long_key.c_str() + 1, "value"), 1) << "35 characters";
    EXPECT_EQ(keys::Info_set<openmpi>(short_info, long_key.c_str(), "value"), 0) << "36";
    const std::string longest(anympi::standard::mpi_MAX_INFO_KEY - 1, 'l');
    EXPECT_EQ(keys::Info_set<openmpi>(short_info, longest.c_str(), "other"), 0);
    EXPECT_EQ(keys::Info_set<openmpi>(short_info, (longest + 'l').c_str(), "value"), 1) << "no ABI takes it";
    EXPECT_EQ(keys::Info_set<openmpi>(0, long_key.c_str(), "value"), a_code) << "no info";
    const std::string value(anympi::standard::mpi_MAX_INFO_VAL, 'v');
    EXPECT_EQ(keys::Info_set<openmpi>(short_info, long_key.c_str(), value.c_str()), openmpi::mpi_ERR_INFO_VALUE);
}

TEST_ALONE(ErrorCodes, LongKeysComeAfterTheLibrarysOwn) {
    bind_infos_of_openmpi();
    EXPECT_EQ(keys::Info_set<openmpi>(short_info, long_key.c_str(), "value"), 0);
    int count = 0;
    EXPECT_EQ(keys::Info_get_nkeys<openmpi>(short_info, &count), 0);
    EXPECT_EQ(count, own_keys + 1);
    char key[anympi::standard::mpi_MAX_INFO_KEY] = "";
    EXPECT_EQ(keys::Info_get_nthkey<openmpi>(short_info, own_keys - 1, key), 0);
    EXPECT_STREQ(key, "short");
    EXPECT_EQ(keys::Info_get_nthkey<openmpi>(short_info, own_keys, key), 0);
    EXPECT_EQ(key, long_key);
    char value[8] = "";
    int flag = 0;
    EXPECT_EQ(keys::Info_get<openmpi>(short_info, long_key.c_str(), 3, value, &flag), 0);
    EXPECT_EQ(flag, 1);
    EXPECT_STREQ(value, "val") << "as much as there is room for";
    EXPECT_EQ(keys::Info_delete<openmpi>(short_info, long_key.c_str()), 0);
    EXPECT_EQ(keys::Info_delete<openmpi>(short_info, long_key.c_str()), openmpi::mpi_ERR_INFO_NOKEY);
    EXPECT_EQ(keys::Info_get<openmpi>(short_info, long_key.c_str(), 3, value, &flag), 0);
    EXPECT_EQ(flag, 0);
}

TEST_ALONE(ErrorCodes, LongKeysAreCopiedAndFreedWithTheirInfo) {
    bind_infos_of_openmpi();
    EXPECT_EQ(keys::Info_set<openmpi>(short_info, long_key.c_str(), "value"), 0);
    openmpi_info copy{};
    EXPECT_EQ(keys::Info_dup<openmpi>(short_info, &copy), 0);
    EXPECT_EQ(keys::Info_set<openmpi>(copy, long_key.c_str(), "another"), 0);
    int length = 0;
    int flag = 0;
    EXPECT_EQ(keys::Info_get_valuelen<openmpi>(short_info, long_key.c_str(), &length, &flag), 0);
    EXPECT_EQ(length, 5) << "the copy changed";
    const openmpi_info freed = copy;
    EXPECT_EQ(keys::Info_free<openmpi>(&copy), 0);
    int count = 0;
    EXPECT_EQ(keys::Info_get_nkeys<openmpi>(freed, &count), 0);
    EXPECT_EQ(count, own_keys) << "another info may get the handle";
}

// ---- what a program may ask about the ABI, and tell about its Fortran ----

TEST_ALONE(ErrorCodes, TheFirstLogicalsCount) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    unsigned char yes[4] = {1, 2, 3, 4};
    unsigned char no[4] = {};
    unsigned char seen[8] = {};
    int is_set = -1;
    EXPECT_EQ(mpi.Abi_get_fortran_booleans(4, seen, seen, &is_set), 0);
    EXPECT_EQ(is_set, 0);
    EXPECT_EQ(mpi.Abi_set_fortran_booleans(3, yes, no), mpich::mpi_ERR_ARG) << "no size of a LOGICAL";
    EXPECT_EQ(mpi.Abi_set_fortran_booleans(4, yes, nullptr), mpich::mpi_ERR_ARG);
    EXPECT_EQ(mpi.Abi_set_fortran_booleans(4, yes, no), 0) << "what was refused does not count";
    EXPECT_EQ(mpi.Abi_set_fortran_booleans(4, no, yes), mpich::mpi_ERR_ABI);
    EXPECT_EQ(errors.size(), 3u);
    EXPECT_EQ(mpi.Abi_get_fortran_booleans(8, seen, seen + 4, &is_set), 0);
    EXPECT_EQ(is_set, 0) << "of another size";
    EXPECT_EQ(mpi.Abi_get_fortran_booleans(4, seen, seen + 4, &is_set), 0);
    EXPECT_EQ(is_set, 1);
    EXPECT_EQ(std::memcmp(seen, yes, 4), 0);
    EXPECT_EQ(std::memcmp(seen + 4, no, 4), 0);
}

TEST_ALONE(ErrorCodes, TheFirstInfoOfFortranCounts) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    handle info = 77;
    EXPECT_EQ(mpi.Abi_get_fortran_info(&info), 0);
    EXPECT_EQ(info, mpich::mpi_INFO_NULL);
    EXPECT_EQ(mpi.Info_create(&info), 0);
    EXPECT_EQ(mpi.Info_set(info, "key", "first"), 0);
    EXPECT_EQ(mpi.Abi_set_fortran_info(info), 0);
    EXPECT_EQ(mpi.Info_set(info, "second", "2"), 0);
    EXPECT_EQ(mpi.Abi_set_fortran_info(info), mpich::mpi_ERR_ABI);
    EXPECT_EQ(mpi.Info_free(&info), 0);
    EXPECT_EQ(mpi.Abi_get_fortran_info(&info), 0);
    int count = 0;
    EXPECT_EQ(mpi.Info_get_nkeys(info, &count), 0);
    EXPECT_EQ(count, 1) << "as it was when it was set";
    EXPECT_EQ(mpi.Info_free(&info), 0);
}

TEST_ALONE(ErrorCodes, VersionIsTheLibrarysUnlessNothingIsMissing) {
    int version = 0;
    int subversion = -1;
    EXPECT_EQ(mpi.Get_version(&version, &subversion), 0);
    EXPECT_EQ(version * 10 + subversion, 31);
    anympi::emulate::install_overrides<mpich>(anympi::emulate::moment::whole_standard);
    EXPECT_EQ(mpi.Get_version(&version, &subversion), 0);
    EXPECT_EQ(version * 10 + subversion, 50);
    FAKE(Get_version)::fail();
    EXPECT_EQ(mpi.Get_version(nullptr, &subversion), a_code) << "the library's to refuse";
}

// ---- tools ----

TEST_F(ErrorCodes, ThereAreNoEvents) {
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

TEST_F(ErrorCodes, EventsNeedTheToolsInterface) {
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

TEST_ALONE(ErrorCodes, ToolsHaveTheLevelOfMpi) {
    FAKE(T_init_thread)::does = note_level;
    int provided = -1;
    EXPECT_EQ(mpi.T_init_thread(mpich::mpi_THREAD_FUNNELED, &provided), 0);
    EXPECT_EQ(level_of_tools, mpich::mpi_THREAD_FUNNELED) << "MPI does not run";
    EXPECT_EQ(mpi.Init_thread(nullptr, nullptr, mpich::mpi_THREAD_SERIALIZED, &provided), 0);
    EXPECT_EQ(mpi.T_init_thread(mpich::mpi_THREAD_SINGLE, &provided), 0);
    EXPECT_GE(level_of_tools, mpich::mpi_THREAD_SERIALIZED);
    EXPECT_EQ(provided, level_of_tools);
}

// ---- names ----

TEST_F(ErrorCodes, NullHandlesHaveNames) {
    char name[32] = "";
    int length = 0;
    EXPECT_EQ(mpi.Comm_get_name(mpich::mpi_COMM_NULL, name, &length), 0);
    EXPECT_STREQ(name, "MPI_COMM_NULL");
    EXPECT_EQ(length, 13);
    EXPECT_EQ(count_calls("Comm_get_name"), 0);
    EXPECT_EQ(mpi.Comm_get_name(world, name, &length), 0);
    EXPECT_STREQ(name, "a name");
    FAKE(Comm_get_name)::fail();
    EXPECT_EQ(mpi.Comm_get_name(mpich::mpi_COMM_NULL, nullptr, &length), a_code) << "the library's to refuse";
}

std::string room_of_port; // that the library was told
int open_port(word info, char*) {
    char room[8] = "";
    int is_there = 0;
    FAKE(Info_get)::usual(info, "port_name_size", 7, room, &is_there);
    room_of_port = room;
    return 0;
}

TEST_ALONE(ErrorCodes, NamesOfPortsHaveTheRoomOfTheStandard) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    FAKE(Open_port)::does = open_port;
    char name[anympi::standard::mpi_MAX_PORT_NAME];
    EXPECT_EQ(mpi.Open_port(mpich::mpi_INFO_NULL, name), 0);
    EXPECT_EQ(room_of_port, "1024");
    handle info = 0;
    EXPECT_EQ(mpi.Info_create(&info), 0);
    EXPECT_EQ(mpi.Open_port(info, name), 0);
    EXPECT_EQ(room_of_port, "1024");
    int count = -1;
    EXPECT_EQ(mpi.Info_get_nkeys(info, &count), 0);
    EXPECT_EQ(count, 0) << "the program's own stays as it is";
    EXPECT_EQ(mpi.Info_set(info, "port_name_size", "300"), 0);
    EXPECT_EQ(mpi.Open_port(info, name), 0);
    EXPECT_EQ(room_of_port, "300");
    EXPECT_EQ(mpi.Info_free(&info), 0);
    EXPECT_EQ(count_calls("Info_free"), count_calls("Info_create") + count_calls("Info_dup"));
}

TEST_ALONE(ErrorCodes, APortThatCannotHaveItsRoomIsNotOpened) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    char name[anympi::standard::mpi_MAX_PORT_NAME];
    FAKE(Info_create)::fail();
    EXPECT_EQ(mpi.Open_port(mpich::mpi_INFO_NULL, name), a_code);
    EXPECT_EQ(count_calls("Info_free"), 0);
    FAKE(Info_set)::fail();
    EXPECT_EQ(mpi.Open_port(mpich::mpi_INFO_NULL, name), a_code);
    EXPECT_EQ(count_calls("Info_free"), 1);
    EXPECT_EQ(count_calls("Open_port"), 0);
}

// ---- MPI_ERRORS_ABORT ----

struct aborted {
    word comm = 0;
    int code = 0;
};
aborted last_abort;
void* given_handler;

TEST_ALONE(ErrorCodes, AHandlerOfOursStandsForErrorsAbort) {
    FAKE(Comm_create_errhandler)::does = [](void* function, handle* out) {
        given_handler = function;
        *out = 0x94000010;
        return 0;
    };
    static word set_handler;
    FAKE(Comm_set_errhandler)::does = [](word, word given) {
        set_handler = given;
        return 0;
    };
    FAKE(Comm_create_errhandler)::fail();
    EXPECT_EQ(mpi.Comm_set_errhandler(world, mpich::mpi_ERRORS_ABORT), a_code);
    EXPECT_EQ(count_calls("Comm_set_errhandler"), 0);
    EXPECT_EQ(mpi.Comm_set_errhandler(world, mpich::mpi_ERRORS_ABORT), 0);
    EXPECT_EQ(set_handler, 0x94000010);
    EXPECT_EQ(mpi.Comm_set_errhandler(self, mpich::mpi_ERRORS_ABORT), 0);
    EXPECT_EQ(count_calls("Comm_create_errhandler"), 2) << "once for all, besides the one that failed";
    FAKE(Comm_get_errhandler)::does = [](word, handle* out) {
        *out = 0x94000010;
        return 0;
    };
    handle seen = 0;
    EXPECT_EQ(mpi.Comm_get_errhandler(world, &seen), 0);
    EXPECT_EQ(seen, mpich::mpi_ERRORS_ABORT);
    EXPECT_EQ(count_calls("Errhandler_free"), 1) << "the reference that the library gave";
    FAKE(Abort)::does = [](word comm, int code) {
        last_abort = {comm, code};
        return 0;
    };
    handle comm = mpich::mpi_COMM_SELF;
    int code = a_code;
    reinterpret_cast<void (*)(handle*, int*, ...)>(given_handler)(&comm, &code);
    EXPECT_EQ(last_abort.comm, self);
    EXPECT_EQ(last_abort.code, a_code);
}

// ---- windows ----

int flavor_of_window = mpich::mpi_WIN_FLAVOR_CREATE;
std::intptr_t size_of_window = 4096;
int unit_of_window = 8;
char window_memory[8];

int window_attribute(word, int keyval, void* value, int* is_there) {
    void* const found = keyval == mpich::mpi_WIN_CREATE_FLAVOR ? &flavor_of_window
                        : keyval == mpich::mpi_WIN_SIZE        ? static_cast<void*>(&size_of_window)
                        : keyval == mpich::mpi_WIN_DISP_UNIT   ? &unit_of_window
                                                               : static_cast<void*>(window_memory);
    *static_cast<void**>(value) = found;
    *is_there = 1;
    return 0;
}

TEST_F(ErrorCodes, OfAWindowThatIsNotSharedTheOwnMemoryCanBeReached) {
    constexpr word window = 0xa0000010;
    FAKE(Win_get_attr)::does = window_attribute;
    std::intptr_t size = -1;
    int unit = -1;
    void* base = &size;
    EXPECT_EQ(mpi.Win_shared_query(window, 1, &size, &unit, &base), 0);
    EXPECT_EQ(size, 4096);
    EXPECT_EQ(unit, 8);
    EXPECT_EQ(base, window_memory);
    EXPECT_EQ(mpi.Win_shared_query(window, 0, &size, &unit, &base), 0);
    EXPECT_EQ(size, 0) << "of another process";
    EXPECT_EQ(unit, 1);
    EXPECT_EQ(base, nullptr);
    EXPECT_EQ(count_calls("Win_shared_query"), 0);
    EXPECT_EQ(count_calls("Group_free"), 2);
    flavor_of_window = mpich::mpi_WIN_FLAVOR_SHARED;
    EXPECT_EQ(mpi.Win_shared_query(window, 0, &size, &unit, &base), 0);
    EXPECT_EQ(count_calls("Win_shared_query"), 1);
    flavor_of_window = mpich::mpi_WIN_FLAVOR_CREATE;
    EXPECT_EQ(mpi.Win_shared_query(mpich::mpi_WIN_NULL, 0, &size, &unit, &base), 0);
    EXPECT_EQ(count_calls("Win_shared_query"), 2) << "the library's to refuse";
}

// ---- communicators ----

TEST_F(ErrorCodes, SplitTypesThatTheLibraryDoesNotKnow) {
    static int type_given;
    FAKE(Comm_split_type)::does = [](word from, int type, int key, word info, handle* out) {
        type_given = type;
        return FAKE(Comm_split_type)::usual(from, type, key, info, out);
    };
    handle part = 0;
    EXPECT_EQ(mpi.Comm_split_type(world, mpich::mpi_COMM_TYPE_SHARED, 0, mpich::mpi_INFO_NULL, &part), 0);
    EXPECT_EQ(type_given, mpich::mpi_COMM_TYPE_SHARED);
    EXPECT_EQ(mpi.Comm_free(&part), 0);
    EXPECT_EQ(mpi.Comm_split_type(world, mpich::mpi_COMM_TYPE_HW_GUIDED, 0, mpich::mpi_INFO_NULL, &part), 0);
    EXPECT_EQ(type_given, mpich::mpi_UNDEFINED) << "no resource was named";
    EXPECT_EQ(part, mpich::mpi_COMM_NULL);
    EXPECT_EQ(mpi.Comm_split_type(world, mpich::mpi_COMM_TYPE_HW_UNGUIDED, 0, mpich::mpi_INFO_NULL, &part), 0);
    EXPECT_EQ(type_given, mpich::mpi_COMM_TYPE_SHARED);
    EXPECT_EQ(part, mpich::mpi_COMM_NULL) << "a part that is the whole is none";
    EXPECT_EQ(count_comms(), 0);
}

} // namespace
