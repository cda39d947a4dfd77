#pragma once

#include "abi/abi.hpp"
#include "fortran/sections/section_type.hpp"

namespace anympi::fortran {

/// What an operation does with a buffer.
struct use {
    bool writes;
};
inline constexpr use in{false};
inline constexpr use out{true};

/// Work to be done when an operation ends: copies of sections are copied back, memory is freed. The work of an
/// operation with a request is in a table until a Fortran procedure completes the request.
struct deferred_work {
    struct copy {
        section where;
        use what;
        char* now;    // the copy that MPI reads and writes
        char* before; // the contents of the copy at the start
    };
    static constexpr int max_copies = 3; // buffers of one procedure
    static constexpr int max_memory = 6;

    alignas(copy) char copy_memory[max_copies * sizeof(copy)];
    int copy_count;
    void* memory[max_memory];
    int memory_count;
    int request; // the INTEGER that the program knows
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

/// Adds the work of an operation that has a request from now on.
void add_deferred_work(deferred_work* work, int request);

/// The number of operations whose work waits for the completion of a request.
[[gnu::visibility("hidden")]] extern int deferred_count;
inline bool is_work_deferred() {
    return __atomic_load_n(&deferred_count, __ATOMIC_RELAXED) != 0;
}

/// What a call does with its requests.
enum class request_call {
    completes, // MPI_Wait, MPI_Test and similar procedures
    starts,    // MPI_Start, MPI_Startall
    frees,     // MPI_Request_free
};

/// The requests of a call. The constructor runs before MPI is called, `finish` after it.
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

/// Does the same while no work is deferred.
struct unwatched_requests {
    explicit unwatched_requests(const int*, long long = 1) {}
    void finish(int) {}
};

} // namespace anympi::fortran
