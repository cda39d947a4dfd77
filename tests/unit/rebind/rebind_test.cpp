#include "runtime/open/rebind.hpp"

#include "dummies.hpp"
#include "traps.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace anympi::runtime;

int trap_hits;

int trapped(const char*) {
    __atomic_add_fetch(&trap_hits, 1, __ATOMIC_RELAXED);
    return 0;
}

// Names that the dummies use besides the standard's names.
extern "C" {
[[gnu::visibility("default")]] int MPIX_Extension() {
    return trapped("MPIX_Extension");
}
[[gnu::visibility("default")]] int PMPIX_Extension() {
    return trapped("PMPIX_Extension");
}
[[gnu::visibility("default")]] int MPI_Chosen_at_load() {
    return trapped("MPI_Chosen_at_load");
}
[[gnu::visibility("default")]] int MPI_DATA[4] = {0, 0, 0, 0};
}

namespace {

namespace fs = std::filesystem;

constexpr int references = references_by_name + references_by_table;

// A runtime that is bound to itself.
class bound_runtime : public loaded {
public:
    explicit bound_runtime(const std::string& name) : loaded(dummy(name)) {
        trap_hits = 0;
        EXPECT_TRUE(objects_.collect(map(), image_list::members::all));
        result = rebind(objects_);
        EXPECT_EQ(result.refused, nullptr);
    }
    ~bound_runtime() { objects_.release(); }

    void* open(const std::string& name) const { return call<void*>("runtime_dlopen", name.c_str()); }

    rebinding result;

private:
    image_list objects_;
};

std::string protection_of(const void* where) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        char dash = 0;
        std::string protection;
        std::istringstream(line) >> std::hex >> begin >> dash >> end >> protection;
        if (begin <= reinterpret_cast<std::uintptr_t>(where) && reinterpret_cast<std::uintptr_t>(where) < end)
            return protection;
    }
    return "not mapped";
}

// Makes mprotect fail in this process.
void refuse_mprotect() {
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{4, filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        std::_Exit(77);
}

class folder_of_copies {
public:
    folder_of_copies() {
        std::string pattern = (fs::temp_directory_path() / "rebind-XXXXXX").string();
        EXPECT_NE(mkdtemp(pattern.data()), nullptr);
        path_ = pattern;
    }
    ~folder_of_copies() { fs::remove_all(path_); }

    std::string copy(const std::string& name, int number) const {
        const fs::path file = path_ / (name + std::to_string(number) + ".so");
        fs::copy_file(dummy(name), file);
        return file.string();
    }

private:
    fs::path path_;
};

// Returns false if a sanitizer puts its own dlopen before the C library's, which then sees the sanitizer as the caller.
bool dlopen_sees_its_caller() {
    const loaded runtime(dummy("runtime_lazy"));
    void* plugin = runtime.call<void*>("runtime_dlopen", "plugin_by_name.so");
    if (plugin != nullptr)
        dlclose(plugin);
    return plugin != nullptr;
}
#define SKIP_IF_DLOPEN_IS_BLIND                                                                                        \
    if (!dlopen_sees_its_caller())                                                                                     \
    GTEST_SKIP() << "the dlopen of this program (a sanitizer's) does not see who calls it"

class each_runtime : public testing::TestWithParam<const char*> {};

// Shows that the other tests prove something: a library that is not bound to itself calls the program.
TEST_P(each_runtime, calls_the_program_unless_bound) {
    const loaded runtime(dummy(GetParam()));
    trap_hits = 0;
    EXPECT_EQ(runtime.call("runtime_calls_by_name"), 0);
    EXPECT_EQ(runtime.call("runtime_calls_by_table"), 0);
    EXPECT_GT(trap_hits, 0);
}

TEST_P(each_runtime, calls_itself_when_bound) {
    const bound_runtime runtime(GetParam());
    EXPECT_EQ(runtime.call("runtime_calls_by_name"), references_by_name);
    EXPECT_EQ(runtime.call("runtime_calls_by_table"), references_by_table);
    EXPECT_EQ(trap_hits, 0);
    EXPECT_GE(runtime.result.references, unsigned{references_by_name});
    EXPECT_EQ(runtime.result.openers, 1);
    EXPECT_EQ(runtime.result.unknown, 0);
}

TEST_P(each_runtime, binds_its_plugins) {
    const bound_runtime runtime(GetParam());
    for (const char* name : {"plugin_lazy", "plugin_now", "plugin_noplt"}) {
        const loaded plugin(runtime.open(dummy(name)));
        EXPECT_EQ(plugin.call("plugin_calls"), references) << name;
    }
    EXPECT_EQ(trap_hits, 0);
}

INSTANTIATE_TEST_SUITE_P(rebind, each_runtime,
                         testing::Values("runtime_lazy", "runtime_now", "runtime_norelro", "runtime_noplt",
                                         "runtime_old_hash", "runtime_versions"),
                         [](const auto& of) { return std::string(of.param); });

TEST(rebind, closes_what_it_opened) {
    for (const char* name : {"runtime_lazy", "runtime_now"}) {
        const bound_runtime runtime(name);
        const auto* table = runtime.call<const void*>("runtime_constant_table");
        EXPECT_EQ(protection_of(table), "r--p") << name;
    }
}

TEST(rebind, finds_functions_in_libraries_that_the_runtime_needs) {
    const bound_runtime runtime("runtime_bindings");
    EXPECT_EQ(runtime.call("bindings_call_core"), from_runtime);
    EXPECT_EQ(runtime.call("runtime_calls_by_name"), references_by_name);
    EXPECT_EQ(runtime.call("runtime_calls_by_table"), references_by_table);
    EXPECT_EQ(trap_hits, 0);
}

TEST(rebind, binds_a_runtime_that_was_there_before) {
    const loaded core(dummy("runtime_core"));
    const loaded earlier(dummy("runtime_bindings"));
    EXPECT_EQ(earlier.call("runtime_calls_by_name"), 0);
    const bound_runtime runtime("runtime_bindings");
    EXPECT_EQ(runtime.call("runtime_calls_by_name"), references_by_name);
    EXPECT_EQ(runtime.call("runtime_calls_by_table"), references_by_table);
    EXPECT_EQ(trap_hits, 0);
}

TEST(rebind, leaves_other_libraries_alone) {
    const loaded before(dummy("plugin_lazy"));
    const bound_runtime runtime("runtime_lazy");
    const loaded after(dummy("plugin_now"));
    const loaded plugin(runtime.open(dummy("plugin_noplt")));
    EXPECT_EQ(before.call("plugin_calls"), 0);
    EXPECT_EQ(after.call("plugin_calls"), 0);
    EXPECT_EQ(plugin.call("plugin_calls"), references);
}

TEST(rebind, leaves_a_plugin_alone_that_was_the_programs_before) {
    const loaded of_program(dummy("plugin_lazy"));
    const bound_runtime runtime("runtime_lazy");
    const loaded of_runtime(runtime.open(dummy("plugin_lazy")));
    EXPECT_EQ(of_program.call("plugin_calls"), 0);
}

TEST(rebind, leaves_a_library_alone_that_was_the_programs_before_a_plugin_needed_it) {
    const loaded of_program(dummy("plugin_helper"));
    const bound_runtime runtime("runtime_lazy");
    const loaded plugin(runtime.open(dummy("plugin_with_helper")));
    EXPECT_EQ(plugin.call("plugin_calls"), references);
    EXPECT_EQ(of_program.call("helper_calls"), 0);
}

TEST(rebind, binds_a_runtime_that_imports_nothing_of_interest) {
    const bound_runtime runtime("runtime_without_plugins");
    EXPECT_EQ(runtime.call("runtime_calls_by_name"), references_by_name);
    EXPECT_EQ(runtime.call("runtime_calls_by_table"), references_by_table);
    EXPECT_EQ(trap_hits, 0);
}

TEST(rebind, counts_names_that_the_runtime_lacks) {
    const bound_runtime runtime("runtime_core");
    EXPECT_GT(runtime.result.unknown, 0);
    EXPECT_EQ(runtime.call("runtime_calls_by_name"), references_by_name - 3); // MPI_Barrier, MPI_Wait, MPIX_Extension
}

TEST(rebind, binds_what_a_plugin_needs) {
    const bound_runtime runtime("runtime_lazy");
    const loaded plugin(runtime.open(dummy("plugin_with_helper")));
    EXPECT_EQ(plugin.call("plugin_calls"), references);
    EXPECT_EQ(plugin.call("plugin_calls_helper"), references);
    EXPECT_EQ(trap_hits, 0);
}

TEST(rebind, binds_a_plugin_each_time_it_is_opened) {
    const bound_runtime runtime("runtime_lazy");
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(loaded(runtime.open(dummy("plugin_lazy"))).call("plugin_calls"), references);
        EXPECT_EQ(loaded(runtime.open(dummy("plugin_now"))).call("plugin_calls"), references);
    }
    EXPECT_EQ(trap_hits, 0);
}

TEST(rebind, searches_bare_names_as_the_runtime_does) {
    SKIP_IF_DLOPEN_IS_BLIND;
    // plugins/ is only in the RUNPATH of the runtime; $ORIGIN is the folder of the caller.
    const bound_runtime runtime("runtime_lazy");
    EXPECT_EQ(dlopen("plugin_by_name.so", RTLD_LAZY), nullptr);
    for (const char* name : {"plugin_by_name.so", "$ORIGIN/plugins/plugin_by_name.so"}) {
        const loaded plugin(runtime.open(name));
        rebind_plugins();
        EXPECT_EQ(plugin.call("plugin_calls"), references) << name;
    }
    EXPECT_EQ(trap_hits, 0);
}

TEST(rebind, binds_bare_names_when_the_runtime_opens_the_next) {
    SKIP_IF_DLOPEN_IS_BLIND;
    const bound_runtime runtime("runtime_lazy");
    const loaded by_name(runtime.open("plugin_by_name.so"));
    const loaded by_path(runtime.open(dummy("plugin_lazy")));
    EXPECT_EQ(by_name.call("plugin_calls"), references);
    EXPECT_EQ(by_path.call("plugin_calls"), references);
    EXPECT_EQ(trap_hits, 0);
}

// MPI_Wait and PMPI_Wait lead to the interposer, by their names and by a table each. All other references end in the
// traps.
TEST(rebind, binds_only_names_of_interposers_before_the_front) {
    EXPECT_EXIT(
        {
            const loaded interposer(dummy("interposer"));
            const loaded runtime(dummy("runtime_lazy"));
            image_list objects;
            objects.collect(runtime.map(), image_list::members::all);
            const rebinding result = rebind(objects, position::before_front);
            const loaded plugin(runtime.call<void*>("runtime_dlopen", dummy("plugin_lazy").c_str()));
            const bool is_runtime_bound =
                runtime.call("runtime_calls_by_name") == 2 && runtime.call("runtime_calls_by_table") == 2;
            const bool is_plugin_bound = plugin.call("plugin_calls") == 4;
            std::_Exit(is_runtime_bound && is_plugin_bound && result.unknown == 0 ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(rebind, binds_no_name_before_the_front_without_interposers) {
    EXPECT_EXIT(
        {
            const loaded runtime(dummy("runtime_lazy"));
            image_list objects;
            objects.collect(runtime.map(), image_list::members::all);
            const rebinding result = rebind(objects, position::before_front);
            std::_Exit(result.references == 0 && result.openers == 1 && runtime.call("runtime_calls_by_name") == 0 ? 0
                                                                                                                   : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(rebind, passes_failures_on) {
    const bound_runtime runtime("runtime_lazy");
    EXPECT_EQ(runtime.open("no_such_plugin.so"), nullptr);
    EXPECT_EQ(runtime.open("/no/such/plugin.so"), nullptr);
    const char* error = dlerror();
    ASSERT_NE(error, nullptr);
    EXPECT_NE(std::string(error).find("/no/such/plugin.so"), std::string::npos);
    rebind_plugins();
    EXPECT_EQ(dlerror(), nullptr);
    EXPECT_NE(runtime.call<void*>("runtime_dlopen", static_cast<const char*>(nullptr)), nullptr);
}

TEST(rebind, leaves_plugins_of_the_program_alone) {
    // Here the code under test is in a separate front, which stays loaded, as the real one does. The program's plug-in
    // needs that front.
    const loaded front(dlopen(dummy("front").c_str(), RTLD_LAZY | RTLD_NODELETE));
    const loaded runtime(dummy("runtime_lazy"));
    ASSERT_TRUE(front.call<bool>("front_rebind", static_cast<void*>(runtime.map())));
    const auto open = [&](const char* name) { return runtime.call<void*>("runtime_dlopen", dummy(name).c_str()); };
    EXPECT_EQ(loaded(open("plugin_of_program")).call("plugin_calls"), 0);
    EXPECT_EQ(loaded(open("plugin_lazy")).call("plugin_calls"), references);
}

TEST(rebind, binds_whatever_the_front_exports) {
    EXPECT_EXIT(
        {
            const loaded front(dlopen(dummy("front").c_str(), RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE));
            const loaded runtime(dummy("runtime_lazy"));
            const int before = runtime.call("runtime_vendor_data");
            front.call<bool>("front_rebind", static_cast<void*>(runtime.map()));
            std::_Exit(before == 0 && runtime.call("runtime_vendor_data") == from_runtime ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(rebind, says_when_it_is_refused) {
    EXPECT_EXIT(
        {
            const loaded runtime(dummy("runtime_now"));
            image_list objects;
            objects.collect(runtime.map(), image_list::members::all);
            refuse_mprotect();
            const rebinding result = rebind(objects);
            const bool said = result.refused != nullptr && std::strstr(result.refused, "runtime_now") != nullptr;
            std::_Exit(said && result.error == EPERM ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(rebind, does_not_use_a_plugin_that_it_cannot_bind) {
    SKIP_IF_DLOPEN_IS_BLIND;
    EXPECT_EXIT(
        {
            // The loader needs mprotect to open a plug-in with RELRO; this plug-in is already open, by a name without a
            // folder.
            const bound_runtime runtime("runtime_lazy");
            runtime.open("plugin_by_name.so");
            refuse_mprotect();
            rebind_plugins();
            std::_Exit(0);
        },
        testing::ExitedWithCode(0), "anympi: the MPI library's plug-in .*plugin_by_name.so cannot be bound");
}

TEST(rebind, works_while_other_threads_open_libraries) {
    constexpr int threads = 4;
    constexpr int rounds = 50;
    const folder_of_copies copies;
    const bound_runtime runtime("runtime_lazy");
    std::vector<std::thread> workers;
    int wrong[2 * threads] = {};
    for (int t = 0; t < threads; ++t) {
        workers.emplace_back([&, t, file = copies.copy("plugin_lazy", t)] {
            for (int i = 0; i < rounds; ++i)
                wrong[t] += loaded(runtime.open(file)).call("plugin_calls") != references;
        });
        // A plug-in of the program, which must never be changed.
        workers.emplace_back([&, t, file = copies.copy("plugin_now", t)] {
            for (int i = 0; i < rounds; ++i)
                wrong[threads + t] += loaded(file).call("plugin_calls") != 0;
        });
    }
    for (auto& worker : workers)
        worker.join();
    for (const int count : wrong)
        EXPECT_EQ(count, 0);
}

} // namespace
