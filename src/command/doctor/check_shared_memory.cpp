#include "command/cli/files.hpp"
#include "command/cli/this_machine.hpp"
#include "command/doctor/checks.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <sys/statvfs.h>
#include <unistd.h>

namespace anympi::command {
namespace {

constexpr char memory_check[] = "shared_memory";
constexpr unsigned long long mebibyte = 1ULL << 20;
// MPICH and Open MPI take about ten MiB for each process. If /dev/shm is full, processes end by SIGBUS, without a
// message.
constexpr unsigned long long least_free = 128 * mebibyte;

} // namespace

finding check_shared_memory() {
    const std::string folder = std::string(this_machine().root) + "/dev/shm";
    struct statvfs status = {};
    if (statvfs(folder.c_str(), &status) != 0)
        return {level::problem, memory_check, fmt::format("{} cannot be used: {}", folder, std::strerror(errno)),
                "mount it: `mount -t tmpfs tmpfs /dev/shm`"};
    if (!is_folder(folder))
        return {level::problem, memory_check, fmt::format("{} is not a folder", folder),
                "remove it, and mount: `mount -t tmpfs tmpfs /dev/shm`"};
    if (access(folder.c_str(), W_OK) != 0)
        return {level::problem, memory_check, fmt::format("{} cannot be written to: {}", folder, std::strerror(errno)),
                "give it back its mode: `chmod 1777 /dev/shm`"};
    const auto free = static_cast<unsigned long long>(status.f_bavail) * status.f_frsize;
    const auto size = static_cast<unsigned long long>(status.f_blocks) * status.f_frsize;
    if (free < least_free)
        return {level::warning, memory_check,
                fmt::format("{} has {} of {} MiB free: jobs of several processes end by a bus error when it is full",
                            folder, free / mebibyte, size / mebibyte),
                "make it larger (`mount -o remount,size=2g /dev/shm`; containers: `--shm-size=2g`), or remove what "
                "crashed jobs have left there"};
    return {level::good, memory_check,
            fmt::format("{} has {} of {} MiB free", folder, free / mebibyte, size / mebibyte)};
}

} // namespace anympi::command
