#include "base/stubs.hpp"

#include <gtest/gtest.h>

#include <csetjmp>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using anympi::stub_for;

namespace {

constexpr std::uintptr_t pool_size = 256;

using reduction = int(void* in, void* inout, int* length, void* type);
using user_reduction = int(int, int);

/// Adds up what it was given, so that a lost or moved argument changes the result.
int convert_reduction(void* in, void* inout, int* length, void* type, void*, user_reduction* user) {
    const auto number = [](void* argument) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(argument)); };
    return user(number(in) + 10 * number(inout), 100 * *length + 1000 * number(type));
}
int sum(int a, int b) {
    return a + b;
}
int difference(int a, int b) {
    return a - b;
}

void* address(std::uintptr_t value) {
    return reinterpret_cast<void*>(value);
}
template <class Function>
void* address(Function* function) {
    return reinterpret_cast<void*>(function);
}
reduction* reduction_stub(user_reduction* user) {
    return reinterpret_cast<reduction*>(stub_for(address(user), address(convert_reduction)));
}
int call(reduction* stub) {
    int length = 3;
    return stub(address(1), address(2), &length, address(4));
}

std::uintptr_t user_as_number(void*, void*, void*, void*, void*, void* user) {
    return reinterpret_cast<std::uintptr_t>(user);
}
std::uintptr_t number_behind(void* stub) {
    return reinterpret_cast<std::uintptr_t (*)()>(stub)();
}

/// Makes so many new stubs that the last, whose number it returns too, needed a new page.
void* stub_of_new_page(std::uintptr_t& number) {
    static std::uintptr_t next = 0x7000'0000;
    void* stub = nullptr;
    for (std::uintptr_t i = 0; i <= pool_size; ++i)
        stub = stub_for(address(number = next++), address(user_as_number));
    return stub;
}

/// The line of /proc/self/maps that describes `where`.
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

long pages_of_address_space() {
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages;
}

/// Runs `body` in a child and returns its exit status; a child that hangs is ended by its alarm.
int in_child(const std::function<int()>& body) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(body());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(stubs, call_the_converter_with_the_users_function) {
    EXPECT_EQ(call(reduction_stub(sum)), 21 + 4300);
    EXPECT_EQ(call(reduction_stub(difference)), 21 - 4300);
}

TEST(stubs, are_one_per_pair) {
    EXPECT_EQ(reduction_stub(sum), reduction_stub(sum));
    EXPECT_NE(reduction_stub(sum), reduction_stub(difference));
}

TEST(stubs, tell_converters_apart) {
    const auto negated = [](void*, void*, void*, void*, void*, void* user) {
        return -reinterpret_cast<std::uintptr_t>(user);
    };
    EXPECT_EQ(number_behind(stub_for(address(3), address(user_as_number))), 3);
    EXPECT_EQ(number_behind(stub_for(address(3), address(+negated))), -std::uintptr_t{3});
    std::set<void*> different;
    for (std::uintptr_t converter = 1; converter <= 300; ++converter)
        different.insert(stub_for(address(sum), address(converter)));
    EXPECT_EQ(different.size(), 300);
}

TEST(stubs, leave_variadic_calls_intact) {
    using handler = double(void* comm, int* code, ...);
    struct converter {
        static double call(void* comm, int* code, double a, double b, char* text, char*, void*, void* user) {
            const bool as_passed = comm == address(5) && text[0] == 'x' && user == address(9);
            return as_passed ? *code + a * b : -1;
        }
    };
    // Integer arguments: comm, code, text, nothing, nothing, and the user's function sixth; the doubles travel beside
    // them.
    int code = 7;
    auto* stub = reinterpret_cast<handler*>(stub_for(address(9), address(converter::call)));
    EXPECT_DOUBLE_EQ(stub(address(5), &code, 1.5, 2.0, "x", nullptr), 10.0);
}

TEST(stubs, let_exceptions_and_jumps_pass) {
    static std::jmp_buf back;
    user_reduction* throws = [](int, int) -> int { throw std::runtime_error("thrown by the user"); };
    user_reduction* jumps = [](int, int) -> int { std::longjmp(back, 1); };
    EXPECT_THROW(call(reduction_stub(throws)), std::runtime_error);
    volatile bool returned = false;
    if (setjmp(back) == 0)
        call(reduction_stub(jumps));
    else
        returned = true;
    EXPECT_TRUE(returned);
}

TEST(stubs, are_unlimited) {
    constexpr std::uintptr_t many = 512'000;
    std::vector<void*> stubs;
    for (std::uintptr_t i = 0; i < many; ++i) {
        stubs.push_back(stub_for(address(0x1000 + 16 * i), address(user_as_number)));
        ASSERT_NE(stubs.back(), nullptr) << i;
    }
    for (std::uintptr_t i = 0; i < many; ++i) {
        ASSERT_EQ(number_behind(stubs[i]), 0x1000 + 16 * i);
        ASSERT_EQ(stub_for(address(0x1000 + 16 * i), address(user_as_number)), stubs[i]);
    }
    EXPECT_EQ(std::set<void*>(stubs.begin(), stubs.end()).size(), many);
    EXPECT_FALSE(any_mapping_is_writable_code());
}

TEST(stubs, cost_nothing_when_used_again) {
    reduction_stub(sum);
    const long before = pages_of_address_space();
    for (int i = 0; i < 1'000'000; ++i)
        ASSERT_EQ(reduction_stub(sum), reduction_stub(sum));
    EXPECT_EQ(pages_of_address_space(), before);
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

    // As a package manager does it: a new file under the old name, longer than the template's place in the old one.
    const fs::path other = fs::path(folder) / "other.so";
    std::ofstream(other) << std::string(fs::file_size(file), 'x');
    fs::rename(other, file);
    void* of_copy = make_page(0x30000);
    EXPECT_EQ(mapping_of(of_copy).find(".so"), std::string::npos) << mapping_of(of_copy);
    EXPECT_NE(mapping_of(of_copy).find("r-xp"), std::string::npos) << mapping_of(of_copy);
    EXPECT_EQ(number_behind(of_copy), 0x30000 + pool_size - 1);

    std::ofstream(file) << "shorter"; // what lies behind the end of a file cannot be read
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

TEST(stubs, are_the_same_for_all_threads) {
    constexpr std::size_t threads = 8;
    constexpr std::uintptr_t pairs = 5'000;
    std::vector<std::vector<void*>> seen(threads, std::vector<void*>(pairs));
    std::vector<std::thread> workers;
    for (std::size_t t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            for (std::uintptr_t i = 0; i < pairs; ++i) {
                const std::uintptr_t pair = (i + t * pairs / threads) % pairs;
                seen[t][pair] = stub_for(address(0x5000'0000 + pair), address(user_as_number));
            }
        });
    for (auto& worker : workers)
        worker.join();
    for (std::uintptr_t i = 0; i < pairs; ++i)
        ASSERT_EQ(number_behind(seen[0][i]), 0x5000'0000 + i);
    for (std::size_t t = 1; t < threads; ++t)
        EXPECT_EQ(seen[t], seen[0]);
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
