#pragma once

#include "base/entry_table.hpp"
#include "base/lock.hpp"
#include "bridge/missing_reports.hpp"
#include "bridge/report_no_memory.hpp"
#include "convert/crossings.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace anympi::bridge {

/// Returns true if `buffer` is MPI_BUFFER_AUTOMATIC and the runtime supports it neither itself nor by emulation. Such a
/// runtime would use the value as an address.
template <class P>
bool lacks_automatic(const void* buffer) {
    return buffer == address_of<const void*>(P::app::mpi_BUFFER_AUTOMATIC) &&
           !features_of<typename P::run>.has_automatic_buffers;
}

/// Memory that is attached instead of a small buffer of the program; it follows this record. The MPI_BSEND_OVERHEAD of
/// each ABI (512, 128 or 96 bytes) covers the overhead of a message in runtimes of other families (96 bytes in MPICH,
/// less than 32 in Open MPI), so the program's own buffer would be large enough. But MPICH 5's library of the standard
/// ABI rejects buffers below 512 bytes. For such a buffer, anympi attaches memory of its own with room for the same
/// number of messages.
struct small_buffer {
    void* program;     // the buffer that the program has attached
    std::int64_t size; // the size of that buffer
    small_buffer* next;

    void* memory() { return this + 1; }
    word key() const { return reinterpret_cast<word>(this + 1); }
};
struct attached_small_buffers {
    lock guard;
    entry_table<small_buffer> table;
    std::atomic<bool> are_used{false}; // set with the first small buffer, never cleared
};
inline attached_small_buffers small_buffers{};

/// Returns true if the size of a buffer is allowed by the program's MPI_BSEND_OVERHEAD, but not by the library's.
template <class P>
bool is_too_small(const void* buffer, std::int64_t size) {
    constexpr std::int64_t least = P::app::mpi_BSEND_OVERHEAD;
    constexpr std::int64_t least_of_library = P::run::mpi_BSEND_OVERHEAD;
    if constexpr (least < least_of_library)
        return size >= least && size < least_of_library &&
               buffer != address_of<const void*>(P::app::mpi_BUFFER_AUTOMATIC);
    else
        return false;
}

/// Attaches memory of anympi instead of a small buffer. Returns the converted error code.
template <class P, class Size, class Attach>
[[gnu::cold, gnu::noinline]] int attach_for_small(void* buffer, Size size, Attach attach) {
    const Size messages = size / P::app::mpi_BSEND_OVERHEAD;
    const Size room = messages * P::run::mpi_BSEND_OVERHEAD + size;
    auto* const made = static_cast<small_buffer*>(std::malloc(sizeof(small_buffer) + static_cast<std::size_t>(room)));
    if (made == nullptr)
        return report_no_memory<P>();
    *made = {buffer, size, nullptr};
    const int code = attach(made->memory(), room);
    if (code != 0) {
        std::free(made);
        return error_to_app<P>(code);
    }
    const locked hold(small_buffers.guard);
    small_buffers.table.add(made);
    small_buffers.are_used.store(true, std::memory_order_release);
    return 0;
}

template <class P, class Size, class Attach>
int attach_buffer(void* buffer, Size size, Attach attach) {
    if (is_too_small<P>(buffer, size)) [[unlikely]]
        return attach_for_small<P>(buffer, size, attach);
    return error_to_app<P>(attach(automatic_to_run<P>(buffer), size));
}

/// Replaces the detached address and size by the program's own buffer, if memory of anympi was attached instead of it.
template <class Size>
void give_small_back(void* where, Size* size) {
    if (!small_buffers.are_used.load(std::memory_order_acquire))
        return;
    word address = 0;
    std::memcpy(&address, where, sizeof address);
    const locked hold(small_buffers.guard);
    if (small_buffer* const found = small_buffers.table.take_out(address)) {
        std::memcpy(where, &found->program, sizeof found->program);
        *size = static_cast<Size>(found->size);
        std::free(found);
    }
}

template <class P, class Size, class Detach>
int detach_buffer(void* where, Size* size, Detach detach) {
    const int code = detach(where, size);
    if (is_error(code)) [[unlikely]]
        return error_to_app<P>(code);
    automatic_to_app<P>(where);
    give_small_back(where, size);
    return code;
}

template <class P>
int Buffer_attach(void* buffer, int size) {
    if (lacks_automatic<P>(buffer))
        return missing.report(function::Buffer_attach, object::comm,
                              predefined_of_program<typename P::app>(standard::mpi_COMM_SELF));
    return attach_buffer<P>(buffer, size, target<P>.Buffer_attach);
}
template <class P>
int Buffer_attach_c(void* buffer, std::int64_t size) {
    if (lacks_automatic<P>(buffer))
        return missing.report(function::Buffer_attach_c, object::comm,
                              predefined_of_program<typename P::app>(standard::mpi_COMM_SELF));
    return attach_buffer<P>(buffer, size, target<P>.Buffer_attach_c);
}
template <class P>
int Buffer_detach(void* where, int* size) {
    return detach_buffer<P>(where, size, target<P>.Buffer_detach);
}
template <class P>
int Buffer_detach_c(void* where, std::int64_t* size) {
    return detach_buffer<P>(where, size, target<P>.Buffer_detach_c);
}

/// Turns a function of a communicator or session into a function that takes only buffer and size.
template <class Function>
auto with_owner(Function function, word owner) {
    return [=](void* buffer, auto size) { return function(owner, buffer, size); };
}

template <class P>
int Comm_attach_buffer(app_handle<P, object::comm> comm, void* buffer, int size) {
    return attach_buffer<P>(buffer, size, with_owner(target<P>.Comm_attach_buffer, to_run<P, object::comm>(comm)));
}
template <class P>
int Comm_attach_buffer_c(app_handle<P, object::comm> comm, void* buffer, std::int64_t size) {
    return attach_buffer<P>(buffer, size, with_owner(target<P>.Comm_attach_buffer_c, to_run<P, object::comm>(comm)));
}
template <class P>
int Comm_detach_buffer(app_handle<P, object::comm> comm, void* where, int* size) {
    return detach_buffer<P>(where, size, with_owner(target<P>.Comm_detach_buffer, to_run<P, object::comm>(comm)));
}
template <class P>
int Comm_detach_buffer_c(app_handle<P, object::comm> comm, void* where, std::int64_t* size) {
    return detach_buffer<P>(where, size, with_owner(target<P>.Comm_detach_buffer_c, to_run<P, object::comm>(comm)));
}
template <class P>
int Session_attach_buffer(app_handle<P, object::session> session, void* buffer, int size) {
    return attach_buffer<P>(buffer, size,
                            with_owner(target<P>.Session_attach_buffer, to_run<P, object::session>(session)));
}
template <class P>
int Session_attach_buffer_c(app_handle<P, object::session> session, void* buffer, std::int64_t size) {
    return attach_buffer<P>(buffer, size,
                            with_owner(target<P>.Session_attach_buffer_c, to_run<P, object::session>(session)));
}
template <class P>
int Session_detach_buffer(app_handle<P, object::session> session, void* where, int* size) {
    return detach_buffer<P>(where, size,
                            with_owner(target<P>.Session_detach_buffer, to_run<P, object::session>(session)));
}
template <class P>
int Session_detach_buffer_c(app_handle<P, object::session> session, void* where, std::int64_t* size) {
    return detach_buffer<P>(where, size,
                            with_owner(target<P>.Session_detach_buffer_c, to_run<P, object::session>(session)));
}

} // namespace anympi::bridge
