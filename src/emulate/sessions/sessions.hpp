#pragma once

#include "emulate/engine/own_tags.hpp"
#include "emulate/info_and_errors/errors_abort.hpp"

#include <cstdio>
#include <cstring>
#include <strings.h>

namespace anympi::emulate {

// Sessions for a runtime that only has MPI_Init (life.hpp). Each session has the process sets mpi://WORLD and
// mpi://SELF.

template <class Run>
using session_of = handle_of<Run, object::session>;
template <class Run>
using session_handle = own_handle<Run, object::session, 14>;

template <class Run>
struct session {
    handle_of<Run, object::errhandler> errhandler;
    int level; // thread level
};

[[gnu::visibility("hidden")]] extern handle_table sessions;

/// Returns the session of a handle, or nullptr if the handle is null or the session has ended.
template <class Run>
session<Run>* find_session(word handle) {
    using own = session_handle<Run>;
    const auto clamped = static_cast<session_of<Run>>(handle);
    return own::is_own(clamped) ? reinterpret_cast<session<Run>*>(sessions.find(own::in_table(clamped))) : nullptr;
}

/// Reports an error to the session of a call. Without a session, the error belongs to no object.
template <class Run>
int report(word handle, int code) {
    if (const session<Run>* const of = find_session<Run>(handle))
        return report<Run>(of->errhandler, static_cast<session_of<Run>>(handle), code);
    return life.runtime == phase::during ? raise<Run>(code) : code;
}

template <class Run>
int report_unknown(word handle) {
    return report<Run>(handle, Run::mpi_ERR_SESSION);
}

// ---- threads ----

struct level_name {
    const char* name;
    int level;
};
template <class Run>
inline constexpr level_name level_names[] = {{"MPI_THREAD_SINGLE", Run::mpi_THREAD_SINGLE},
                                             {"MPI_THREAD_FUNNELED", Run::mpi_THREAD_FUNNELED},
                                             {"MPI_THREAD_SERIALIZED", Run::mpi_THREAD_SERIALIZED},
                                             {"MPI_THREAD_MULTIPLE", Run::mpi_THREAD_MULTIPLE}};

/// Returns the thread level that the key thread_level requests. Without the key, any level may be needed.
template <class Run>
int requested_level(word info) {
    char value[32] = "";
    int is_there = 0;
    if (!is_library_null<Run, object::info>(info))
        library<Run>.Info_get(info, "thread_level", static_cast<int>(sizeof value) - 1, value, &is_there);
    for (const level_name& known : level_names<Run>)
        if (is_there != 0 && std::strcmp(known.name, value) == 0)
            return known.level;
    return Run::mpi_THREAD_MULTIPLE;
}

// ---- opening and closing ----

template <class Run>
session<Run>* make_session(handle_of<Run, object::errhandler> errhandler, int level) {
    auto* const made = static_cast<session<Run>*>(std::calloc(1, sizeof(session<Run>)));
    if (made == nullptr)
        return nullptr;
    made->errhandler = errhandler;
    made->level = level < life.level ? level : life.level;
    hold_errhandler<Run>(errhandler);
    const locked hold(life.guard);
    ++life.open_sessions;
    return made;
}

template <class Run>
int Session_init(word info, word errhandler, session_of<Run>* out) {
    const auto handler = static_cast<handle_of<Run, object::errhandler>>(errhandler);
    const auto none = library_null<Run, object::session>();
    if (life.runtime == phase::after) {
        runtime::say("MPI_Session_init: this MPI library cannot open a session after MPI_Finalize has ended it.");
        return report<Run>(handler, none, Run::mpi_ERR_OTHER);
    }
    const int level = requested_level<Run>(info);
    if (const int code = start_runtime<Run>(level); code != 0)
        return code;
    if (!fits_sessions<Run>(handler))
        return report<Run>(none, Run::mpi_ERR_ARG);
    session<Run>* const made = out != nullptr ? make_session<Run>(handler, level) : nullptr;
    if (made == nullptr)
        return report<Run>(handler, none, out != nullptr ? Run::mpi_ERR_NO_MEM : Run::mpi_ERR_ARG);
    *out =
        session_handle<Run>::from_table(sessions.add(reinterpret_cast<word>(made), session_handle<Run>::class_number));
    return 0;
}

/// Closes a session. Returns true if nothing needs the runtime any more.
template <class Run>
bool close_session() {
    const locked hold(life.guard);
    return --life.open_sessions == 0 && life.world == phase::after;
}

template <class Run>
int Session_finalize(session_of<Run>* handle) {
    session<Run>* const of = handle != nullptr ? find_session<Run>(*handle) : nullptr;
    if (of == nullptr)
        return report_unknown<Run>(0);
    drop_errhandler<Run>(of->errhandler);
    sessions.remove(session_handle<Run>::in_table(*handle));
    std::free(of);
    *handle = library_null<Run, object::session>();
    if (close_session<Run>())
        end_runtime<Run>();
    return 0;
}

/// Convert to and from Fortran numbers (convert/number.hpp). The null handle may be the address of a data object.
template <class Run>
int Session_c2f(word handle) {
    const bool is_null = is_library_null<Run, object::session>(handle);
    return static_cast<int>(is_null ? session_handle<Run>::null_number : static_cast<std::uint32_t>(handle));
}
template <class Run>
word Session_f2c(int number) {
    if (static_cast<std::uint32_t>(number) == session_handle<Run>::null_number)
        return library_null<Run, object::session>();
    return session_handle<Run>::with_number(static_cast<std::uint32_t>(number));
}

// ---- process sets ----

inline constexpr const char* set_names[] = {"mpi://WORLD", "mpi://SELF"};
inline constexpr word set_communicators[] = {standard::mpi_COMM_WORLD, standard::mpi_COMM_SELF};
inline constexpr int set_count = 2;

/// Returns the communicator of a process set, or 0 if no set has this name. Names are compared without case, as
/// libraries do it.
template <class Run>
word communicator_of(const char* name) {
    for (int i = 0; i < set_count; ++i)
        if (name != nullptr && strcasecmp(name, set_names[i]) == 0)
            return predefined<Run>(set_communicators[i]);
    return 0;
}

template <class Run>
int Session_get_num_psets(word handle, word, int* count) {
    if (find_session<Run>(handle) == nullptr)
        return report_unknown<Run>(handle);
    if (count == nullptr)
        return report<Run>(handle, Run::mpi_ERR_ARG);
    *count = set_count;
    return 0;
}

/// Lengths count the terminating zero: `length` is first the size of `name`, then the size that the whole name needs.
template <class Run>
int Session_get_nth_pset(word handle, word, int n, int* length, char* name) {
    if (find_session<Run>(handle) == nullptr)
        return report_unknown<Run>(handle);
    if (n < 0 || n >= set_count || length == nullptr || (name == nullptr && *length > 0))
        return report<Run>(handle, Run::mpi_ERR_ARG);
    if (*length > 0)
        std::snprintf(name, static_cast<std::size_t>(*length), "%s", set_names[n]);
    *length = static_cast<int>(std::strlen(set_names[n])) + 1;
    return 0;
}

/// Finds the communicator of a process set, for a call that writes to `out`. Returns the code of an error, which has
/// been reported, or 0.
template <class Run>
int find_set(word handle, const char* name, const void* out, word* comm) {
    if (find_session<Run>(handle) == nullptr)
        return report_unknown<Run>(handle);
    *comm = communicator_of<Run>(name);
    return *comm == 0 || out == nullptr ? report<Run>(handle, Run::mpi_ERR_ARG) : 0;
}

template <class Run>
int Group_from_session_pset(word handle, const char* name, handle_of<Run, object::group>* group) {
    word comm = 0;
    const int code = find_set<Run>(handle, name, group, &comm);
    return code != 0 ? code : library<Run>.Comm_group(comm, group);
}

// ---- information about sessions and process sets ----

template <class Run>
int info_with(const char* key, const char* value, handle_of<Run, object::info>* info) {
    const int code = library<Run>.Info_create(info);
    return code == 0 ? library<Run>.Info_set(*info, key, value) : code;
}

template <class Run>
int Session_get_pset_info(word handle, const char* name, handle_of<Run, object::info>* info) {
    word comm = 0;
    int size = 0;
    int code = find_set<Run>(handle, name, info, &comm);
    if (code == 0)
        code = library<Run>.Comm_size(comm, &size);
    if (code != 0)
        return code;
    char text[16];
    std::snprintf(text, sizeof text, "%d", size);
    return info_with<Run>("mpi_size", text, info);
}

template <class Run>
int Session_get_info(word handle, handle_of<Run, object::info>* info) {
    const session<Run>* const of = find_session<Run>(handle);
    if (of == nullptr)
        return report_unknown<Run>(handle);
    if (info == nullptr)
        return report<Run>(handle, Run::mpi_ERR_ARG);
    const char* text = "";
    for (const level_name& known : level_names<Run>)
        if (known.level == of->level)
            text = known.name;
    return info_with<Run>("thread_level", text, info);
}

// ---- error handlers ----

template <class Run>
int Session_set_errhandler(word handle, word errhandler) {
    const auto handler = static_cast<handle_of<Run, object::errhandler>>(errhandler);
    session<Run>* const of = find_session<Run>(handle);
    if (of == nullptr)
        return report_unknown<Run>(handle);
    if (!fits_sessions<Run>(handler))
        return report<Run>(handle, Run::mpi_ERR_ARG);
    hold_errhandler<Run>(handler);
    drop_errhandler<Run>(of->errhandler);
    of->errhandler = handler;
    return 0;
}

template <class Run>
int Session_get_errhandler(word handle, handle_of<Run, object::errhandler>* errhandler) {
    session<Run>* const of = find_session<Run>(handle);
    if (of == nullptr)
        return report_unknown<Run>(handle);
    if (errhandler == nullptr)
        return report<Run>(handle, Run::mpi_ERR_ARG);
    lend_errhandler<Run>(of->errhandler);
    *errhandler = of->errhandler;
    return 0;
}

template <class Run>
int Session_call_errhandler(word handle, int code) {
    if (find_session<Run>(handle) == nullptr)
        return report_unknown<Run>(handle);
    report<Run>(handle, code);
    return 0;
}

// ---- communicators ----

/// Returns a tag that depends on the program's text. The creation of one communicator uses other tags than the creation
/// of another one.
template <class Run>
int tag_for(const char* text) {
    const tag_range tags = own_tags<Run>();
    std::uint32_t hash = 2166136261u;
    for (; *text != '\0'; ++text)
        hash = (hash ^ static_cast<unsigned char>(*text)) * 16777619u;
    return tags.first + static_cast<int>(hash % static_cast<std::uint32_t>(tags.count));
}

/// Reports an error of a call whose errhandler argument is meant for the new communicator.
template <class Run>
int report_to_given(word errhandler, int code) {
    using handle = handle_of<Run, object::errhandler>;
    return is_errhandler<Run>(static_cast<handle>(errhandler), standard::mpi_ERRORS_RETURN) ? code : raise<Run>(code);
}

template <class Run>
int set_errhandler_and_info(handle_of<Run, object::comm> comm, word info, word errhandler) {
    if (comm == library_null<Run, object::comm>())
        return 0;
    int code = library<Run>.Comm_set_errhandler(comm, errhandler);
    if (code == 0 && !is_library_null<Run, object::info>(info))
        code = library<Run>.Comm_set_info(comm, info);
    return code;
}

template <class Run>
int Comm_create_from_group(word group, const char* tag, word info, word errhandler,
                           handle_of<Run, object::comm>* made) {
    if (is_library_null<Run, object::group>(group))
        return report_to_given<Run>(errhandler, Run::mpi_ERR_GROUP);
    if (tag == nullptr || made == nullptr)
        return report_to_given<Run>(errhandler, Run::mpi_ERR_ARG);
    const int code = library<Run>.Comm_create_group(parent_of_sessions<Run>, group, tag_for<Run>(tag), made);
    if (code != 0)
        return code;
    return set_errhandler_and_info<Run>(*made, info, errhandler);
}

/// Creates a communicator of the two leaders only, which know both groups. Both leaders use the same order.
template <class Run>
int create_leaders_communicator(const int (&leaders)[2], int tag, handle_of<Run, object::comm>* made) {
    const word world = parent_of_sessions<Run>;
    handle_of<Run, object::group> all{};
    handle_of<Run, object::group> both{};
    const int sorted[2] = {leaders[0] < leaders[1] ? leaders[0] : leaders[1],
                           leaders[0] < leaders[1] ? leaders[1] : leaders[0]};
    int code = library<Run>.Comm_group(world, &all);
    if (code != 0)
        return code;
    if (code = library<Run>.Group_incl(all, 2, sorted, &both); code == 0) {
        code = library<Run>.Comm_create_group(world, both, tag, made);
        library<Run>.Group_free(&both);
    }
    library<Run>.Group_free(&all);
    return code;
}

/// Finds the rank of a process in MPI_COMM_WORLD.
template <class Run>
int find_rank_in_world(word group, int rank, int* result) {
    handle_of<Run, object::group> all{};
    if (const int code = library<Run>.Comm_group(predefined<Run>(standard::mpi_COMM_WORLD), &all); code != 0)
        return code;
    const int code = library<Run>.Group_translate_ranks(group, 1, &rank, all, result);
    library<Run>.Group_free(&all);
    return code;
}

/// Creates the intercommunicator from the local communicator and, at the leaders, a communicator between them.
template <class Run>
int connect_groups(word local, word local_group, int local_leader, word remote_group, int remote_leader, int tag,
                   handle_of<Run, object::comm>* made) {
    auto between = library_null<Run, object::comm>();
    int rank = 0;
    int leaders[2] = {0, 0};
    int code = library<Run>.Comm_rank(local, &rank);
    const bool leads = rank == local_leader;
    if (code == 0 && leads)
        code = find_rank_in_world<Run>(local_group, local_leader, &leaders[0]);
    if (code == 0 && leads)
        code = find_rank_in_world<Run>(remote_group, remote_leader, &leaders[1]);
    if (code == 0 && leads)
        code = create_leaders_communicator<Run>(leaders, tag, &between);
    if (code != 0)
        return code;
    code = library<Run>.Intercomm_create(local, local_leader, between, leaders[0] < leaders[1] ? 1 : 0, 0, made);
    if (leads)
        library<Run>.Comm_free(&between);
    return code;
}

template <class Run>
int Intercomm_create_from_groups(word local_group, int local_leader, word remote_group, int remote_leader,
                                 const char* text, word info, word errhandler, handle_of<Run, object::comm>* made) {
    if (is_library_null<Run, object::group>(local_group))
        return report_to_given<Run>(errhandler, Run::mpi_ERR_GROUP);
    if (text == nullptr || made == nullptr)
        return report_to_given<Run>(errhandler, Run::mpi_ERR_ARG);
    const int tag = tag_for<Run>(text);
    handle_of<Run, object::comm> local{};
    int code = library<Run>.Comm_create_group(parent_of_sessions<Run>, local_group, tag, &local);
    if (code != 0)
        return code;
    code = connect_groups<Run>(local, local_group, local_leader, remote_group, remote_leader, tag, made);
    library<Run>.Comm_free(&local);
    return code == 0 ? set_errhandler_and_info<Run>(*made, info, errhandler) : code;
}

// ---- binding ----

/// Returns true if sessions are emulated, because the runtime does not have or does not export them.
template <class Run>
bool emulates_sessions() {
    return library<Run>.Session_init == static_cast<int (*)(word, word, session_of<Run>*)>(Session_init<Run>);
}

} // namespace anympi::emulate
