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

/// What has to be done when an operation ends: copies of sections are copied back, memory is freed. Where the operation
/// has a request, it stays in a list until a Fortran procedure completes that.
struct pending {
    struct copy {
        section where;
        use what;
        char* now;    ///< what MPI reads and writes
        char* before; ///< what it was at the start
    };
    static constexpr int max_copies = 3; ///< buffers of one procedure
    static constexpr int max_kept = 6;

    alignas(copy) char copy_memory[max_copies * sizeof(copy)];
    int copy_count;
    void* kept[max_kept];
    int kept_count;
    int request; ///< the INTEGER that the program knows
    bool active; ///< begun and not yet copied back
    pending* next;
    pending* next_found;
    int found_at;
    unsigned long found_by; ///< the number of the call that found it last

    static word key_of(int request) { return static_cast<std::uint32_t>(request); }
    word key() const { return key_of(request); }

    copy* copies() { return reinterpret_cast<copy*>(copy_memory); }
    /// Copies the sections as they are now.
    void begin();
    void end();
    void free();
};

/// The operation has a request from now on.
void add_pending(pending* operation, int request);

/// How many operations wait for the completion of a request.
[[gnu::visibility("hidden")]] extern int pending_count;
inline bool are_pending() {
    return __atomic_load_n(&pending_count, __ATOMIC_RELAXED) != 0;
}

enum class completion {
    any,      ///< a call that may complete requests
    starting, ///< MPI_Start, MPI_Startall
    freeing,  ///< MPI_Request_free
};

/// Requests that a procedure is called with. The constructor is called before MPI is, `finish` after it.
template <completion How>
class watched_requests {
public:
    watched_requests(const int* requests, long long count) : requests_(requests) {
        if (are_pending()) [[unlikely]]
            find(count);
    }
    explicit watched_requests(const int* request) : watched_requests(request, 1) {}
    void finish(int code) {
        if (found_ != nullptr) [[unlikely]]
            settle(code);
    }

private:
    void find(long long count);
    void settle(int code);

    const int* requests_;
    pending* found_ = nullptr;
};

/// The same where nothing is pending.
struct unwatched_requests {
    explicit unwatched_requests(const int*, long long = 1) {}
    void finish(int) {}
};

} // namespace anympi::fortran
