#include "runtime/launch/launcher.hpp"

#include "runtime/environment.hpp"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace anympi::runtime {
namespace {

// The variables in which a launcher passes a process its place in the job; "" if the launcher does not set such a
// variable.
struct place_variables {
    const char* rank;
    const char* size;
    const char* local_rank;
    const char* local_size = ""; // the number of processes on this host
    const char* hosts = "";      // the number of hosts
};

struct signature {
    launcher_kind kind;
    family serves;
    wire_up offers;
    const char* product;
    const char* mark; // a variable that this launcher sets
    const char* also; // a second variable, if one is not enough
    place_variables place;
    const char* called;
    const char* advice = "";
};

constexpr place_variables told_by_hydra{"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"};
constexpr place_variables told_by_openmpi{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
                                          "OMPI_COMM_WORLD_LOCAL_SIZE"};
constexpr place_variables told_by_srun{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "",
                                       "SLURM_STEP_NUM_NODES"};
constexpr place_variables told_by_mvapich{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK",
                                          "MV2_COMM_WORLD_LOCAL_SIZE"};
constexpr place_variables told_by_jsrun{"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_LOCAL_RANK",
                                        "JSM_NAMESPACE_LOCAL_SIZE"};
constexpr place_variables told_by_pals{"PALS_RANKID", "PMI_SIZE", "PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"};
constexpr place_variables told_by_flux{"FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID", "", "FLUX_JOB_NNODES"};
constexpr place_variables told_by_pmi{"PMI_RANK", "PMI_SIZE", ""};
constexpr place_variables told_by_pmix{"PMIX_RANK", "", ""};

constexpr char srun_advice[] =
    ", or let srun offer what this MPI was built for: `srun --mpi=pmix` or `srun --mpi=pmi2`";
constexpr char advice_under_pmi[] = ", or let srun offer PMIx: `srun --mpi=pmix`";
constexpr char advice_under_pmix[] = ", or let srun offer PMI: `srun --mpi=pmi2`";

// The first matching signature counts. Launchers of MPIs come before the batch systems in which they may run, because
// their processes inherit variables of the batch system that describe the daemons or the allocation. The marks of hydra
// are variables that it sets on every host; HYDI_CONTROL_FD, for example, exists only on the host of mpiexec.
constexpr signature signatures[] = {
    {launcher_kind::intel, family::mpich, wire_up::pmi, "intel", "I_MPI_HYDRA_UUID", "PMI_SIZE", told_by_hydra,
     "Intel MPI's mpiexec"},
    {launcher_kind::hydra, family::mpich, wire_up::pmi, "mpich", "MPI_LOCALNRANKS", "PMI_RANK", told_by_hydra,
     "MPICH's mpiexec"},
    {launcher_kind::mvapich, family::mpich, wire_up::unknown, "mvapich", "MV2_COMM_WORLD_SIZE", "", told_by_mvapich,
     "MVAPICH's mpirun_rsh"},
    {launcher_kind::prrte, family::openmpi, wire_up::pmix, "openmpi", "PRTE_LAUNCHED", "OMPI_COMM_WORLD_SIZE",
     told_by_openmpi, "Open MPI's mpirun"},
    // Before Open MPI's launchers, because jsrun also sets their variables.
    {launcher_kind::jsrun, family::unknown, wire_up::pmix, "", "JSM_NAMESPACE_SIZE", "", told_by_jsrun, "LSF's jsrun"},
    {launcher_kind::openmpi, family::openmpi, wire_up::pmix, "openmpi", "OMPI_COMM_WORLD_SIZE", "", told_by_openmpi,
     "Open MPI's mpirun"},
    {launcher_kind::prrte, family::unknown, wire_up::pmix, "", "PRTE_LAUNCHED", "", told_by_pmix, "PRRTE's prterun"},
    {launcher_kind::slurm_pmix, family::unknown, wire_up::pmix, "", "SLURM_STEP_NUM_TASKS", "PMIX_RANK", told_by_srun,
     "Slurm's srun", advice_under_pmix},
    {launcher_kind::slurm_pmi, family::unknown, wire_up::pmi, "", "SLURM_STEP_NUM_TASKS", "PMI_FD", told_by_srun,
     "Slurm's srun", advice_under_pmi},
    {launcher_kind::slurm, family::unknown, wire_up::unknown, "", "SLURM_STEP_NUM_TASKS", "", told_by_srun,
     "Slurm's srun", srun_advice},
    {launcher_kind::flux, family::unknown, wire_up::unknown, "", "FLUX_TASK_RANK", "", told_by_flux, "Flux"},
    {launcher_kind::pals, family::unknown, wire_up::unknown, "", "PALS_RANKID", "", told_by_pals, "PALS"},
    {launcher_kind::other_pmi, family::unknown, wire_up::unknown, "", "PMI_SIZE", "PMI_RANK", told_by_pmi,
     "the launcher"},
    {launcher_kind::other_pmix, family::unknown, wire_up::unknown, "", "PMIX_NAMESPACE", "", told_by_pmix,
     "the launcher"},
};

// Executables that can be the parent of a process of a job. Many families have launchers called mpiexec and mpirun, so
// these names are not listed.
constexpr launcher_program launcher_programs[] = {
    {"hydra_pmi_proxy", family::mpich}, {"mpiexec.hydra", family::mpich},     {"mpiexec.gforker", family::mpich},
    {"mpispawn", family::mpich},        {"mpirun_rsh", family::mpich},        {"orterun", family::openmpi},
    {"orted", family::openmpi},         {"orterun_wrapper", family::openmpi}, {"prterun", family::openmpi},
    {"prte", family::openmpi},          {"prted", family::openmpi},           {"mpiexec", family::unknown},
    {"mpirun", family::unknown},
};

// Returns true if srun has started this process. In a batch script Slurm also sets the variables of a step of N tasks,
// although a program that is started there without srun is a single process. Such steps have numbers at the upper end
// of 32 bits.
bool is_slurm_step_of_srun() {
    const char* step = read_variable("SLURM_STEP_ID");
    std::uint32_t id = UINT32_MAX;
    if (step)
        std::from_chars(step, step + std::strlen(step), id);
    return id < 0xfffffff0u;
}

bool fits(const signature& known) {
    if (!read_variable(known.mark) || (*known.also && !read_variable(known.also)))
        return false;
    return !is_srun(known.kind) || is_slurm_step_of_srun();
}

launch describe(const signature& known) {
    launch start;
    start.kind = known.kind;
    start.serves = known.serves;
    start.offers = known.offers;
    start.product = known.product;
    start.called = known.called;
    start.advice = known.advice;
    start.rank = read_number(known.place.rank);
    start.size = read_number(known.place.size);
    start.local_rank = read_number(known.place.local_rank);
    const int local_size = read_number(known.place.local_size);
    start.spans_hosts = (local_size > 0 && start.size > local_size) || read_number(known.place.hosts) > 1;
    return start;
}

void set_number(const char* variable, int value) {
    bounded_text<16> digits;
    digits.append("%d", value);
    if (value >= 0)
        setenv(variable, digits.text, 1);
}

const signature* first_that_fits(family serves) {
    for (const signature& known : signatures)
        if ((serves == family::unknown || known.serves == serves) && fits(known))
            return &known;
    return nullptr;
}

// Returns the parent of a process: the fourth field of its stat file on Linux. The second field, the name in
// parentheses, may contain spaces and parentheses.
int parent_of(const machine& machine, int process) {
    path_text file;
    file.append("%s/proc/%d/stat", machine.root, process);
    const int descriptor = open(file.text, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    char status[512];
    const ssize_t length = read(descriptor, status, sizeof status - 1);
    close(descriptor);
    if (length <= 0)
        return -1;
    status[length] = '\0';
    int parent = -1;
    const char* name_end = std::strrchr(status, ')');
    if (name_end && status + length - name_end > 4) // ") S 123"
        std::from_chars(name_end + 4, status + length, parent);
    return parent;
}

} // namespace

bool is_srun(launcher_kind kind) {
    switch (kind) {
    case launcher_kind::slurm:
    case launcher_kind::slurm_pmi:
    case launcher_kind::slurm_pmix:
        return true;
    default:
        return false;
    }
}

bool is_batch_system(launcher_kind kind) {
    return is_srun(kind) || kind == launcher_kind::flux || kind == launcher_kind::pals || kind == launcher_kind::jsrun;
}

bool waits_for_ended_processes(launcher_kind kind) {
    return kind == launcher_kind::hydra || kind == launcher_kind::intel;
}

bool is_in_slurm_allocation() {
    return read_variable("SLURM_JOB_ID") != nullptr;
}

const launcher_program* find_launcher_program(const char* path) {
    const char* slash = std::strrchr(path, '/');
    const char* name = slash ? slash + 1 : path;
    for (const launcher_program& program : launcher_programs)
        if (std::strcmp(name, program.name) == 0)
            return &program;
    return nullptr;
}

launch detect_launcher(const machine& machine) {
    const signature* known = first_that_fits(family::unknown);
    if (!known)
        return {};
    if (known->serves == family::mpich && first_that_fits(family::openmpi)) {
        launch nearest;
        if (locate_launcher(machine, nearest) && nearest.serves != family::unknown)
            known = first_that_fits(nearest.serves);
    }
    return describe(*known);
}

void set_launcher_variables(family programs, const launch& start) {
    if (start.serves == family::unknown || start.serves == programs)
        return;
    for (const signature& known : signatures)
        if (known.serves == programs) {
            set_number(known.place.rank, start.rank);
            set_number(known.place.size, start.size);
            set_number(known.place.local_rank, start.local_rank);
            return;
        }
}

bool locate_launcher(const machine& machine, launch& start) {
    constexpr int most_generations = 6; // leaves room for a shell, a profiler and a debugger in between
    int process = getppid();
    for (int generation = 0; generation < most_generations && process > 1; generation++) {
        path_text link;
        link.append("%s/proc/%d/exe", machine.root, process);
        const ssize_t length = readlink(link.text, start.executable, sizeof start.executable - 1);
        start.executable[length < 0 ? 0 : length] = '\0';
        if (const launcher_program* program = find_launcher_program(start.executable)) {
            if (program->serves != family::unknown)
                start.serves = program->serves;
            return true;
        }
        process = parent_of(machine, process);
    }
    start.executable[0] = '\0';
    return false;
}

} // namespace anympi::runtime
