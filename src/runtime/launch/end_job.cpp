#include "runtime/launch/end_job.hpp"

#include "runtime/environment.hpp"

#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace anympi::runtime {
namespace {

// Waits at most two seconds until the launcher has read the message. MPICH's launcher kills the job as soon as a signal
// has ended a process; a message that is still in the pipe is then lost. If another process has just been forked and
// does not have its own session yet, the launcher kills its own proxy, which loses all unread messages.
void wait_until_message_is_read() {
    const bool is_pipe = fcntl(STDERR_FILENO, F_GETPIPE_SZ) > 0;
    if (!is_pipe)
        return;
    const timespec millisecond{0, 1'000'000};
    int unread = 0;
    for (int waits = 0; waits < 2000 && ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread > 0; waits++)
        nanosleep(&millisecond, nullptr);
}

// Ends the process by SIGABRT, because the launcher then ends the job, but without a core file.
[[noreturn]] void end_by_signal() {
    wait_until_message_is_read();
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    prctl(PR_SET_DUMPABLE, 0); // a program that collects core files (systemd-coredump) ignores the limit
    std::abort();
}

// Cancels the step of srun, because srun lets the other processes of a step continue, however one of them ends.
void cancel_step() {
    const char* const job = read_variable("SLURM_JOB_ID");
    const char* const step = read_variable("SLURM_STEP_ID");
    if (!job || !step)
        return;
    bounded_text<64> name;
    name.append("%s.%s", job, step);
    unsetenv("LD_PRELOAD"); // it was meant for the program only
    unsetenv("LD_LIBRARY_PATH");
    const char* const words[] = {"scancel", "--quiet", name.text, nullptr};
    pid_t child = 0;
    if (posix_spawnp(&child, words[0], nullptr, nullptr, const_cast<char**>(words), environ) == 0)
        waitpid(child, nullptr, 0);
}

} // namespace

void end_job(const launch& start) {
    if (start.size > 1 && is_srun(start.kind))
        cancel_step();
    if (start.size > 1 && waits_for_ended_processes(start.kind))
        end_by_signal();
    std::_Exit(1);
}

} // namespace anympi::runtime
