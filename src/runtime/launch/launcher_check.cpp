#include "runtime/launch/launcher.hpp"

#include "runtime/message.hpp"

#include <cerrno>

namespace anympi::runtime {
namespace {

bool fails_in_init(const library& mpi, const launch& start) {
    return mpi.fails_under_pmix && start.offers == wire_up::pmix && !read_variable("PMI_FD") &&
           !read_variable("PMI_PORT");
}

// Returns true if each process is known to run as a single process. Libraries that do not need PMIx are checked after
// MPI_Init instead. Inside an allocation of Slurm, some libraries can use Slurm's own interface, whichever launcher
// starts them.
bool is_known_to_run_alone(const library& mpi, const launch& start) {
    return mpi.needs_pmix && start.offers == wire_up::pmi && start.size > 1 && !read_variable("PMIX_NAMESPACE") &&
           !is_in_slurm_allocation();
}

// Returns true if each process may run as a single process. A launcher of another family starts a library as one job
// only if both support PMIx.
bool may_run_alone(const library& mpi, const launch& start) {
    const bool is_of_other_family =
        start.serves != family::unknown && mpi.lineage != family::unknown && start.serves != mpi.lineage;
    return start.size > 1 && is_of_other_family && !(start.offers == wire_up::pmix && mpi.speaks_pmix);
}

// Returns the end of the sentence "start it with … -n 4 ./program": libraries that would fit this launcher.
bounded_text<256> other_ways(const library& mpi, const launch& start) {
    bounded_text<256> ways;
    const bool serves_others = start.serves != family::unknown && start.serves != mpi.lineage;
    const known_product* const its_own = find_product(start.product);
    if (serves_others && its_own)
        ways.append(", or choose %s: `ANYMPI_MPI=%s`", its_own->product, its_own->name);
    else
        ways.append("%s", start.advice);
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
    stop("this process %s, but the MPI chosen is %s%s\n"
         "start it with `anympi run --mpi %s -n %d %s`%s.%s",
         how_started(start).text, describe(mpi).text, consequence, name_of(mpi), start.size > 0 ? start.size : 1,
         program_invocation_name, other_ways(mpi, start).text, end);
}

[[noreturn]] void stop_singletons(const library& mpi, const launch& start) {
    // Launcher and library are of one family, so the cause can only be how the library was built.
    const bool should_fit = start.serves != family::unknown && start.serves == mpi.lineage;
    bounded_text<160> consequence;
    consequence.append("%s: %d separate jobs would run.",
                       should_fit ? ", which did not join the others (built for another process manager?)" : "",
                       start.size);
    stop_for_launcher(mpi, start, consequence.text, " (ANYMPI_ALLOW_SINGLETON=1 allows that.)");
}

} // namespace

void check_before_init(const library& mpi, const launch& start) {
    if (is_on("ANYMPI_ALLOW_SINGLETON"))
        return;
    if (fails_in_init(mpi, start))
        stop_for_launcher(mpi, start, ", whose MPI_Init fails under it.", "");
    if (is_known_to_run_alone(mpi, start))
        stop_singletons(mpi, start);
}

void check_before_stepping_aside(const library& mpi, const launch& start) {
    check_before_init(mpi, start);
    if (may_run_alone(mpi, start) && !is_on("ANYMPI_ALLOW_SINGLETON"))
        stop_singletons(mpi, start);
}

void check_after_init(const library& mpi, const launch& start, int world_size, bool has_parent) {
    const bool runs_alone = start.size > 1 && world_size == 1 && !has_parent;
    if (runs_alone && !is_on("ANYMPI_ALLOW_SINGLETON"))
        stop_singletons(mpi, start);
}

} // namespace anympi::runtime
