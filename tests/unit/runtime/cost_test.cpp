// The number of file system calls for a choice: a hundred thousand processes make them at the same time on a shared
// file system.

#include "fake_machine.hpp"

#include <sys/wait.h>

namespace {

class cost : public fake_machine {
protected:
    void SetUp() override {
        fake_machine::SetUp();
        if (!std::filesystem::exists("/usr/bin/strace"))
            GTEST_SKIP() << "there is no /usr/bin/strace";
        if (std::system("/usr/bin/strace -o /dev/null /bin/true 2> /dev/null") != 0)
            GTEST_SKIP() << "strace is not permitted here";
    }

    // Returns the number of calls between the two marks of the probe.
    int calls_of_choice() const {
        const std::string trace = path("trace");
        const std::string command =
            "/usr/bin/strace -qq -o " + trace + " -e trace=%file,%desc " RUNTIME_PROBE " " + path("");
        EXPECT_EQ(std::system((command + " > /dev/null").c_str()), 0);
        std::ifstream stream(trace);
        int calls = 0;
        bool inside = false;
        for (std::string line; std::getline(stream, line);) {
            if (line.find("begin-of-choice") != std::string::npos)
                inside = true;
            else if (line.find("end-of-choice") != std::string::npos)
                return calls;
            else if (inside && is_file_system_call(line))
                calls++;
        }
        ADD_FAILURE() << "the trace contains no choice";
        return -1;
    }

    // Sets an environment as on a cluster: many folders in PATH and LD_LIBRARY_PATH that contain no MPI.
    void load_modules() const {
        std::string path_list;
        std::string library_list;
        for (int module = 0; module < 8; module++) {
            const std::string name = "apps/module" + std::to_string(module);
            path_list += folder(name + "/bin") + ":";
            library_list += module < 3 ? folder(name + "/lib") + ":" : "";
        }
        set("PATH", path_list);
        set("LD_LIBRARY_PATH", library_list);
    }

private:
    static bool is_file_system_call(const std::string& line) {
        for (const char* name :
             {"open", "stat", "newfstatat", "lstat", "fstat", "readlink", "access", "faccessat", "getdents"})
            if (line.rfind(name, 0) == 0)
                return true;
        return false;
    }
};

TEST_F(cost, of_a_named_file) {
    set("ANYMPI_MPI", install("prefix/lib/libmpi.so.12", "mpich_4_0"));
    EXPECT_LE(calls_of_choice(), 3); // the site's configuration may forbid it
    set("ANYMPI_JOB_LIBRARY", "MPICH");
    EXPECT_LE(calls_of_choice(), 2);
}

TEST_F(cost, of_a_named_prefix) {
    install("prefix/lib/libmpi.so.12", "mpich_4_0");
    set("ANYMPI_MPI", path("prefix"));
    EXPECT_LE(calls_of_choice(), 10);
}

TEST_F(cost, of_a_loaded_module) {
    load_modules();
    install("apps/mpi/lib/libmpi.so.40", "openmpi_4");
    write("apps/mpi/bin/mpiexec", "");
    set("PATH", path("apps/mpi/bin") + ":" + getenv("PATH"));
    EXPECT_LE(calls_of_choice(), 15);
}

TEST_F(cost, of_the_machines_only_mpi) {
    load_modules();
    folder("usr/lib");
    folder("usr/local/lib");
    install("usr/lib64/openmpi/lib/libmpi.so.40", "openmpi_4");
    EXPECT_LE(calls_of_choice(), 60);
}

} // namespace
