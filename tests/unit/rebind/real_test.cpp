// Tests real libraries: their MPI-IO and one-sided communication call public names internally.

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr int trap_hit = 42;

struct runtime {
    std::string library;
    std::vector<std::string> environment;
    std::vector<std::string> launcher = {}; // empty for one process
};

const std::vector<std::string> for_all = {
    "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
    "ASAN_OPTIONS=detect_leaks=0",  // leaks of the MPI libraries are not reported
    "HWLOC_COMPONENTS=-opencl,-gl", // these load Mesa and X11, with which some sanitizers crash
};

[[noreturn]] void execute(std::vector<std::string> command, const runtime& mpi) {
    for (const auto& settings : {for_all, mpi.environment})
        for (const std::string& setting : settings)
            putenv(strdup(setting.c_str()));
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (std::string& argument : command)
        arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    alarm(120);
    execvp(arguments[0], arguments.data());
    _exit(127);
}

int run(const char* program, const char* mode, const runtime& mpi) {
    std::string folder = (fs::temp_directory_path() / "real-XXXXXX").string();
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    std::vector<std::string> command = mpi.launcher;
    command.insert(command.end(), {program, mode, mpi.library, folder + "/file"});
    const pid_t child = fork();
    if (child == 0)
        execute(command, mpi);
    int status = 0;
    waitpid(child, &status, 0);
    fs::remove_all(folder);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// If the library is bound, it must behave as in a program without traps, even if a call fails there (MPICH 3.4.3 from
// PyPI cannot accumulate over libfabric).
void expect_same_as_native(const runtime& mpi) {
    SCOPED_TRACE(mpi.library);
    EXPECT_EQ(run(REAL_RUNTIME, "bound", mpi), run(REAL_RUNTIME_WITHOUT_TRAPS, "unbound", mpi));
}

// If the library is not bound, it must run into a trap; otherwise the test proves nothing.
void expect_bound(const runtime& mpi) {
    SCOPED_TRACE(mpi.library);
    EXPECT_EQ(run(REAL_RUNTIME, "unbound", mpi), trap_hit);
    expect_same_as_native(mpi);
}

// Tested in a child process, because an MPI library changes the process even if it is closed again.
bool is_installed(const char* soname) {
    const pid_t child = fork();
    if (child == 0)
        _exit(dlopen(soname, RTLD_LAZY | RTLD_LOCAL) != nullptr ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
}

bool is_command(const std::string& name) {
    return std::system(("command -v " + name + " > /dev/null").c_str()) == 0;
}

TEST(real, debians_mpich_calls_itself) {
    if (!is_installed("libmpich.so.12"))
        GTEST_SKIP() << "there is no libmpich.so.12 (Debian's MPICH)";
    expect_bound({"libmpich.so.12", {}});
}

TEST(real, plugins_of_openmpi_for_files_call_it) {
    if (!is_installed("libmpi.so.40"))
        GTEST_SKIP() << "there is no libmpi.so.40 (Open MPI)";
    expect_bound({"libmpi.so.40", {"OMPI_MCA_io=romio321", "OMPI_MCA_osc=sm,pt2pt"}});
}

// A process that receives one-sided data looks up the operation by its public name.
TEST(real, plugins_of_openmpi_for_windows_call_it) {
    if (!is_installed("libmpi.so.40") || !is_command("mpirun.openmpi"))
        GTEST_SKIP() << "there is no libmpi.so.40 or no mpirun.openmpi (Debian's Open MPI)";
    expect_bound({"libmpi.so.40", {"OMPI_MCA_osc=sm,pt2pt"}, {"mpirun.openmpi", "--oversubscribe", "-n", "2"}});
}

// Prefixes or library files, separated by colons.
TEST(real, others_call_themselves) {
    const char* given = std::getenv("ANYMPI_TEST_RUNTIMES");
    if (given == nullptr)
        GTEST_SKIP() << "ANYMPI_TEST_RUNTIMES is not set";
    if (*given == '\0')
        GTEST_SKIP() << "no MPI but Debian's is tested: ANYMPI_TEST_RUNTIMES is empty";
    std::istringstream places(given);
    for (std::string place; std::getline(places, place, ':');) {
        if (!fs::is_directory(place)) {
            expect_bound({place, {}});
            continue;
        }
        for (const char* name : {"libmpi.so.12", "libmpi.so.40", "libmpi_abi.so.1"})
            if (fs::exists(fs::path(place) / "lib" / name))
                expect_bound(
                    {place + "/lib/" + name,
                     {"OPAL_PREFIX=" + place, "I_MPI_ROOT=" + place, "OMPI_MCA_io=^ompio", "I_MPI_FABRICS=shm"}});
    }
}

} // namespace
