// Continuing after the failure of processes, with MPI libraries that have the functions of ULFM (MPIX_Comm_revoke and
// so on). Not part of anympi.hpp. Before glibc 2.34, the program is linked with -ldl.
//
// The functions are looked up at run time, because the library with which the program runs may be another one than the
// library with which the program was linked.
#ifndef ANYMPI_RESILIENCE_HPP
#define ANYMPI_RESILIENCE_HPP

#include <dlfcn.h>

#include "steps.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

/// The functions of the library for fault tolerance. All are null if the library lacks one of them.
struct FaultTolerance {
    int (*revoke)(MPI_Comm) = nullptr;
    int (*is_revoked)(MPI_Comm, int*) = nullptr;
    int (*shrink)(MPI_Comm, MPI_Comm*) = nullptr;
    int (*agree)(MPI_Comm, int*) = nullptr;
    int (*get_failed)(MPI_Comm, MPI_Group*) = nullptr;
    int (*ack_failed)(MPI_Comm, int, int*) = nullptr;

    /// Looks the functions up, once.
    static const FaultTolerance& get() noexcept {
        static const FaultTolerance found = find();
        return found;
    }

private:
    static FaultTolerance find() noexcept {
        FaultTolerance all;
        const bool found = set(all.revoke, "MPIX_Comm_revoke") && set(all.is_revoked, "MPIX_Comm_is_revoked") &&
                           set(all.shrink, "MPIX_Comm_shrink") && set(all.agree, "MPIX_Comm_agree") &&
                           set(all.get_failed, "MPIX_Comm_get_failed") && set(all.ack_failed, "MPIX_Comm_ack_failed");
        return found ? all : FaultTolerance{};
    }
    /// Sets a function of the library whose functions the program calls. Another MPI library may be loaded, too; its
    /// handles differ.
    template <class Function>
    static bool set(Function*& function, const char* name) noexcept {
        void* const found = dlsym(RTLD_DEFAULT, name);
        void* const own = dlsym(RTLD_DEFAULT, "PMPI_Comm_rank");
        Dl_info of_found{}, of_own{};
        if (!found || !own || !dladdr(found, &of_found) || !dladdr(own, &of_own) ||
            of_found.dli_fbase != of_own.dli_fbase)
            return false;
        function = reinterpret_cast<Function*>(found);
        return true;
    }
};

/// Calls one of these functions, if the library has it.
template <class... Parameters, class... Arguments>
ANYMPI_CALLS Fault tolerate(int (*function)(MPI_Comm, Parameters...), const Comm& comm, Arguments... arguments) {
    if (const Fault fault = check_usable(comm))
        return fault;
    if (!function)
        return {MPI_ERR_UNSUPPORTED_OPERATION, "the MPI library has no fault tolerance"};
    return function(comm.handle(), arguments...);
}

/// The classes of errors that libraries with fault tolerance have. MPI 5.0 has no such classes, so an mpi.h may lack
/// them.
inline bool tells_process_failure(ErrorClass found) noexcept {
#if defined(MPIX_ERR_PROC_FAILED)
    return static_cast<int>(found) == MPIX_ERR_PROC_FAILED || static_cast<int>(found) == MPIX_ERR_PROC_FAILED_PENDING;
#elif defined(MPI_ERR_PROC_FAILED)
    return static_cast<int>(found) == MPI_ERR_PROC_FAILED || static_cast<int>(found) == MPI_ERR_PROC_FAILED_PENDING;
#else
    static_cast<void>(found);
    return false;
#endif
}
inline bool tells_revocation(ErrorClass found) noexcept {
#if defined(MPIX_ERR_REVOKED)
    return static_cast<int>(found) == MPIX_ERR_REVOKED;
#elif defined(MPI_ERR_REVOKED)
    return static_cast<int>(found) == MPI_ERR_REVOKED;
#else
    static_cast<void>(found);
    return false;
#endif
}

} // namespace detail

/// Returns true if the library has all functions that this header needs. Without them, the functions below are errors
/// of the class unsupported_operation. Libraries may also need an option of their launcher to survive failures.
[[nodiscard]] inline bool has_fault_tolerance() noexcept {
    return detail::FaultTolerance::get().revoke != nullptr;
}

/// Returns true if an operation failed because a process has failed.
[[nodiscard]] inline bool is_process_failure(const Error& error) noexcept {
    return detail::tells_process_failure(error.error_class());
}
/// Returns true if an operation failed because a process has revoked the communicator.
[[nodiscard]] inline bool is_revocation(const Error& error) noexcept {
    return detail::tells_revocation(error.error_class());
}

/// Interrupts all operations on the communicator, in all processes, with an error. Afterwards only shrink, agree and
/// the questions below work. One process is enough to call this function.
inline ANYMPI_CALLS result<void> revoke(const Comm& comm) {
    ANYMPI_REQUIRE(comm.where(), "MPIX_Comm_revoke", detail::tolerate(detail::FaultTolerance::get().revoke, comm));
    return detail::done();
}
[[nodiscard]] inline ANYMPI_CALLS result<bool> is_revoked(const Comm& comm) {
    int flag = 0;
    ANYMPI_REQUIRE(comm.where(), "MPIX_Comm_is_revoked",
                   detail::tolerate(detail::FaultTolerance::get().is_revoked, comm, &flag));
    return flag != 0;
}
/// Makes a communicator of the processes that have not failed. All of them call this function.
[[nodiscard]] inline ANYMPI_CALLS result<Comm> shrink(const Comm& comm) {
    MPI_Comm made = MPI_COMM_NULL;
    ANYMPI_REQUIRE(comm.where(), "MPIX_Comm_shrink",
                   detail::tolerate(detail::FaultTolerance::get().shrink, comm, &made));
    return Comm::adopt(made);
}

/// The result of agree(), the same in all processes that have not failed.
struct Agreement {
    int flags;                 // the bits that all processes have set
    bool has_unknown_failures; // a process has failed that not all processes have acknowledged
};
/// Combines the flags of all processes that have not failed by a bitwise and. All of them call this function, which
/// also works if processes fail meanwhile, and on a revoked communicator.
[[nodiscard]] inline ANYMPI_CALLS result<Agreement> agree(const Comm& comm, int flags) {
    const detail::Fault fault = detail::tolerate(detail::FaultTolerance::get().agree, comm, &flags);
    const bool has_failures = detail::tells_process_failure(detail::class_of(fault.code));
    if (!has_failures)
        ANYMPI_REQUIRE(comm.where(), "MPIX_Comm_agree", fault);
    return Agreement{flags, has_failures};
}

/// Returns the processes that have failed, as far as this process knows.
[[nodiscard]] inline ANYMPI_CALLS result<Group> failed_processes(const Comm& comm) {
    MPI_Group failed = MPI_GROUP_NULL;
    ANYMPI_REQUIRE(comm.where(), "MPIX_Comm_get_failed",
                   detail::tolerate(detail::FaultTolerance::get().get_failed, comm, &failed));
    return Group(failed, true);
}
/// Acknowledges the first `most` failures that this process knows. Receives from any source and agreements no longer
/// report them. Returns the number of failures that this process has acknowledged.
inline ANYMPI_CALLS result<int> acknowledge_failures(const Comm& comm, int most) {
    int acknowledged = 0;
    ANYMPI_REQUIRE(comm.where(), "MPIX_Comm_ack_failed",
                   detail::tolerate(detail::FaultTolerance::get().ack_failed, comm, most, &acknowledged));
    return acknowledged;
}
/// Acknowledges all failures that this process knows.
inline ANYMPI_CALLS result<int> acknowledge_failures(const Comm& comm) {
    ANYMPI_VALUE(size, comm.size());
    return acknowledge_failures(comm, size);
}

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
