// Stand-ins for constants, types and functions that an mpi.h lacks because it is older than MPI 5.0. The other headers
// call functions of MPI 5.0 by their names.
//
// Stand-ins of constants and types are in the namespace anympi. A constant has a value that no library uses.
//
// Stand-ins of functions take any arguments. No version and no vendor is asked for: a probe, which accepts any
// arguments too, is declared next to each function, and the compiler tells whether the name also stands for another
// one. A program that calls a stand-in gets an error of the compiler: a sentence with the name of the function. If
// ANYMPI_LACKING_FAILS is defined, the call fails when it is made. A function with a stand-in cannot be passed on by
// its name, since the name stands for two functions.
//
// An mpi.h older than MPI 4.0 lacks the functions with _c. Their stand-ins call the functions with small counts. If a
// number does not fit into an int, the call fails.
#ifndef ANYMPI_OLDER_HPP
#define ANYMPI_OLDER_HPP

#include <algorithm>
#include <type_traits>
#include <vector>

#include "requirements.hpp"

#if MPI_VERSION < 4
#define ANYMPI_SMALL_COUNTS 1
#else
#define ANYMPI_SMALL_COUNTS 0
#endif

namespace anympi {

#ifndef MPI_SESSION_NULL
using MPI_Session = struct NoSession*;
inline constexpr MPI_Session MPI_SESSION_NULL = nullptr;
inline constexpr int MPI_MAX_PSET_NAME_LEN = 1024;
#endif
#ifndef MPI_COMM_TYPE_HW_GUIDED
inline constexpr int MPI_COMM_TYPE_HW_GUIDED = -1001;
inline constexpr int MPI_COMM_TYPE_HW_UNGUIDED = -1002;
#endif
#ifndef MPI_COMM_TYPE_RESOURCE_GUIDED
inline constexpr int MPI_COMM_TYPE_RESOURCE_GUIDED = -1003;
#endif
#if MPI_VERSION < 4 || (MPI_VERSION == 4 && MPI_SUBVERSION < 1) // an enumerator in some mpi.h, so no macro tells
inline constexpr int MPI_COMBINER_VALUE_INDEX = -1009;
#endif
#ifndef MPI_ERR_PROC_ABORTED
inline constexpr int MPI_ERR_PROC_ABORTED = -1004;
#endif
#ifndef MPI_ERR_VALUE_TOO_LARGE
inline constexpr int MPI_ERR_VALUE_TOO_LARGE = -1005;
#endif
#ifndef MPI_ERR_SESSION
inline constexpr int MPI_ERR_SESSION = -1006;
#endif
#ifndef MPI_ERR_ERRHANDLER
inline constexpr int MPI_ERR_ERRHANDLER = -1007;
#endif
#ifndef MPI_ERR_ABI
inline constexpr int MPI_ERR_ABI = -1008;
#endif
#ifndef MPI_ERRORS_ABORT
inline const MPI_Errhandler MPI_ERRORS_ABORT = MPI_ERRHANDLER_NULL;
#endif
#if MPI_VERSION < 4 // no macro tells whether there are events
using MPI_T_event_instance = struct NoInstance*;
using MPI_T_event_registration = struct NoRegistration*;
enum MPI_T_cb_safety { MPI_T_CB_REQUIRE_NONE };
#endif

namespace shared {

/// The result of a stand-in: a code of MPI and a text.
struct Code {
    int code;
    const char* text;
    operator int() const noexcept { return code; }
};

/// Returns true for a constant that the mpi.h lacks.
constexpr bool is_stand_in(int constant) noexcept {
    return constant <= -1001 && constant >= -1099;
}

/// Stands for a function that the mpi.h lacks.
struct NoFunction {};
struct Otherwise {};
struct First : Otherwise {};
/// Returns the function of mpi.h that a name stands for, if there is one besides the probe.
template <class... P>
constexpr auto function_of_mpi(First, int (*function)(P...)) noexcept {
    return function;
}
constexpr NoFunction function_of_mpi(Otherwise, NoFunction (*)(...)) noexcept {
    return {};
}

} // namespace shared
} // namespace anympi

#if MPI_VERSION >= 5
#define ANYMPI_STAND_IN(head, function, text)
#define ANYMPI_MAY_LACK(function, version)                                                                             \
    namespace anympi_probe {                                                                                           \
    inline constexpr bool has_##function = true;                                                                       \
    }
#else
#ifdef __has_attribute
#if __has_attribute(error) && !defined(ANYMPI_LACKING_FAILS)
#define ANYMPI_STAND_IN(head, function, text) head __attribute__((error(text))) ::anympi::shared::Code function(...);
#endif
#endif
#ifndef ANYMPI_STAND_IN
#define ANYMPI_STAND_IN(head, function, text)                                                                          \
    head inline ::anympi::shared::Code function(...) {                                                                 \
        return {MPI_ERR_UNSUPPORTED_OPERATION, text};                                                                  \
    }
#endif
namespace anympi_probes {}
namespace anympi_probe {
using namespace anympi_probes; // its names are found like names of the global namespace
}
namespace anympi_stand_ins {}
namespace anympi {
using namespace anympi_stand_ins;
}
// First a probe tells whether mpi.h has the function: then the stand-in accepts no call, not even one that the function
// of mpi.h does not accept.
#define ANYMPI_MAY_LACK(function, version)                                                                             \
    namespace anympi_probes {                                                                                          \
    ::anympi::shared::NoFunction function(...);                                                                        \
    }                                                                                                                  \
    namespace anympi_probe {                                                                                           \
    inline constexpr auto the_##function = ::anympi::shared::function_of_mpi(::anympi::shared::First{}, &function);    \
    inline constexpr bool has_##function =                                                                             \
        !std::is_same_v<decltype(the_##function), const ::anympi::shared::NoFunction>;                                 \
    }                                                                                                                  \
    namespace anympi_stand_ins {                                                                                       \
    ANYMPI_STAND_IN(template <int = 0> requires(!anympi_probe::has_##function), function,                              \
                    "anympi: this mpi.h lacks " #function ", which is part of MPI " version)                           \
    }
#endif
// True if the mpi.h has the function. Only functions that an mpi.h may lack have an answer.
#define ANYMPI_HAS(function) (::anympi_probe::has_##function)

ANYMPI_MAY_LACK(MPI_Allgather_init, "4.0")
ANYMPI_MAY_LACK(MPI_Allgatherv_init, "4.0")
ANYMPI_MAY_LACK(MPI_Allreduce_init, "4.0")
ANYMPI_MAY_LACK(MPI_Alltoall_init, "4.0")
ANYMPI_MAY_LACK(MPI_Alltoallv_init, "4.0")
ANYMPI_MAY_LACK(MPI_Alltoallw_init, "4.0")
ANYMPI_MAY_LACK(MPI_Barrier_init, "4.0")
ANYMPI_MAY_LACK(MPI_Bcast_init, "4.0")
ANYMPI_MAY_LACK(MPI_Comm_create_from_group, "4.0")
ANYMPI_MAY_LACK(MPI_Comm_idup_with_info, "4.0")
ANYMPI_MAY_LACK(MPI_Exscan_init, "4.0")
ANYMPI_MAY_LACK(MPI_Gather_init, "4.0")
ANYMPI_MAY_LACK(MPI_Gatherv_init, "4.0")
ANYMPI_MAY_LACK(MPI_Group_from_session_pset, "4.0")
ANYMPI_MAY_LACK(MPI_Info_create_env, "4.0")
ANYMPI_MAY_LACK(MPI_Intercomm_create_from_groups, "4.0")
ANYMPI_MAY_LACK(MPI_Isendrecv, "4.0")
ANYMPI_MAY_LACK(MPI_Isendrecv_replace, "4.0")
ANYMPI_MAY_LACK(MPI_Neighbor_allgather_init, "4.0")
ANYMPI_MAY_LACK(MPI_Neighbor_allgatherv_init, "4.0")
ANYMPI_MAY_LACK(MPI_Neighbor_alltoall_init, "4.0")
ANYMPI_MAY_LACK(MPI_Neighbor_alltoallv_init, "4.0")
ANYMPI_MAY_LACK(MPI_Neighbor_alltoallw_init, "4.0")
ANYMPI_MAY_LACK(MPI_Parrived, "4.0")
ANYMPI_MAY_LACK(MPI_Pready, "4.0")
ANYMPI_MAY_LACK(MPI_Pready_list, "4.0")
ANYMPI_MAY_LACK(MPI_Pready_range, "4.0")
ANYMPI_MAY_LACK(MPI_Precv_init, "4.0")
ANYMPI_MAY_LACK(MPI_Psend_init, "4.0")
ANYMPI_MAY_LACK(MPI_Reduce_init, "4.0")
ANYMPI_MAY_LACK(MPI_Reduce_scatter_block_init, "4.0")
ANYMPI_MAY_LACK(MPI_Reduce_scatter_init, "4.0")
ANYMPI_MAY_LACK(MPI_Scan_init, "4.0")
ANYMPI_MAY_LACK(MPI_Scatter_init, "4.0")
ANYMPI_MAY_LACK(MPI_Scatterv_init, "4.0")
ANYMPI_MAY_LACK(MPI_Session_call_errhandler, "4.0")
ANYMPI_MAY_LACK(MPI_Session_create_errhandler, "4.0")
ANYMPI_MAY_LACK(MPI_Session_finalize, "4.0")
ANYMPI_MAY_LACK(MPI_Session_get_errhandler, "4.0")
ANYMPI_MAY_LACK(MPI_Session_get_info, "4.0")
ANYMPI_MAY_LACK(MPI_Session_get_nth_pset, "4.0")
ANYMPI_MAY_LACK(MPI_Session_get_num_psets, "4.0")
ANYMPI_MAY_LACK(MPI_Session_get_pset_info, "4.0")
ANYMPI_MAY_LACK(MPI_Session_init, "4.0")
ANYMPI_MAY_LACK(MPI_Session_set_errhandler, "4.0")
ANYMPI_MAY_LACK(MPI_T_category_get_events, "4.0")
ANYMPI_MAY_LACK(MPI_T_category_get_num_events, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_callback_get_info, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_callback_set_info, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_copy, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_get_index, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_get_info, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_get_num, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_get_source, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_get_timestamp, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_handle_alloc, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_handle_free, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_handle_get_info, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_handle_set_info, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_read, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_register_callback, "4.0")
ANYMPI_MAY_LACK(MPI_T_event_set_dropped_handler, "4.0")
ANYMPI_MAY_LACK(MPI_T_source_get_info, "4.0")
ANYMPI_MAY_LACK(MPI_T_source_get_num, "4.0")
ANYMPI_MAY_LACK(MPI_T_source_get_timestamp, "4.0")
ANYMPI_MAY_LACK(MPI_Buffer_flush, "4.1")
ANYMPI_MAY_LACK(MPI_Buffer_iflush, "4.1")
ANYMPI_MAY_LACK(MPI_Comm_attach_buffer, "4.1")
ANYMPI_MAY_LACK(MPI_Comm_attach_buffer_c, "4.1")
ANYMPI_MAY_LACK(MPI_Comm_detach_buffer, "4.1")
ANYMPI_MAY_LACK(MPI_Comm_detach_buffer_c, "4.1")
ANYMPI_MAY_LACK(MPI_Comm_flush_buffer, "4.1")
ANYMPI_MAY_LACK(MPI_Comm_iflush_buffer, "4.1")
ANYMPI_MAY_LACK(MPI_Get_hw_resource_info, "4.1")
ANYMPI_MAY_LACK(MPI_Remove_error_class, "4.1")
ANYMPI_MAY_LACK(MPI_Remove_error_code, "4.1")
ANYMPI_MAY_LACK(MPI_Remove_error_string, "4.1")
ANYMPI_MAY_LACK(MPI_Request_get_status_all, "4.1")
ANYMPI_MAY_LACK(MPI_Request_get_status_any, "4.1")
ANYMPI_MAY_LACK(MPI_Request_get_status_some, "4.1")
ANYMPI_MAY_LACK(MPI_Session_attach_buffer, "4.1")
ANYMPI_MAY_LACK(MPI_Session_attach_buffer_c, "4.1")
ANYMPI_MAY_LACK(MPI_Session_detach_buffer, "4.1")
ANYMPI_MAY_LACK(MPI_Session_detach_buffer_c, "4.1")
ANYMPI_MAY_LACK(MPI_Session_flush_buffer, "4.1")
ANYMPI_MAY_LACK(MPI_Session_iflush_buffer, "4.1")
ANYMPI_MAY_LACK(MPI_Status_get_error, "4.1")
ANYMPI_MAY_LACK(MPI_Status_get_source, "4.1")
ANYMPI_MAY_LACK(MPI_Status_get_tag, "4.1")
ANYMPI_MAY_LACK(MPI_Status_set_error, "4.1")
ANYMPI_MAY_LACK(MPI_Status_set_source, "4.1")
ANYMPI_MAY_LACK(MPI_Status_set_tag, "4.1")
ANYMPI_MAY_LACK(MPI_Type_get_value_index, "4.1")
ANYMPI_MAY_LACK(MPI_Abi_get_fortran_booleans, "5.0")
ANYMPI_MAY_LACK(MPI_Abi_get_fortran_info, "5.0")
ANYMPI_MAY_LACK(MPI_Abi_get_info, "5.0")
ANYMPI_MAY_LACK(MPI_Abi_get_version, "5.0")
ANYMPI_MAY_LACK(MPI_Abi_set_fortran_booleans, "5.0")
ANYMPI_MAY_LACK(MPI_Abi_set_fortran_info, "5.0")
#undef ANYMPI_MAY_LACK

namespace anympi::shared {
#ifdef MPI_BUFFER_AUTOMATIC
inline void* automatic_memory() noexcept {
    return MPI_BUFFER_AUTOMATIC;
}
inline Code check_automatic_memory() noexcept {
    return {MPI_SUCCESS, nullptr};
}
#else
inline void* automatic_memory() noexcept {
    return nullptr;
}
ANYMPI_STAND_IN(, check_automatic_memory, "anympi: this mpi.h lacks MPI_BUFFER_AUTOMATIC, which is part of MPI 4.1")
#endif
} // namespace anympi::shared
#undef ANYMPI_STAND_IN

// The next functions are built from older ones. They are objects, so that the name does not stand for a function of
// mpi.h too.

namespace anympi {
#if MPI_VERSION < 4
inline constexpr auto MPI_Info_get_string = [](MPI_Info info, const char* key, int* length, char* value, int* found) {
    const int room = *length;
    int bytes = 0;
    int code = MPI_Info_get_valuelen(info, key, &bytes, found);
    if (code != MPI_SUCCESS || !*found)
        return code;
    *length = bytes + 1;
    std::vector<char> whole(static_cast<std::size_t>(*length));
    code = MPI_Info_get(info, key, bytes, whole.data(), found);
    if (code == MPI_SUCCESS && room > 0) {
        whole[static_cast<std::size_t>(std::min(room, *length)) - 1] = 0;
        std::copy_n(whole.data(), std::min(room, *length), value);
    }
    return code;
};
#endif
#if MPI_VERSION < 4 || (MPI_VERSION == 4 && MPI_SUBVERSION < 1)
inline constexpr auto MPI_Status_set_elements_c = [](MPI_Status* status, MPI_Datatype type, MPI_Count count) {
    return MPI_Status_set_elements_x(status, type, count);
};
#endif
} // namespace anympi

#if ANYMPI_SMALL_COUNTS
#include "small_counts.hpp"
#else
namespace anympi::shared {
/// The type of the count that MPI passes to an operation.
using OpCount = MPI_Count;
/// The numbers of an array as int. Not needed here.
struct SmallNumbers {
    SmallNumbers() = default;
    template <class T>
    explicit SmallNumbers(const std::vector<T>&) noexcept {}
};
/// An array as functions with _c take it.
template <class T>
const T* passed(const std::vector<T>& numbers, const SmallNumbers&) noexcept {
    return numbers.data();
}
} // namespace anympi::shared
#endif

#endif
