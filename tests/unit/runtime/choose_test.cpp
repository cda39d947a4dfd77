#include "runtime/find/choose.hpp"

#include "fake_machine.hpp"
#include "runtime/find/how_to_install.hpp"

#include <sys/stat.h>

namespace anympi::runtime {
namespace {

class chosen : public fake_machine {
protected:
    // A machine with one MPI of each family, one mpiexec in PATH, and nothing else.
    void SetUp() override {
        fake_machine::SetUp();
        mpich_ = install("mpich/lib/libmpi.so.12", "mpich_4_0");
        openmpi_ = install("usr/lib/libmpi.so.40", "openmpi_4");
        write("mpich/bin/mpiexec", "");
        set("PATH", path("mpich/bin"));
    }

    std::string choice_of() const { return choose(machine()).mpi.path; }
    std::string reason() const { return choose(machine()).reason.text; }

    void start_by_hydra(const std::string& executable) const {
        set("PMI_RANK", "0");
        set("PMI_SIZE", "2");
        set("MPI_LOCALNRANKS", "2");
        start_by(executable);
    }

    void start_by_openmpi(const std::string& executable) const {
        set("OMPI_COMM_WORLD_RANK", "0");
        set("OMPI_COMM_WORLD_SIZE", "2");
        start_by(executable);
    }

    void expect_stop(const std::string& message) const {
        EXPECT_EXIT(choose(machine()), testing::ExitedWithCode(1), message);
    }

    std::string mpich_;
    std::string openmpi_;
};

TEST_F(chosen, by_what_srun_offers) {
    set("SLURM_STEP_NUM_TASKS", "2");
    set("SLURM_STEP_ID", "0");
    set("PMI_FD", "3");
    EXPECT_EQ(choice_of(), mpich_);
    unsetenv("PMI_FD");
    set("PMIX_RANK", "0");
    EXPECT_EQ(choice_of(), openmpi_);
    std::filesystem::remove(openmpi_); // the remaining library may still run with one process
    EXPECT_EQ(choice_of(), mpich_);
}

// ANYMPI_MPI

TEST_F(chosen, by_name) {
    set("ANYMPI_MPI", "openmpi");
    EXPECT_EQ(choice_of(), openmpi_);
    EXPECT_EQ(reason(), "ANYMPI_MPI=openmpi");
    set("ANYMPI_MPI", "mpich");
    EXPECT_EQ(choice_of(), mpich_);
}

TEST_F(chosen, by_name_beside_the_launcher_first) {
    const std::string second = install("second/lib/libmpi.so.12", "mpich_4_0");
    start_by_hydra(path("second/bin/hydra_pmi_proxy"));
    set("ANYMPI_MPI", "mpich");
    EXPECT_EQ(choice_of(), second);
    set("ANYMPI_MPI", "ompi");
    EXPECT_EQ(choice_of(), openmpi_);
}

TEST_F(chosen, by_each_name) {
    const std::string intel = install("intel/lib/libmpi.so.12", "intel");
    const std::string mvapich = install("mvapich/lib/libmpi.so.12", "mvapich");
    const std::string cray = install("cray/lib/libmpi_gnu_123.so.12", "cray");
    const std::string standard = install("standard/lib/libmpi_abi.so.1", "standard_unknown");
    set("I_MPI_ROOT", path("intel"));
    set("EBROOTMVAPICH2", path("mvapich"));
    set("CRAY_MPICH_DIR", path("cray"));
    set("CONDA_PREFIX", path("standard"));
    for (const auto& [name, library] : {std::pair{"intel", intel},
                                        {"impi", intel},
                                        {"mvapich", mvapich},
                                        {"mvapich2", mvapich},
                                        {"cray", cray},
                                        {"standard", standard},
                                        {"abi", standard}}) {
        set("ANYMPI_MPI", name);
        EXPECT_EQ(choice_of(), library) << name;
    }
}

TEST_F(chosen, by_prefix_file_and_lib_folder) {
    const std::string library = install("own/lib/libmpi.so.40", "openmpi_5");
    for (const char* request : {"own", "own/", "own/lib", "own/lib/libmpi.so.40"}) {
        set("ANYMPI_MPI", path(request));
        EXPECT_TRUE(std::filesystem::equivalent(choice_of(), library)) << request;
    }
}

TEST_F(chosen, by_relative_path_as_an_absolute_one) {
    install("own/lib/libmpi.so.40", "openmpi_5");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(path("own"));
    set("ANYMPI_MPI", "./lib/libmpi.so.40");
    EXPECT_EQ(choice_of(), path("own/./lib/libmpi.so.40"));
    set("ANYMPI_MPI", "../own");
    EXPECT_EQ(choice_of(), path("own/../own/lib/libmpi.so.40"));
    std::filesystem::current_path(before);
}

TEST_F(chosen, not_by_an_empty_variable) {
    set("ANYMPI_MPI", "");
    EXPECT_EQ(choice_of(), mpich_);
}

TEST_F(chosen, by_a_wrong_name_stops) {
    set("ANYMPI_MPI", "mpcih");
    expect_stop("^anympi: ANYMPI_MPI=mpcih: anympi knows no MPI of this name\nanympi: did you mean `mpich`\\?\n$");
    set("ANYMPI_MPI", "wrong");
    expect_stop("^anympi: ANYMPI_MPI=wrong: anympi knows no MPI of this name\n"
                "anympi: give a name \\(mpich, openmpi, intel, mvapich, cray, spectrum, standard\\), [^\n]*"
                "library file \\(a path has a slash in it\\)\n$");
}

TEST_F(chosen, by_name_and_version) {
    const std::string other = install("other/lib/libmpi.so.12", "mpich_3");
    set("MPI_HOME", path("other"));
    set("ANYMPI_MPI", "mpich");
    EXPECT_EQ(choice_of(), other);
    for (const char* name : {"mpich-4.0.2", "MPICH 4.0.2", "mpich-4", "Mpich 4.0:vendor"}) {
        set("ANYMPI_MPI", name);
        EXPECT_EQ(choice_of(), mpich_) << name;
    }
    set("ANYMPI_MPI", "Open MPI");
    EXPECT_EQ(choice_of(), openmpi_);
    set("ANYMPI_MPI", "mpich-4.1");
    expect_stop("^anympi: ANYMPI_MPI=mpich-4.1: no such MPI was found\n");
}

TEST_F(chosen, by_the_abi_of_an_installation_with_both) {
    const std::string standard = install("both/lib/libmpi_abi.so.1", "standard_5_0_2");
    const std::string vendors = install("both/lib/libmpi.so.12", "mpich_5_0_2");
    set("MPI_HOME", path("both"));
    for (const auto& [name, library] : {std::pair{"mpich-5", standard},
                                        {"mpich:standard", standard},
                                        {"mpich-5.0.2:vendor", vendors},
                                        {"standard", standard}}) {
        set("ANYMPI_MPI", name);
        EXPECT_EQ(choice_of(), library) << name;
    }
}

TEST_F(chosen, by_the_name_of_something_absent_stops) {
    set("ANYMPI_MPI", "intel");
    expect_stop("^anympi: ANYMPI_MPI=intel: no such MPI was found\n"
                "anympi: looked in: " +
                path("mpich") + ", " + path("usr") +
                ", [^\n]*\n"
                "anympi: found there: MPICH 4\\.0\\.2 \\(libmpi\\.so\\.12\\) in " +
                path("mpich") + ", Open MPI 4\\.1\\.4 \\(libmpi\\.so\\.40\\) in " + path("usr") +
                "\nanympi: give a name");
}

TEST_F(chosen, by_the_path_of_something_else_stops) {
    for (const auto& [request, message] :
         {std::pair{path("none"), "does not exist"},
          {write("text", "INPUT(libmpi.so.12)"), "is not a shared library"},
          {dummy("front"), "is anympi's own library"},
          {dummy("stub"), "is a stub"},
          {dummy("no_mpi"), "is not an MPI library"},
          {write("cut.so", content_of(dummy("openmpi_4")).substr(0, 500)), "is damaged"},
          {std::string(PATH_MAX + 10, '/'), "does not exist"}}) {
        set("ANYMPI_MPI", request);
        expect_stop(std::string("^anympi: ANYMPI_MPI=[^\n]* ") + message + "[^\n]*\nanympi: give a name");
    }
}

TEST_F(chosen, by_the_prefix_of_nothing_stops) {
    install("own/lib/libmpi_abi.so.1", "front");
    set("ANYMPI_MPI", path("own"));
    expect_stop("^anympi: ANYMPI_MPI=" + path("own") +
                ": there is no MPI library in this folder[^\n]*\n"
                "anympi: looked for: libmpi_abi\\.so\\.1, libmpi\\.so\\.12, [^\n]*\n"
                "anympi: left out: " +
                path("own/lib/libmpi_abi.so.1") + " is anympi's own library");
}

// The launcher

TEST_F(chosen, by_the_launchers_installation) {
    const std::string second = install("second/lib/libmpi.so.12", "mpich_3");
    start_by_hydra(path("second/bin/hydra_pmi_proxy"));
    EXPECT_EQ(choice_of(), second);
    EXPECT_EQ(reason(), "MPICH's mpiexec (" + path("second/bin/hydra_pmi_proxy") + ") belongs to it");
}

TEST_F(chosen, by_the_launchers_family_where_installations_share_a_prefix) {
    const std::string debian = install("usr/lib/libmpich.so.12", "mpich_debian");
    start_by_hydra(path("usr/bin/hydra_pmi_proxy"));
    EXPECT_EQ(choice_of(), debian);
}

TEST_F(chosen, by_openmpis_launcher) {
    start_by_openmpi(path("usr/bin/orterun"));
    EXPECT_EQ(choice_of(), openmpi_);
}

TEST_F(chosen, by_the_prefix_that_a_moved_openmpi_tells) {
    const std::string moved = install("moved/lib/libmpi.so.40", "openmpi_5");
    start_by_openmpi(path("usr/bin/orterun"));
    set("OPAL_PREFIX", path("moved"));
    EXPECT_EQ(choice_of(), moved);
}

TEST_F(chosen, not_by_a_batch_system) {
    set("SLURM_STEP_NUM_TASKS", "2");
    set("SLURM_STEP_ID", "0");
    install("slurm/lib/libmpi.so.12", "mpich_3");
    start_by(path("slurm/bin/mpiexec"));
    EXPECT_EQ(choice_of(), mpich_);
}

TEST_F(chosen, by_the_launchers_family_where_its_installation_is_hidden) {
    set("OMPI_COMM_WORLD_SIZE", "2");
    EXPECT_EQ(choice_of(), openmpi_);
}

TEST_F(chosen, from_the_other_family_rather_than_nothing) {
    std::filesystem::remove(openmpi_);
    set("OMPI_COMM_WORLD_SIZE", "1");
    EXPECT_EQ(choice_of(), mpich_);
}

// Configuration

TEST_F(chosen, by_configuration) {
    const std::string file = write("etc/anympi/config.toml", "mpi = \"openmpi\"");
    EXPECT_EQ(choice_of(), openmpi_);
    EXPECT_EQ(reason(), "mpi = \"openmpi\" in " + file);
}

TEST_F(chosen, by_a_wrong_configuration_stops) {
    const std::string file = write("etc/anympi/config.toml", "mpi = '/nowhere'");
    expect_stop("^anympi: mpi = \"/nowhere\" in " + file + " does not exist\n");
}

// Order

TEST_F(chosen, by_the_first_that_answers) {
    EXPECT_EQ(choice_of(), mpich_) << "the machine";
    EXPECT_EQ(reason(), path("mpich/bin/mpiexec") + " belongs to it");

    write("home/.config/anympi/config.toml", "mpi = 'openmpi'");
    EXPECT_EQ(choice_of(), openmpi_) << "configuration before machine";

    const std::string launchers = install("launcher/lib/libmpi.so.12", "mpich_3");
    start_by_hydra(path("launcher/bin/hydra_pmi_proxy"));
    EXPECT_EQ(choice_of(), launchers) << "launcher before configuration";

    const std::string named = install("named/lib/libmpi.so.40", "openmpi_5");
    set("ANYMPI_MPI", named);
    EXPECT_EQ(choice_of(), named) << "ANYMPI_MPI before launcher";
}

TEST_F(chosen, and_told_when_asked) {
    set("ANYMPI_VERBOSE", "1");
    testing::internal::CaptureStderr();
    choose(machine());
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "anympi: chose MPICH 4.0.2 (libmpi.so.12) at " + mpich_ + ": " +
                                                          path("mpich/bin/mpiexec") + " belongs to it\n");
}

TEST_F(chosen, in_silence) {
    testing::internal::CaptureStderr();
    choose(machine());
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(chosen, from_nothing_stops) {
    std::filesystem::remove(openmpi_);
    std::filesystem::remove(mpich_);
    install("mpich/lib/libmpi.so.12", "no_mpi");
    expect_stop("^anympi: no MPI library was found on [^\n]*\n"
                "anympi: left out: " +
                path("mpich/lib/libmpi.so.12") +
                " is not an MPI library: it has no MPI_Init\n"
                "anympi: install one: [^\n]*ANYMPI_MPI=");
    set("ANYMPI_VERBOSE", "1");
    expect_stop("^anympi: looked for: libmpi_abi\\.so\\.1, libmpi\\.so\\.12, libmpi\\.so\\.40, libmpich\\.so\\.12\n"
                "anympi: looked in: " +
                path("mpich") + ", " + path("usr") + ", [^\n]*\nanympi: no MPI library was found on ");
}

// In a set-user-ID program, another user may have set the environment. Only root can create such a program.
TEST_F(chosen, without_the_environment_in_a_set_user_id_process) {
    if (geteuid() != 0)
        GTEST_SKIP() << "only root can make a program that runs as another user";
    const std::string probe = path("probe");
    std::filesystem::copy_file(RUNTIME_PROBE, probe);
    constexpr uid_t nobody = 65534;
    ASSERT_EQ(chown(probe.c_str(), nobody, nobody), 0);
    ASSERT_EQ(chmod(probe.c_str(), 04755), 0);
    ASSERT_EQ(chmod(path("").c_str(), 0755), 0);
    set("ANYMPI_MPI", mpich_);
    write("home/.config/anympi/config.toml", "mpi = '" + mpich_ + "'");
    FILE* output = popen((probe + " " + path("")).c_str(), "r");
    char line[PATH_MAX] = "";
    ASSERT_NE(fgets(line, sizeof line, output), nullptr);
    pclose(output);
    EXPECT_EQ(line, path("") + "/usr/lib/libmpi.so.40\n");
}

// Rules of the site

TEST_F(chosen, by_rules_of_the_site_among_all) {
    EXPECT_EQ(choice_of(), mpich_);
    write("etc/anympi/config.toml", "forbid = ['mpich']");
    EXPECT_EQ(choice_of(), openmpi_);
    write("etc/anympi/config.toml", "require = 'openmpi-4'");
    EXPECT_EQ(choice_of(), openmpi_);
    write("etc/anympi/config.toml", "require = 'openmpi-5'");
    expect_stop(
        "^anympi: MPICH 4.*/mpich/lib/libmpi.so.12 may not be used here: .*config.toml:1 requires another MPI\n");
}

TEST_F(chosen, by_no_setting_of_the_user_against_a_rule) {
    write("etc/anympi/config.toml", "\nforbid = ['openmpi']");
    const std::string message = "^anympi: Open MPI 4.*" + openmpi_ +
                                " may not be used here: " + path("etc/anympi/config.toml") +
                                ":2 forbids it\nanympi: it was chosen by: ";
    for (const std::string& value : {std::string("openmpi"), openmpi_, path("usr")}) {
        set("ANYMPI_MPI", value);
        expect_stop(message + "ANYMPI_MPI=" + value + "\\.");
    }
    unsetenv("ANYMPI_MPI");
    const request asked = {"openmpi", "--mpi openmpi"};
    EXPECT_EXIT(choose_requested(asked, machine()), testing::ExitedWithCode(1), message + "--mpi openmpi");
    write("home/.config/anympi/config.toml", "mpi = 'openmpi'\nforbid = []\n");
    expect_stop("may not be used here: .* forbids it\nanympi: it was chosen by: mpi = \"openmpi\" in ");
    std::filesystem::remove(path("home/.config/anympi/config.toml"));
    start_by_openmpi(path("usr/bin/orterun"));
    link("proc/" + std::to_string(getpid()) + "/exe", path("usr/bin/orterun")); // the parent of the process that stops
    expect_stop(message);
}

TEST_F(chosen, by_name_among_those_that_a_rule_allows) {
    const std::string second = install("second/lib/libmpi.so.40", "openmpi_5");
    set("OPENMPI_ROOT", path("second"));
    set("ANYMPI_MPI", "openmpi");
    EXPECT_EQ(choice_of(), second);
    write("etc/anympi/config.toml", "forbid = ['openmpi-5']");
    EXPECT_EQ(choice_of(), openmpi_);
    write("etc/anympi/config.toml", "forbid = ['" + path("second") + "/']");
    EXPECT_EQ(choice_of(), openmpi_);
    write("etc/anympi/config.toml", "forbid = ['" + path("secon") + "']");
    EXPECT_EQ(choice_of(), second);
}

TEST_F(chosen, by_rules_about_files_behind_links) {
    link("other", path("mpich"));
    for (const std::string& rule : {path("other"), path("other/lib/libmpi.so.12"), mpich_, dummy("mpich_4_0")}) {
        write("etc/anympi/config.toml", "forbid = '" + rule + "'");
        EXPECT_EQ(choice_of(), openmpi_) << rule;
    }
}

TEST_F(chosen, by_run_which_has_applied_the_rules) {
    write("etc/anympi/config.toml", "forbid = ['openmpi']");
    set("ANYMPI_MPI", openmpi_);
    set("ANYMPI_JOB_LIBRARY", "Open MPI");
    EXPECT_EQ(choice_of(), openmpi_);
    unsetenv("ANYMPI_MPI");
    EXPECT_EQ(choice_of(), mpich_);
}

// No MPI at all

class lack_of_mpi : public fake_machine {
protected:
    void expect_advice(const std::string& release, const std::string& command) const {
        write("etc/os-release", release);
        const std::string root = geteuid() == 0 || command.starts_with("pip") ? "" : "sudo ";
        EXPECT_EQ(command_to_install(machine()).text, root + command);
    }
};

TEST_F(lack_of_mpi, is_answered_with_the_command_of_the_distribution) {
    EXPECT_STREQ(command_to_install(machine()).text, "pip install mpich");
    expect_advice("PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n", "apt install mpich");
    expect_advice("NAME=\"Linux Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "apt install mpich");
    expect_advice("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "dnf install mpich");
    expect_advice("ID=fedora\n", "dnf install mpich");
    expect_advice("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", "zypper install mpich");
    expect_advice("ID=arch\n", "pacman -S openmpi");
    expect_advice("ID=nixos\nID_LIKE=\"\"\n", "pip install mpich");
    expect_advice("ID=architect\n", "pip install mpich");
    expect_advice("", "pip install mpich");
}

TEST_F(lack_of_mpi, is_told_alike_whatever_was_asked_for) {
    write("etc/os-release", "ID=debian\n");
    install("usr/lib/libmpi_abi.so.1", "front");
    const std::string message =
        "^anympi: no MPI library was found on [^\n]*\nanympi: install one: `(sudo )?apt install "
        "mpich`; or load its module, or name its folder: ANYMPI_MPI=/[^\n]*\n$";
    EXPECT_EXIT(choose(machine()), testing::ExitedWithCode(1), message);
    set("ANYMPI_MPI", "openmpi-5");
    EXPECT_EXIT(choose(machine()), testing::ExitedWithCode(1), message);
    EXPECT_EXIT(choose_requested({"mpich", "--mpi mpich"}, machine()), testing::ExitedWithCode(1), message);
}

} // namespace
} // namespace anympi::runtime
