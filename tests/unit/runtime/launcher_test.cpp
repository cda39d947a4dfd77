#include "runtime/launch/launcher.hpp"

#include "fake_machine.hpp"
#include "runtime/identify/identify.hpp"

#include <csignal>
#include <cstdlib>
#include <map>
#include <sys/prctl.h>

namespace anympi::runtime {
namespace {

using variable_map = std::map<std::string, std::string>;

// Measured with `env` under each launcher (Slurm and Flux: from their documentation).
const variable_map hydra_variables = {{"PMI_RANK", "2"},        {"PMI_SIZE", "4"},        {"PMI_FD", "6"},
                                      {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "4"}, {"HYDI_CONTROL_FD", "7"}};
// On hosts other than mpiexec's; inside Slurm, where srun starts hydra's daemons, on all hosts.
const variable_map distant_hydra_variables = {{"PMI_RANK", "2"},        {"PMI_SIZE", "4"},
                                              {"PMI_FD", "5"},          {"MPI_LOCALRANKID", "0"},
                                              {"MPI_LOCALNRANKS", "2"}, {"PMI_HOSTNAME", "nb"}};
const variable_map intel_variables = {{"PMI_RANK", "2"},        {"PMI_SIZE", "4"},        {"PMI_FD", "6"},
                                      {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "4"}, {"I_MPI_HYDRA_UUID", "b0e7"}};
const variable_map gforker_variables = {{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}, {"PMI_FD", "8"}, {"MPI_APPNUM", "0"}};
const variable_map mvapich_variables = {
    {"MV2_COMM_WORLD_RANK", "2"}, {"MV2_COMM_WORLD_SIZE", "4"}, {"MV2_COMM_WORLD_LOCAL_RANK", "1"}};
const variable_map openmpi_4_variables = {{"OMPI_COMM_WORLD_RANK", "2"},
                                          {"OMPI_COMM_WORLD_SIZE", "4"},
                                          {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                          {"PMIX_RANK", "2"},
                                          {"PMIX_NAMESPACE", "1231224833"}};
const variable_map openmpi_5_variables = {{"OMPI_COMM_WORLD_RANK", "2"},           {"OMPI_COMM_WORLD_SIZE", "4"},
                                          {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},     {"PMIX_RANK", "2"},
                                          {"PMIX_NAMESPACE", "prterun-vm-9746@1"}, {"PRTE_LAUNCHED", "1"}};
const variable_map prterun_variables = {
    {"PMIX_RANK", "2"}, {"PMIX_NAMESPACE", "prterun-vm-9746@1"}, {"PRTE_LAUNCHED", "1"}};
const variable_map srun_variables = {{"SLURM_PROCID", "2"},  {"SLURM_NTASKS", "4"},  {"SLURM_STEP_NUM_TASKS", "4"},
                                     {"SLURM_STEP_ID", "0"}, {"SLURM_LOCALID", "1"}, {"SLURM_JOB_ID", "17"}};
const variable_map flux_variables = {{"FLUX_TASK_RANK", "2"}, {"FLUX_JOB_SIZE", "4"}, {"FLUX_TASK_LOCAL_ID", "1"},
                                     {"PMI_FD", "5"},         {"PMI_RANK", "2"},      {"PMI_SIZE", "4"}};

// From the documentation; no installation of Flux, PALS and the rest of this list was available.
const variable_map pals_variables = {{"PALS_RANKID", "2"},       {"PALS_LOCAL_RANKID", "1"}, {"PALS_NODEID", "0"},
                                     {"PMI_RANK", "2"},          {"PMI_SIZE", "4"},          {"PMI_LOCAL_RANK", "1"},
                                     {"PMI_CONTROL_PORT", "10"}, {"PBS_JOBID", "17.head"}};
const variable_map jsrun_variables = {{"JSM_NAMESPACE_RANK", "2"},
                                      {"JSM_NAMESPACE_SIZE", "4"},
                                      {"JSM_NAMESPACE_LOCAL_RANK", "1"},
                                      {"JSM_NAMESPACE_LOCAL_SIZE", "2"},
                                      {"OMPI_COMM_WORLD_RANK", "2"},
                                      {"OMPI_COMM_WORLD_SIZE", "4"},
                                      {"PMIX_RANK", "2"},
                                      {"PMIX_NAMESPACE", "1"},
                                      {"LSB_JOBID", "17"}};
const variable_map pbs_variables = {{"PBS_JOBID", "17.head"},
                                    {"PBS_NODEFILE", "/var/spool/pbs/aux/17.head"},
                                    {"PBS_TASKNUM", "1"},
                                    {"PBS_NODENUM", "0"},
                                    {"PBS_ENVIRONMENT", "PBS_BATCH"}};
const variable_map lsf_variables = {{"LSB_JOBID", "17"}, {"LSB_DJOB_NUMPROC", "4"}, {"LSB_MCPU_HOSTS", "na 2 nb 2"}};

class launcher : public fake_machine {
protected:
    static void set_all(const variable_map& variables) {
        for (const auto& [name, value] : variables)
            set(name.c_str(), value);
    }

    void expect(launcher_kind kind, family serves, int rank, int size, int local_rank) const {
        const launch start = detect_launcher(machine());
        EXPECT_EQ(start.kind, kind);
        EXPECT_EQ(start.serves, serves);
        EXPECT_EQ(start.rank, rank);
        EXPECT_EQ(start.size, size);
        EXPECT_EQ(start.local_rank, local_rank);
    }

    static library identified(const std::string& name) {
        library mpi;
        EXPECT_EQ(identify(dummy(name).c_str(), mpi), identification::mpi);
        return mpi;
    }

    // Checks that check_before_init accepts this library.
    void goes_on_before_init(const std::string& name) const {
        check_before_init(identified(name), detect_launcher(machine()));
    }
};

TEST_F(launcher, none) {
    expect(launcher_kind::none, family::unknown, -1, -1, -1);
}

TEST_F(launcher, hydra) {
    set_all(hydra_variables);
    expect(launcher_kind::hydra, family::mpich, 2, 4, 1);
}

TEST_F(launcher, hydra_on_another_host) {
    set_all(distant_hydra_variables);
    expect(launcher_kind::hydra, family::mpich, 2, 4, 0);
    set_launcher_variables(family::openmpi, detect_launcher(machine()));
    EXPECT_STREQ(getenv("OMPI_COMM_WORLD_LOCAL_RANK"), "0");
}

TEST_F(launcher, intel) {
    set_all(intel_variables);
    expect(launcher_kind::intel, family::mpich, 2, 4, 1);
}

TEST_F(launcher, gforker) {
    set_all(gforker_variables);
    expect(launcher_kind::other_pmi, family::unknown, 2, 4, -1);
}

TEST_F(launcher, mvapich) {
    set_all(mvapich_variables);
    expect(launcher_kind::mvapich, family::mpich, 2, 4, 1);
}

TEST_F(launcher, openmpi) {
    set_all(openmpi_4_variables);
    expect(launcher_kind::openmpi, family::openmpi, 2, 4, 1);
}

TEST_F(launcher, prrte_of_openmpi) {
    set_all(openmpi_5_variables);
    expect(launcher_kind::prrte, family::openmpi, 2, 4, 1);
}

TEST_F(launcher, prrte_of_its_own) {
    set_all(prterun_variables);
    expect(launcher_kind::prrte, family::unknown, 2, -1, -1);
}

TEST_F(launcher, slurm_by_what_it_offers) {
    set_all(srun_variables);
    expect(launcher_kind::slurm, family::unknown, 2, 4, 1);
    set("PMI_FD", "3");
    expect(launcher_kind::slurm_pmi, family::unknown, 2, 4, 1);
    set("PMIX_RANK", "2");
    expect(launcher_kind::slurm_pmix, family::unknown, 2, 4, 1);
}

TEST_F(launcher, not_slurm_in_a_batch_script_or_an_interactive_step) {
    set_all(srun_variables);
    set("SLURM_STEP_ID", "4294967291");
    expect(launcher_kind::none, family::unknown, -1, -1, -1);
    set("SLURM_STEP_ID", "4294967290");
    expect(launcher_kind::none, family::unknown, -1, -1, -1);
    unsetenv("SLURM_STEP_ID");
    expect(launcher_kind::none, family::unknown, -1, -1, -1);
}

TEST_F(launcher, of_an_mpi_inside_slurm) {
    set_all(srun_variables);
    set_all(distant_hydra_variables);
    expect(launcher_kind::hydra, family::mpich, 2, 4, 0);
    clearenv();
    set_all(srun_variables);
    set_all(openmpi_4_variables);
    expect(launcher_kind::openmpi, family::openmpi, 2, 4, 1);
}

TEST_F(launcher, knows_whether_there_are_other_hosts) {
    set_all(hydra_variables);
    EXPECT_FALSE(detect_launcher(machine()).spans_hosts);
    set_all(distant_hydra_variables);
    EXPECT_TRUE(detect_launcher(machine()).spans_hosts);
    clearenv();
    set_all(openmpi_4_variables); // these variables lack the number of processes on this host
    EXPECT_FALSE(detect_launcher(machine()).spans_hosts);
    set("OMPI_COMM_WORLD_LOCAL_SIZE", "2");
    EXPECT_TRUE(detect_launcher(machine()).spans_hosts);
    clearenv();
    set_all(srun_variables);
    set("SLURM_STEP_NUM_NODES", "1");
    EXPECT_FALSE(detect_launcher(machine()).spans_hosts);
    set("SLURM_STEP_NUM_NODES", "2");
    EXPECT_TRUE(detect_launcher(machine()).spans_hosts);
}

TEST_F(launcher, flux) {
    set_all(flux_variables);
    expect(launcher_kind::flux, family::unknown, 2, 4, 1);
}

TEST_F(launcher, pals) {
    set_all(pals_variables);
    expect(launcher_kind::pals, family::unknown, 2, 4, 1);
    EXPECT_TRUE(is_batch_system(launcher_kind::pals));
}

TEST_F(launcher, jsrun) {
    set_all(jsrun_variables);
    expect(launcher_kind::jsrun, family::unknown, 2, 4, 1);
    EXPECT_TRUE(is_batch_system(launcher_kind::jsrun));
}

TEST_F(launcher, batch_systems_that_start_no_processes_are_none) {
    for (const variable_map& variables : {pbs_variables, lsf_variables}) {
        clearenv();
        set_all(variables);
        expect(launcher_kind::none, family::unknown, -1, -1, -1);
        set_all(distant_hydra_variables);
        expect(launcher_kind::hydra, family::mpich, 2, 4, 0);
    }
}

TEST_F(launcher, that_offers_pmi_and_pmix) {
    set("PMI_RANK", "0");
    set("PMI_SIZE", "2");
    set("PMI_FD", "5");
    set("PMIX_NAMESPACE", "job@1");
    set("PMIX_RANK", "0");
    expect(launcher_kind::other_pmi, family::unknown, 0, 2, -1);
    for (const char* mpi : {"mpich_4_0", "mpich_5", "openmpi_4", "openmpi_5"})
        goes_on_before_init(mpi);
}

TEST_F(launcher, numbers_that_are_none) {
    set_all(hydra_variables);
    set("PMI_RANK", "-3");
    set("PMI_SIZE", "4x");
    set("MPI_LOCALRANKID", "99999999999999999999");
    expect(launcher_kind::hydra, family::mpich, -1, -1, -1);
}

TEST_F(launcher, one_inside_the_other_by_the_nearest_parent) {
    set_all(hydra_variables);
    set_all(openmpi_5_variables);
    expect(launcher_kind::hydra, family::mpich, 2, 4, 1);
    start_by("/usr/bin/prterun");
    expect(launcher_kind::prrte, family::openmpi, 2, 4, 1);
}

TEST_F(launcher, is_found_behind_shells_and_tools) {
    const std::string parent = std::to_string(getppid());
    link("proc/" + parent + "/exe", "/usr/bin/dash");
    write("proc/" + parent + "/stat", parent + " (sh (odd) name) S 4711 1 1 0");
    link("proc/4711/exe", "/usr/bin/valgrind");
    write("proc/4711/stat", "4711 (valgrind) S 4712 1 1 0");
    link("proc/4712/exe", "/opt/mpich/bin/hydra_pmi_proxy");
    launch start;
    ASSERT_TRUE(locate_launcher(machine(), start));
    EXPECT_STREQ(start.executable, "/opt/mpich/bin/hydra_pmi_proxy");
    EXPECT_EQ(start.serves, family::mpich);
}

TEST_F(launcher, is_not_found_where_processes_are_hidden) {
    launch start;
    EXPECT_FALSE(locate_launcher(machine(), start));
    EXPECT_STREQ(start.executable, "");
}

TEST_F(launcher, is_not_sought_for_ever) {
    const std::string parent = std::to_string(getppid());
    link("proc/" + parent + "/exe", "/usr/bin/dash");
    write("proc/" + parent + "/stat", parent + " (sh) S " + parent + " 1 1 0");
    launch start;
    EXPECT_FALSE(locate_launcher(machine(), start));
}

// Variables that programs read before MPI_Init.

TEST_F(launcher, speaks_as_that_of_another_family) {
    set_all(hydra_variables);
    set("OMPI_COMM_WORLD_RANK", "7"); // in an outer job
    set_launcher_variables(family::openmpi, detect_launcher(machine()));
    EXPECT_STREQ(getenv("OMPI_COMM_WORLD_RANK"), "2");
    EXPECT_STREQ(getenv("OMPI_COMM_WORLD_SIZE"), "4");
    EXPECT_STREQ(getenv("OMPI_COMM_WORLD_LOCAL_RANK"), "1");
    expect(launcher_kind::hydra, family::mpich, 2, 4, 1);
}

TEST_F(launcher, speaks_as_that_of_mpich) {
    set_all(openmpi_5_variables);
    set_launcher_variables(family::mpich, detect_launcher(machine()));
    EXPECT_STREQ(getenv("PMI_RANK"), "2");
    EXPECT_STREQ(getenv("PMI_SIZE"), "4");
    EXPECT_STREQ(getenv("MPI_LOCALRANKID"), "1");
    expect(launcher_kind::prrte, family::openmpi, 2, 4, 1);
}

TEST_F(launcher, speaks_for_itself_otherwise) {
    set_all(hydra_variables);
    set("PMI_RANK", "x");
    set_launcher_variables(family::mpich, detect_launcher(machine()));
    EXPECT_STREQ(getenv("PMI_RANK"), "x");
    // a value that is not a number is not passed on
    set_launcher_variables(family::openmpi, detect_launcher(machine()));
    EXPECT_EQ(getenv("OMPI_COMM_WORLD_RANK"), nullptr);
    clearenv();
    set_all(srun_variables);
    set_launcher_variables(family::openmpi, detect_launcher(machine()));
    EXPECT_EQ(getenv("OMPI_COMM_WORLD_RANK"), nullptr);
}

// Incompatible launcher and library. The first process of each machine prints the message.

constexpr char mpich_under_openmpi[] =
    "^anympi: this process is rank 0 of 4 of Open MPI's mpirun, but the MPI chosen is MPICH 4\\.0\\.2 "
    "\\(libmpi\\.so\\.12\\): 4 separate jobs would run\\.\n"
    "anympi: start it with `anympi run --mpi mpich -n 4 [^ ]*unit_runtime`, or choose Open MPI: "
    "`ANYMPI_MPI=openmpi`\\. "
    "\\(ANYMPI_ALLOW_SINGLETON=1 allows that\\.\\)\n$";

TEST_F(launcher, of_openmpi_with_old_mpich_is_judged_by_the_result) {
    set_all(openmpi_4_variables);
    set("OMPI_COMM_WORLD_RANK", "0");
    set("OMPI_COMM_WORLD_LOCAL_RANK", "0");
    goes_on_before_init("mpich_4_0");
    const launch start = detect_launcher(machine());
    const library mpi = identified("mpich_4_0");
    check_after_init(mpi, start, 4, false);
    check_after_init(mpi, start, 1, true);
    EXPECT_EXIT(check_after_init(mpi, start, 1, false), testing::ExitedWithCode(1), mpich_under_openmpi);
    set("ANYMPI_ALLOW_SINGLETON", "1");
    check_after_init(mpi, start, 1, false);
}

TEST_F(launcher, of_openmpi_with_new_mpich_is_known_to_fail) {
    for (const variable_map& variables : {openmpi_4_variables, openmpi_5_variables}) {
        set_all(variables);
        set("OMPI_COMM_WORLD_RANK", "0");
        set("OMPI_COMM_WORLD_LOCAL_RANK", "0");
        set("OMPI_COMM_WORLD_SIZE", "1");
        for (const char* mpi : {"mpich_4_3", "mpich_5", "standard_mpich", "draft_mpich"})
            EXPECT_EXIT(
                goes_on_before_init(mpi), testing::ExitedWithCode(1),
                "rank 0 of 1 of Open MPI's mpirun, but the MPI chosen is MPICH [^\n]*, whose MPI_Init fails under it")
                << mpi;
        goes_on_before_init("mpich_4_3_pmix");
        goes_on_before_init("intel");
        goes_on_before_init("openmpi_4");
        goes_on_before_init("standard_openmpi");
    }
}

TEST_F(launcher, of_unknown_size_is_named_without_it) {
    set_all(prterun_variables);
    set("PMIX_RANK", "0");
    EXPECT_EXIT(
        goes_on_before_init("mpich_5"), testing::ExitedWithCode(1),
        "this process was started by PRRTE's prterun, but[^\n]*\nanympi: start it with `anympi run --mpi mpich -n 1 ");
}

TEST_F(launcher, of_mpich_with_openmpi_is_known_to_run_alone) {
    set_all(hydra_variables);
    set("PMI_RANK", "0");
    set("MPI_LOCALRANKID", "0");
    for (const char* mpi : {"openmpi_4", "openmpi_5", "standard_openmpi"})
        EXPECT_EXIT(goes_on_before_init(mpi), testing::KilledBySignal(SIGABRT),
                    "of MPICH's mpiexec, but the MPI chosen is Open MPI [^\n]*: 4 separate jobs would run\\.\n"
                    "anympi: start it with `anympi run --mpi openmpi -n 4 [^\n]*or choose MPICH: `ANYMPI_MPI=mpich`");
    goes_on_before_init("mpich_4_0");
    goes_on_before_init("intel");
    goes_on_before_init("standard_mpich");
    goes_on_before_init("standard_unknown");
    set("SLURM_JOB_ID", "17"); // Open MPI 4 may have been built for Slurm's PMI
    goes_on_before_init("openmpi_4");
    unsetenv("SLURM_JOB_ID");
    set("PMI_SIZE", "1");
    goes_on_before_init("openmpi_4");
    set("PMI_SIZE", "4");
    set("ANYMPI_ALLOW_SINGLETON", "1");
    goes_on_before_init("openmpi_4");
}

// On many machines a program collects core files; it ignores the limit of their size.
TEST_F(launcher, of_mpich_gets_no_core_of_a_process_that_stops) {
    set_all(hydra_variables);
    const auto stop_with_handler = [this] {
        std::signal(SIGABRT, [](int) { std::_Exit(prctl(PR_GET_DUMPABLE) == 0 ? 7 : 8); });
        goes_on_before_init("openmpi_4");
    };
    EXPECT_EXIT(stop_with_handler(), testing::ExitedWithCode(7), "");
}

TEST_F(launcher, of_intel_suggests_intel) {
    set_all(intel_variables);
    set("PMI_RANK", "0");
    set("MPI_LOCALRANKID", "0");
    EXPECT_EXIT(goes_on_before_init("openmpi_4"), testing::KilledBySignal(SIGABRT),
                "or choose Intel MPI: `ANYMPI_MPI=intel`");
}

TEST_F(launcher, of_slurm_is_judged_by_the_result) {
    set_all(srun_variables);
    set("SLURM_PROCID", "0");
    set("SLURM_LOCALID", "0");
    goes_on_before_init("openmpi_5");
    goes_on_before_init("mpich_5");
    EXPECT_EXIT(check_after_init(identified("mpich_5"), detect_launcher(), 1, false), testing::ExitedWithCode(1),
                "of Slurm's srun, [^\n]*\n[^\n]*`srun --mpi=pmix` or `srun --mpi=pmi2`");
    set("PMI_FD", "3"); // the message must not suggest what the user has just done
    EXPECT_EXIT(check_after_init(identified("openmpi_4"), detect_launcher(), 1, false), testing::ExitedWithCode(1),
                "or let srun offer PMIx: `srun --mpi=pmix`\\.");
    set("PMIX_RANK", "0");
    EXPECT_EXIT(check_after_init(identified("mpich_4_0"), detect_launcher(), 1, false), testing::ExitedWithCode(1),
                "or let srun offer PMI: `srun --mpi=pmi2`\\.");
}

// If a program runs on its own library again, no code checks the size of its world later.
TEST_F(launcher, of_another_family_is_no_launcher_to_step_aside_under) {
    const auto steps_aside = [&](const char* mpi) {
        check_before_stepping_aside(identified(mpi), detect_launcher(machine()));
    };
    set_all(openmpi_4_variables);
    set("OMPI_COMM_WORLD_RANK", "0");
    set("OMPI_COMM_WORLD_LOCAL_RANK", "0");
    steps_aside("openmpi_4");
    steps_aside("mpich_4_3_pmix");
    EXPECT_EXIT(steps_aside("mpich_4_0"), testing::ExitedWithCode(1), mpich_under_openmpi);
    set("ANYMPI_ALLOW_SINGLETON", "1");
    steps_aside("mpich_4_0");
    clearenv();
    set_all(hydra_variables);
    set("MPI_LOCALRANKID", "0");
    set("SLURM_JOB_ID", "17");
    steps_aside("mpich_4_0");
    EXPECT_EXIT(steps_aside("openmpi_4"), testing::KilledBySignal(SIGABRT), "4 separate jobs would run");
    set("PMI_SIZE", "1");
    steps_aside("openmpi_4");
    clearenv();
    set_all(srun_variables);
    steps_aside("openmpi_4");
}

TEST_F(launcher, of_the_same_family_is_judged_by_the_result) {
    set_all(hydra_variables);
    set("PMI_RANK", "0");
    set("MPI_LOCALRANKID", "0");
    EXPECT_EXIT(check_after_init(identified("mpich_4_3_pmix"), detect_launcher(), 1, false),
                testing::KilledBySignal(SIGABRT),
                "which did not join the others \\(built for another process manager\\?\\): 4 separate jobs");
}

TEST_F(launcher, that_does_not_fit_is_reported_once_on_each_machine) {
    set_all(openmpi_4_variables);
    const launch start = detect_launcher(machine());
    const library mpi = identified("mpich_4_0");
    EXPECT_EXIT(check_after_init(mpi, start, 1, false), testing::ExitedWithCode(1), "^$");
    set("ANYMPI_VERBOSE", "1");
    EXPECT_EXIT(check_after_init(mpi, start, 1, false), testing::ExitedWithCode(1), "rank 2 of 4");
}

} // namespace
} // namespace anympi::runtime
