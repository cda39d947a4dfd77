#pragma once

#include "abi/abi.hpp"
#include "fortran/sections/section_type.hpp"

namespace anympi::fortran {

/// Tells whether an operation writes to a buffer.
struct use {
    bool writes;
};
inline constexpr use in{false};
inline constexpr use out{true};

/// Work that is done when an operation ends: sections are copied back, and memory is freed. For an operation with a
/// request, the work is stored in a table until a Fortran procedure completes the request.
struct deferred_work {
    struct copy {
        section where;
        use what;
        char* now;    // the copy that MPI reads and writes
        char* before; // the contents of the copy at the start
    };
    static constexpr int max_copies = 3; // maximum number of buffers of a procedure
    static constexpr int max_memory = 6;

    alignas(copy) char copy_memory[max_copies * sizeof(copy)];
    int copy_count;
    void* memory[max_memory];
    int memory_count;
    int request; // the program's INTEGER
    bool active; // started and not yet copied back
    deferred_work* next;
    deferred_work* next_found;
    int found_at;
    unsigned long found_by; // the number of the call that found it last

    static word key_of(int request) { return static_cast<std::uint32_t>(request); }
    word key() const { return key_of(request); }

    copy* copies() { return reinterpret_cast<copy*>(copy_memory); }
    /// Copies the sections when the operation starts.
    void begin();
    /// Copies them back when the operation has ended.
    void end();
    void free();
};

/// Adds the work of an operation that now has a request.
void add_deferred_work(deferred_work* work, int request);

/// The number of operations whose work is not done yet.
[[gnu::visibility("hidden")]] extern int deferred_count;
inline bool is_work_deferred() {
    return __atomic_load_n(&deferred_count, __ATOMIC_RELAXED) != 0;
}

/// The effect of a call on its requests.
enum class request_call {
    completes, // MPI_Wait, MPI_Test and similar procedures
    starts,    // MPI_Start, MPI_Startall
    frees,     // MPI_Request_free
};

/// The requests of a call. Construct it before MPI is called, and call `finish` afterwards.
template <request_call What>
class watched_requests {
public:
    watched_requests(const int* requests, long long count) : requests_(requests) {
        if (is_work_deferred()) [[unlikely]]
            find(count);
    }
    explicit watched_requests(const int* request) : watched_requests(request, 1) {}
    void finish(int) {
        if (found_ != nullptr) [[unlikely]]
            settle();
    }

private:
    void find(long long count);
    void settle();

    const int* requests_;
    deferred_work* found_ = nullptr;
};

/// Used instead of watched_requests while no work is deferred.
struct unwatched_requests {
    explicit unwatched_requests(const int*, long long = 1) {}
    void finish(int) {}
};

} // namespace anympi::fortran
