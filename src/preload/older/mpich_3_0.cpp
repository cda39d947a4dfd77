// For programs of MPICH 3.0 and of libraries that are built on it (MVAPICH2 1.9), whose library has the soname
// libmpich.so.10. Release 3.1 returned to the layout of statuses of 1.5, and to the numbers of combiners of 1.4.

#include "preload/older/combiners_of_mpich.hpp"
#include "preload/older/generalized_request.hpp"
#include "preload/older/next_library.hpp"
#include "preload/older/status_copies.hpp"

#define EXPORTED __attribute__((visibility("default")))

namespace anympi::older {

struct older_status {
    int source, tag, error;
    long long bytes;
    int cancelled;
    int reserved[2];
};
static_assert(sizeof(older_status) == 40);

struct newer_status {
    private_words hidden;
    int source, tag, error;
};
static_assert(sizeof(newer_status) == 20);

struct rules {
    static bool is_ignored(const older_status* status) {
        return status == nullptr || reinterpret_cast<std::uintptr_t>(status) == 1;
    }
    static newer_status to_newer(const older_status& from) {
        return {pack_private(from.bytes, from.cancelled), from.source, from.tag, from.error};
    }
    static older_status to_older(const newer_status& from) {
        return {from.source, from.tag, from.error, bytes_of(from.hidden), cancelled_of(from.hidden), {0, 0}};
    }
};

using status_copies = copied_statuses<older_status, newer_status, rules>;
using grequest = generalized_request<older_status, newer_status, rules>;

using MPI_Comm = int;
using MPI_Datatype = int;
using MPI_Request = int;
using MPI_Message = int;
using MPI_File = void*;
using MPI_Offset = long long;
using MPI_Count = long long;

constexpr int no_memory = 34; // MPI_ERR_NO_MEM

extern "C" {
#include "older_functions.hpp" // generated
#include "preload/older/functions_by_hand.inc"
} // extern "C"

} // namespace anympi::older
