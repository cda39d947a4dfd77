// For programs of Open MPI up to 1.4, whose library has the soname libmpi.so.0. Release 1.5 gave the count of a status
// more bits and another place.

#include "preload/older/generalized_request.hpp"
#include "preload/older/next_library.hpp"
#include "preload/older/status_copies.hpp"

#include <cstddef>

#define EXPORTED __attribute__((visibility("default")))

namespace anympi::older {

struct older_status {
    int source, tag, error;
    private_words hidden; // the library had count and cancelled here; programs do not read them
};
static_assert(sizeof(older_status) == 20);

struct newer_status {
    int source, tag, error;
    int cancelled;
    std::size_t bytes;
};
static_assert(sizeof(newer_status) == 24);

struct rules {
    static bool is_ignored(const older_status* status) { return status == nullptr; }
    static newer_status to_newer(const older_status& from) {
        return {from.source, from.tag, from.error, cancelled_of(from.hidden),
                static_cast<std::size_t>(bytes_of(from.hidden))};
    }
    static older_status to_older(const newer_status& from) {
        return {from.source, from.tag, from.error, pack_private(static_cast<std::int64_t>(from.bytes), from.cancelled)};
    }
};

using status_copies = copied_statuses<older_status, newer_status, rules>;
using grequest = generalized_request<older_status, newer_status, rules>;

using MPI_Comm = void*;
using MPI_Datatype = void*;
using MPI_Request = void*;
using MPI_Message = void*;
using MPI_File = void*;
using MPI_Offset = long long;
using MPI_Count = long long;

constexpr int no_memory = 39; // MPI_ERR_NO_MEM

extern "C" {
#include "older_functions.hpp" // generated
#include "preload/older/functions_by_hand.inc"
} // extern "C"

} // namespace anympi::older
