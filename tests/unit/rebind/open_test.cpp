#include "runtime/open/open.hpp"

#include "dummies.hpp"
#include "runtime/message.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>

using namespace anympi::runtime;

// A call of the front: see dummies/callback.c.
extern "C" [[gnu::visibility("default")]] int called_while_opening() {
    if (is_opening())
        stop("the front was called while the runtime was being opened.");
    return 0;
}

namespace {

library library_at(const std::string& path) {
    library mpi;
    std::strcpy(mpi.path, path.c_str());
    std::strcpy(mpi.product, "Dummy MPI");
    std::strcpy(mpi.version, "1.2");
    std::strcpy(mpi.soname, "libdummy.so.1");
    return mpi;
}

// Does all steps of opening.
opened open_and_bind(const library& mpi) {
    const opened runtime = anympi::runtime::open(mpi);
    bind_to_itself(mpi, runtime);
    check_answers(mpi, runtime);
    return runtime;
}

// A process opens one runtime, so each of these tests opens it in a child process.
#define EXPECT_STOP(statement, message) EXPECT_EXIT(statement, testing::ExitedWithCode(1), message)
#define EXPECT_TRUE_IN_CHILD(condition)                                                                                \
    EXPECT_EXIT(std::_Exit((condition) ? 0 : 1), testing::ExitedWithCode(0), "") << #condition

TEST(open, gives_the_functions_of_the_runtime) {
    EXPECT_TRUE_IN_CHILD([] {
        trap_hits = 0;
        const opened runtime = open_and_bind(library_at(dummy("runtime_bindings")));
        void* own = symbol(runtime, "MPI_Barrier");
        void* of_core = symbol(runtime, "PMPI_Barrier");
        using function = int();
        const bool answer = own != nullptr && reinterpret_cast<function*>(own)() == from_runtime &&
                            of_core != nullptr && reinterpret_cast<function*>(of_core)() == from_runtime;
        return answer && symbol(runtime, "MPI_Nothing") == nullptr && !is_opening() && trap_hits == 0;
    }());
}

TEST(open, keeps_the_runtime_out_of_the_global_scope) {
    EXPECT_TRUE_IN_CHILD([] {
        open_and_bind(library_at(dummy("runtime_lazy")));
        return dlsym(RTLD_DEFAULT, "runtime_dlopen") == nullptr;
    }());
}

TEST(open, makes_the_front_global_for_good) {
    EXPECT_TRUE_IN_CHILD([] {
        void* front = dlopen(dummy("front").c_str(), RTLD_LAZY | RTLD_LOCAL);
        const bool was_local = dlsym(RTLD_DEFAULT, "front_open") == nullptr;
        reinterpret_cast<void (*)(const char*)>(dlsym(front, "front_open"))(dummy("runtime_lazy").c_str());
        dlclose(front);
        return was_local && dlsym(RTLD_DEFAULT, "front_open") != nullptr;
    }());
}

TEST(open, makes_hwloc_global_but_not_the_runtime) {
    EXPECT_TRUE_IN_CHILD([] {
        open_and_bind(library_at(dummy("runtime_with_hwloc")));
        return dlsym(RTLD_DEFAULT, "hwloc_dummy") != nullptr &&
               dlsym(RTLD_DEFAULT, "mca_installdirs_config_component") == nullptr;
    }());
}

TEST(open, says_what_is_missing) {
    EXPECT_STOP(open_and_bind(library_at("/no/such/libmpi.so")),
                "anympi: Dummy MPI 1.2 \\(libdummy.so.1\\) cannot be opened: .*/no/such/libmpi.so.*\n"
                "anympi: .*LD_LIBRARY_PATH");
    EXPECT_STOP(open_and_bind(library_at(dummy("runtime_without_core"))),
                "libdummy_nowhere.so.1: cannot open.*\nanympi: A library that it needs is not found");
}

TEST(open, refuses_what_does_not_answer) {
    EXPECT_STOP(open_and_bind(library_at(dummy("plugin_lazy"))), "does not define PMPI_Get_version.\nanympi: ");
}

TEST(open, notices_calls_that_come_back) {
    EXPECT_STOP(open_and_bind(library_at(dummy("callback"))), "called while the runtime was being opened");
}

class moved_openmpi : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (std::filesystem::temp_directory_path() / "moved-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        prefix_ = pattern;
        std::filesystem::create_directories(prefix_ / "lib");
        std::filesystem::create_directories(prefix_ / "share/openmpi");
        std::filesystem::copy_file(dummy("moved"), prefix_ / "lib/libmpi.so.40");
    }
    void TearDown() override { std::filesystem::remove_all(prefix_); }

    // Returns the variable's value after the library has been opened.
    std::string prefix_after_opening(family lineage) {
        library mpi = library_at((prefix_ / "lib/libmpi.so.40").string());
        mpi.lineage = lineage;
        open_and_bind(mpi);
        const char* value = std::getenv("OPAL_PREFIX");
        return value != nullptr ? value : "";
    }

    std::filesystem::path prefix_;
};

TEST_F(moved_openmpi, is_told_where_it_is) {
    unsetenv("OPAL_PREFIX");
    EXPECT_TRUE_IN_CHILD(prefix_after_opening(family::openmpi) == prefix_.string());
    EXPECT_TRUE_IN_CHILD(prefix_after_opening(family::mpich).empty());
}

TEST_F(moved_openmpi, is_not_told_what_the_user_has_told) {
    setenv("OPAL_PREFIX", "/users/choice", 1);
    EXPECT_TRUE_IN_CHILD(prefix_after_opening(family::openmpi) == "/users/choice");
    unsetenv("OPAL_PREFIX");
}

TEST_F(moved_openmpi, is_told_only_of_a_whole_installation) {
    unsetenv("OPAL_PREFIX");
    std::filesystem::remove(prefix_ / "share/openmpi");
    EXPECT_TRUE_IN_CHILD(prefix_after_opening(family::openmpi).empty());
}

TEST(open, tells_intel_mpi_its_root) {
    unsetenv("I_MPI_ROOT");
    EXPECT_TRUE_IN_CHILD([] {
        library mpi = library_at(dummy("lib/release/libmpi"));
        std::strcpy(mpi.product, "Intel MPI");
        open_and_bind(mpi);
        const char* root = std::getenv("I_MPI_ROOT");
        return root != nullptr && std::string(root) == DUMMIES;
    }());
}

} // namespace
