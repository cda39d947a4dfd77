// Functions that consist of several calls of the typed API.
#ifndef ANYMPI_STEPS_HPP
#define ANYMPI_STEPS_HPP

#include "comm.hpp"

// Names the result of a call. If the call fails, the calling function fails with the same error. ANYMPI_STEP(call) is
// for calls without a result.
#ifdef ANYMPI_RESULTS
#define ANYMPI_VALUE(name, ...)                                                                                        \
    auto name##_or_error = __VA_ARGS__;                                                                                \
    if (!name##_or_error) [[unlikely]]                                                                                 \
        return std::move(name##_or_error.error());                                                                     \
    auto&& name = *name##_or_error
#else
#define ANYMPI_VALUE(name, ...) auto&& name = __VA_ARGS__
#endif

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

/// Fails if the communicator has two groups.
inline ANYMPI_CALLS result<void> require_one_group(const Comm& comm, const char* function) {
    ANYMPI_VALUE(is_inter, comm.is_inter());
    if (is_inter)
        ANYMPI_FAIL((Fault{MPI_ERR_COMM, "the communicator has two groups, and this needs one"}), function,
                    comm.where());
    return done();
}
/// Returns a duplicate, whose messages cannot be confused with the messages of the program.
inline ANYMPI_CALLS result<Comm> with_own_messages(const Comm& comm, const char* function) {
    ANYMPI_STEP(require_one_group(comm, function));
    return comm.duplicate();
}

} // namespace detail
} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
