#include "runtime/launcher.hpp"

#include "runtime/message.hpp"

#include <cerrno>
#include <cstring>

namespace anympi::runtime {
namespace {

bool is_of_openmpi(const launch& start) {
    return start.kind == launcher_kind::openmpi || start.kind == launcher_kind::prrte;
}

bool is_of_slurm(const launch& start) {
    return start.kind == launcher_kind::slurm || start.kind == launcher_kind::slurm_pmi ||
           start.kind == launcher_kind::slurm_pmix;
}

// MPICH from 4.3 on sees the variables of PMIx and gives up, where older ones run alone. Measured: 4.3.2 and 5.0.2
// abort under orterun 4.1 and prterun 5, also as a single process; 3.4.3, 4.0.2, 4.1.3 and Intel MPI 2021.19 run alone.
bool fails_in_init(const library& mpi, const launch& start) {
    return is_of_openmpi(start) && std::strcmp(mpi.product, "MPICH") == 0 && is_at_least(mpi, 4, 3) &&
           !mpi.speaks_pmix && !setting("PMI_FD") && !setting("PMI_PORT");
}

// Open MPI takes part by PMIx, or up to version 4 and inside Slurm by Slurm's PMI; hydra offers neither. Other
// libraries are judged by the result: an MPICH, for one, may have been built for PMIx.
bool is_known_to_run_alone(const library& mpi, const launch& start) {
    const bool is_hydra = start.kind == launcher_kind::hydra || start.kind == launcher_kind::intel;
    return mpi.lineage == family::openmpi && is_hydra && start.size > 1 && !setting("PMIX_NAMESPACE") &&
           !setting("SLURM_JOBID");
}

// The end of the sentence "start it with … -n 4 ./program": what would fit this launcher instead.
bounded_text<256> other_ways(const library& mpi, const launch& start) {
    bounded_text<256> ways;
    const bool serves_others = start.serves != family::unknown && start.serves != mpi.lineage;
    if (serves_others && start.serves == family::openmpi)
        ways.append(", or choose Open MPI: `ANYMPI_MPI=openmpi`");
    else if (serves_others && start.kind == launcher_kind::intel)
        ways.append(", or choose Intel MPI: `ANYMPI_MPI=intel`");
    else if (serves_others)
        ways.append(", or choose MPICH: `ANYMPI_MPI=mpich`");
    else if (is_of_slurm(start))
        ways.append(", or let srun offer what this MPI was built for: `srun --mpi=pmix` or `srun --mpi=pmi2`");
    return ways;
}

bounded_text<128> how_started(const launch& start) {
    bounded_text<128> how;
    if (start.size > 0)
        how.append("is rank %d of %d of %s", start.rank, start.size, start.called);
    else
        how.append("was started by %s", start.called);
    return how;
}

[[noreturn]] void stop_for_launcher(const library& mpi, const launch& start, const char* consequence, const char* end) {
    stop_job("this process %s, but the MPI chosen is %s%s\n"
             "start it with `anympi run --mpi %s -n %d %s`%s.%s",
             how_started(start).text, describe(mpi).text, consequence, name_of(mpi), start.size > 0 ? start.size : 1,
             program_invocation_name, other_ways(mpi, start).text, end);
}

[[noreturn]] void stop_singletons(const library& mpi, const launch& start) {
    // Launcher and library of one family: only the library's own choice at its build can be the cause.
    const bool should_fit = start.serves != family::unknown && start.serves == mpi.lineage;
    bounded_text<160> consequence;
    consequence.append("%s: %d separate jobs would run.",
                       should_fit ? ", which did not join the others (built for another process manager?)" : "",
                       start.size);
    stop_for_launcher(mpi, start, consequence.text, " (ANYMPI_ALLOW_SINGLETON=1 goes on.)");
}

} // namespace

void check_before_init(const library& mpi, const launch& start) {
    if (enabled("ANYMPI_ALLOW_SINGLETON"))
        return;
    if (fails_in_init(mpi, start))
        stop_for_launcher(mpi, start, ", whose MPI_Init fails under it.", "");
    if (is_known_to_run_alone(mpi, start))
        stop_singletons(mpi, start);
}

void check_after_init(const library& mpi, const launch& start, int world_size, bool has_parent) {
    const bool runs_alone = start.size > 1 && world_size == 1 && !has_parent;
    if (runs_alone && !enabled("ANYMPI_ALLOW_SINGLETON"))
        stop_singletons(mpi, start);
}

} // namespace anympi::runtime
