// Functions that consist of several calls of the typed API.
#ifndef ANYMPI_STEPS_HPP
#define ANYMPI_STEPS_HPP

#include "comm.hpp"

// ANYMPI_STEP(name, call) names the result of a call. ANYMPI_DO(call) makes a call whose result is not needed. If the
// call fails, the calling function fails with the same error, under each policy.
#ifdef ANYMPI_RESULTS
#define ANYMPI_STEP(name, ...)                                                                                         \
    auto name##_step = __VA_ARGS__;                                                                                    \
    if (!name##_step) [[unlikely]]                                                                                     \
        return std::move(name##_step.error());                                                                         \
    auto&& name = *name##_step
#define ANYMPI_DO(...)                                                                                                 \
    do {                                                                                                               \
        if (auto anympi_step = __VA_ARGS__; !anympi_step) [[unlikely]]                                                 \
            return std::move(anympi_step.error());                                                                     \
    } while (false)
#else
#define ANYMPI_STEP(name, ...) auto&& name = __VA_ARGS__
#define ANYMPI_DO(...) static_cast<void>(__VA_ARGS__)
#endif

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

/// Fails if the communicator has two groups.
inline ANYMPI_CALLS result<void> require_one_group(const Comm& comm, const char* function) {
    ANYMPI_STEP(is_inter, comm.is_inter());
    if (is_inter)
        ANYMPI_FAIL((Fault{MPI_ERR_COMM, "the communicator has two groups, and this needs one"}), function,
                    comm.where());
    return done();
}
/// Returns a duplicate, whose messages cannot be confused with the messages of the program.
inline ANYMPI_CALLS result<Comm> with_own_messages(const Comm& comm, const char* function) {
    ANYMPI_DO(require_one_group(comm, function));
    return comm.duplicate();
}

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
