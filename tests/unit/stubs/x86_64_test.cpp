#include "stubs_test.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stop_token>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <thread>
#include <vector>

// Stubs are in pages of code, which are mapped from the file of this program.

namespace {

constexpr std::uintptr_t pool_size = 256;

// Creates so many new stubs that the last one is in a new page. Returns this stub, and its number in `number`.
void* stub_of_new_page(std::uintptr_t& number) {
    static std::uintptr_t next = 0x7000'0000;
    void* stub = nullptr;
    for (std::uintptr_t i = 0; i <= pool_size; ++i)
        stub = stub_for(address(number = next++), address(user_as_number));
    return stub;
}

// Returns the line of /proc/self/maps that describes `where`.
std::string mapping_of(const void* where) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        char dash = 0;
        std::istringstream(line) >> std::hex >> begin >> dash >> end;
        if (begin <= reinterpret_cast<std::uintptr_t>(where) && reinterpret_cast<std::uintptr_t>(where) < end)
            return line;
    }
    return {};
}

bool any_mapping_is_writable_code() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.find(" rwx") != std::string::npos)
            return true;
    return false;
}

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::uintptr_t many = 51'200; // a sanitizer makes each stub ten times as expensive
#else
constexpr std::uintptr_t many = 512'000;
#endif

// Creates many stubs. Returns the number of the first check that fails, or 0.
int make_many_stubs() {
    std::vector<void*> stubs;
    for (std::uintptr_t i = 0; i < many; ++i) {
        stubs.push_back(stub_for(address(0x1000 + 16 * i), address(user_as_number)));
        if (stubs.back() == nullptr)
            return 1;
    }
    for (std::uintptr_t i = 0; i < many; ++i)
        if (number_behind(stubs[i]) != 0x1000 + 16 * i ||
            stub_for(address(0x1000 + 16 * i), address(user_as_number)) != stubs[i])
            return 2;
    if (std::set<void*>(stubs.begin(), stubs.end()).size() != many)
        return 3;
    return any_mapping_is_writable_code() ? 4 : 0;
}

// In a child process, so that the other tests need not fork a process with so many pages.
TEST(stubs, are_unlimited) {
    EXPECT_EQ(in_child(make_many_stubs), 0);
}

TEST(stubs, come_from_the_file) {
    std::uintptr_t number = 0;
    const std::string mapping = mapping_of(stub_of_new_page(number));
    EXPECT_NE(mapping.find("r-xp"), std::string::npos) << mapping;
    EXPECT_NE(mapping.find("unit_stubs"), std::string::npos) << mapping;
}

TEST(stubs, work_where_no_file_can_be_opened) {
    EXPECT_EQ(in_child([] {
                  const rlimit none{0, 0};
                  setrlimit(RLIMIT_NOFILE, &none);
                  std::uintptr_t number = 0;
                  void* stub = stub_of_new_page(number);
                  return stub != nullptr && number_behind(stub) == number ? 0 : 1;
              }),
              0);
}

TEST(stubs, survive_the_replacement_of_their_file) {
    namespace fs = std::filesystem;
    std::string folder = (fs::temp_directory_path() / "stubs-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const fs::path file = fs::path(folder) / "library.so";
    fs::copy_file(STUBS_LIBRARY, file);
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    auto* make = reinterpret_cast<void* (*)(void*, void*)>(dlsym(library, "stub_of_library"));
    ASSERT_NE(make, nullptr);

    const auto make_page = [&](std::uintptr_t first) {
        for (std::uintptr_t i = 0; i < pool_size; ++i)
            make(address(first + i), address(user_as_number));
        return make(address(first + pool_size - 1), address(user_as_number));
    };
    make_page(0x10000);
    void* of_file = make_page(0x20000);
    EXPECT_NE(mapping_of(of_file).find(file.string()), std::string::npos) << mapping_of(of_file);

    // As a package manager does it: a new file under the old name. It is so long that the old file's offset of the
    // template is inside it.
    const fs::path other = fs::path(folder) / "other.so";
    std::ofstream(other) << std::string(fs::file_size(file), 'x');
    fs::rename(other, file);
    void* of_copy = make_page(0x30000);
    EXPECT_EQ(mapping_of(of_copy).find(".so"), std::string::npos) << mapping_of(of_copy);
    EXPECT_NE(mapping_of(of_copy).find("r-xp"), std::string::npos) << mapping_of(of_copy);
    EXPECT_EQ(number_behind(of_copy), 0x30000 + pool_size - 1);

    std::ofstream(file) << "shorter"; // memory beyond the end of a file cannot be read
    EXPECT_EQ(number_behind(make_page(0x50000)), 0x50000 + pool_size - 1);

    fs::remove_all(folder);
    EXPECT_EQ(number_behind(make_page(0x40000)), 0x40000 + pool_size - 1);
    EXPECT_EQ(number_behind(of_file), 0x20000 + pool_size - 1);
}

TEST(stubs, need_no_memory_that_was_writable) {
#ifdef PR_SET_MDWE
    const int refuse = PR_SET_MDWE;
    const unsigned long refuse_exec_gain = PR_MDWE_REFUSE_EXEC_GAIN;
#else
    const int refuse = 65;
    const unsigned long refuse_exec_gain = 1;
#endif
    constexpr int unsupported = 77;
    const int status = in_child([&] {
        if (prctl(refuse, refuse_exec_gain, 0L, 0L, 0L) != 0)
            return unsupported;
        std::uintptr_t number = 0;
        void* stub = stub_of_new_page(number);
        return stub != nullptr && number_behind(stub) == number ? 0 : 1;
    });
    if (status == unsupported)
        GTEST_SKIP() << "this kernel cannot refuse executable memory (PR_SET_MDWE, Linux 6.3)";
    EXPECT_EQ(status, 0);
}

TEST(stubs, can_be_made_after_fork) {
    std::jthread busy([](std::stop_token stop) {
        for (std::uintptr_t i = 0; !stop.stop_requested(); ++i)
            stub_for(address(0x4'0000'0000 + i), address(user_as_number));
    });
    for (int i = 0; i < 20; ++i)
        ASSERT_EQ(in_child([] {
                      void* stub = stub_for(address(0x3'0000'0000), address(user_as_number));
                      return stub != nullptr && number_behind(stub) == 0x3'0000'0000 ? 0 : 1;
                  }),
                  0);
}

} // namespace
