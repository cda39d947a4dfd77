// Infos: lengths of values, keys that are too long for the library, and the hint about names of ports.

#include "emulate/info_and_errors/long_keys.hpp"
#include "fake.hpp"

#include <cstring>

namespace {

using namespace fake;

class Infos : public Emulation {};

TEST_ALONE(Infos, GetStringTellsTheWholeLength) {
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

// Open MPI's emulation: keys of 36 characters and more are kept beside its infos.
namespace keys = anympi::emulate::with_long_keys;
using anympi::openmpi;
using openmpi_info = keys::info_of<openmpi>;

constexpr word short_info = 0x1000;
int own_keys = 2; // in each info of the library
const std::string long_key(openmpi::mpi_MAX_INFO_KEY, 'k');

template <auto Function, class Fake>
void stands_before(Fake fake) {
    anympi::emulate::original<Function>.set(fake);
}
// Binds a library that rejects info 0 and stores nothing.
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

TEST_ALONE(Infos, AKeyOfTheLibrarysLengthIsItsOwn) {
    bind_infos_of_openmpi();
    EXPECT_EQ(keys::Info_set<openmpi>(short_info, long_key.c_str() + 1, "value"), 1) << "35 characters";
    EXPECT_EQ(keys::Info_set<openmpi>(short_info, long_key.c_str(), "value"), 0) << "36";
    const std::string longest(anympi::standard::mpi_MAX_INFO_KEY - 1, 'l');
    EXPECT_EQ(keys::Info_set<openmpi>(short_info, longest.c_str(), "other"), 0);
    EXPECT_EQ(keys::Info_set<openmpi>(short_info, (longest + 'l').c_str(), "value"), 1) << "too long for every ABI";
    EXPECT_EQ(keys::Info_set<openmpi>(0, long_key.c_str(), "value"), a_code) << "no info";
    const std::string value(anympi::standard::mpi_MAX_INFO_VAL, 'v');
    EXPECT_EQ(keys::Info_set<openmpi>(short_info, long_key.c_str(), value.c_str()), openmpi::mpi_ERR_INFO_VALUE);
}

TEST_ALONE(Infos, LongKeysComeAfterTheLibrarysOwn) {
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
    EXPECT_STREQ(value, "val") << "as much as fits";
    EXPECT_EQ(keys::Info_delete<openmpi>(short_info, long_key.c_str()), 0);
    EXPECT_EQ(keys::Info_delete<openmpi>(short_info, long_key.c_str()), openmpi::mpi_ERR_INFO_NOKEY);
    EXPECT_EQ(keys::Info_get<openmpi>(short_info, long_key.c_str(), 3, value, &flag), 0);
    EXPECT_EQ(flag, 0);
}

TEST_ALONE(Infos, LongKeysAreCopiedAndFreedWithTheirInfo) {
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

// ---- names of ports ----

std::string room_of_port; // the hint that the library got
int open_port(word info, char*) {
    char room[8] = "";
    int is_there = 0;
    FAKE(Info_get)::usual(info, "port_name_size", 7, room, &is_there);
    room_of_port = room;
    return 0;
}

TEST_ALONE(Infos, NamesOfPortsHaveTheRoomOfTheStandard) {
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
    EXPECT_EQ(count, 0) << "the program's own info is unchanged";
    EXPECT_EQ(mpi.Info_set(info, "port_name_size", "300"), 0);
    EXPECT_EQ(mpi.Open_port(info, name), 0);
    EXPECT_EQ(room_of_port, "300");
    EXPECT_EQ(mpi.Info_free(&info), 0);
    EXPECT_EQ(count_calls("Info_free"), count_calls("Info_create") + count_calls("Info_dup"));
}

TEST_ALONE(Infos, NamesOfPortsThatAreLookedUpHaveThatRoom) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    FAKE(Lookup_name)::does = [](const char* service, word info, char* name) {
        EXPECT_STREQ(service, "service");
        return open_port(info, name);
    };
    char name[anympi::standard::mpi_MAX_PORT_NAME];
    EXPECT_EQ(mpi.Lookup_name("service", mpich::mpi_INFO_NULL, name), 0);
    EXPECT_EQ(room_of_port, "1024");
    FAKE(Info_set)::fail();
    EXPECT_EQ(mpi.Lookup_name("service", mpich::mpi_INFO_NULL, name), a_code);
    EXPECT_EQ(count_calls("Lookup_name"), 1);
    EXPECT_EQ(count_calls("Info_free"), count_calls("Info_create"));
}

TEST_ALONE(Infos, APortThatCannotHaveItsRoomIsNotOpened) {
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

// ---- infos that the library does not create ----

TEST_ALONE(Infos, TheProgramsOwnNameIsKnownAtLeast) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    handle info = 0;
    char name[] = "program";
    char* arguments[] = {name, nullptr};
    char value[16] = "";
    int flag = 0;
    EXPECT_EQ(mpi.Info_create_env(1, arguments, &info), 0);
    EXPECT_EQ(mpi.Info_get(info, "command", 15, value, &flag), 0);
    EXPECT_EQ(flag, 1);
    EXPECT_STREQ(value, "program");
    EXPECT_EQ(mpi.Info_free(&info), 0);
    EXPECT_EQ(mpi.Info_create_env(0, nullptr, &info), 0) << "no value is set";
    EXPECT_EQ(mpi.Info_free(&info), 0);
    FAKE(Info_dup)::fail();
    EXPECT_EQ(mpi.Info_create_env(1, arguments, &info), a_code);
}

TEST_ALONE(Infos, NoHardwareResourceHasAName) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    handle info = 0;
    int count = -1;
    EXPECT_EQ(mpi.Get_hw_resource_info(&info), 0);
    EXPECT_EQ(mpi.Info_get_nkeys(info, &count), 0);
    EXPECT_EQ(count, 0);
    EXPECT_EQ(mpi.Info_free(&info), 0);
}

} // namespace
