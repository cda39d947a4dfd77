#pragma once

#include "bridge/report_no_memory.hpp"
#include "bridge/spawned_commands.hpp"
#include "convert/crossings.hpp"
#include "convert/peers.hpp"

namespace anympi::bridge {

// Functions that start processes. They read infos and counts only at the root, and convert the error codes of the
// processes after the call.

/// Returns true if this process is the root. Does not query the null communicator: the spawn call itself will report
/// it, and one report is enough.
template <class P>
bool is_spawning_root(int root, word comm) {
    return !is_library_null<typename P::run, object::comm>(comm) && is_root<typename P::app>(target<P>, comm, root);
}

/// Reads a value of the library's info. Leaves `value` empty and returns false if the key is absent.
template <class P, std::size_t size>
bool read_key(word info, const char* key, char (&value)[size]) {
    int is_there = 0;
    value[0] = '\0';
    return !is_library_null<typename P::run, object::info>(info) &&
           target<P>.Info_get(info, key, static_cast<int>(size) - 1, value, &is_there) == 0 && is_there != 0;
}

/// Reads from an info where a command is searched for.
template <class P>
void read_place(word info, command_place& place) {
    char unused[place_size];
    read_key<P>(info, "wdir", place.folder);
    read_key<P>(info, "path", place.path);
    for (const char* key : {"host", "hostfile", "add-host", "add-hostfile"})
        place.is_elsewhere = place.is_elsewhere || read_key<P>(info, key, unused);
}

template <class P>
void error_codes_to_app(int count, int* codes) {
    for (int i = 0; codes != nullptr && i < count; ++i)
        codes[i] = codes[i] == 0 ? 0 : plain_code_to_app<P>(codes[i]);
}

/// Returns the number of error codes that a call wrote: one for each requested process. Only the root knows how many
/// were requested; the other processes know how many were started.
template <class P>
int codes_written(bool at_root, int asked, const handle_out<P, object::comm>& intercomm) {
    if (at_root)
        return asked;
    int started = 0;
    return intercomm.is_made() && target<P>.Comm_remote_size(intercomm.written(), &started) == 0 ? started : 0;
}

/// A program may call this function several times, but frees the communicator once.
template <class P>
int Comm_get_parent(app_handle<P, object::comm>* parent) {
    handle_out<P, object::comm> parent_{parent};
    if (const int code = target<P>.Comm_get_parent(parent_.argument()); code != 0)
        return finish_failed_call<P>(code, parent_);
    parent_.finish_given_again();
    return 0;
}

/// Finishes a call that has requested `asked` processes, as far as this process knows. Such a call writes error codes
/// if it succeeds or if processes could not be started. Returns the converted error code.
template <class P>
int finish_spawn(int code, bool at_root, int asked, handle_out<P, object::comm>& intercomm, int* codes) {
    if (code == 0 || P::run::class_of(code) == P::run::mpi_ERR_SPAWN)
        error_codes_to_app<P>(codes_written<P>(at_root, asked, intercomm), codes);
    if (code != 0)
        return finish_failed_call<P>(code, intercomm);
    intercomm.finish();
    return 0;
}

template <class P>
int Comm_spawn(const char* command, char** arguments, int maximum, app_handle<P, object::info> info, int root,
               app_handle<P, object::comm> comm, app_handle<P, object::comm>* intercomm, int* codes) {
    const word comm_ = to_run<P, object::comm>(comm);
    const bool at_root = is_spawning_root<P>(root, comm_);
    char* given = const_cast<char*>(command);
    const word info_ = to_run<P, object::info>(info);
    spawned_commands started(at_root ? 1 : 0, &given, &arguments,
                             [&](int, command_place& place) { read_place<P>(info_, place); });
    if (started.lacks_memory())
        return report_no_memory<P>();
    handle_out<P, object::comm> intercomm_{intercomm};
    intercomm_.clear();
    const int code = target<P>.Comm_spawn(*started.commands(), *started.arguments(), maximum, info_,
                                          rank_to_run<P>(root), comm_, intercomm_.argument(), codes);
    return finish_spawn<P>(code, at_root, maximum, intercomm_, codes);
}

template <class P>
int Comm_spawn_multiple(int count, char** commands, char*** arguments, const int* maxima,
                        const app_handle<P, object::info>* infos, int root, app_handle<P, object::comm> comm,
                        app_handle<P, object::comm>* intercomm, int* codes) {
    const word comm_ = to_run<P, object::comm>(comm);
    const bool at_root = is_spawning_root<P>(root, comm_);
    const int info_count = at_root ? count : 0;
    array_in<run_handle<P, object::info>> infos_(infos, info_count);
    if (infos_.lacks_memory())
        return report_no_memory<P>();
    infos_.fill(infos, info_count, [](auto info) { return to_run<P, object::info>(info); });
    spawned_commands started(info_count, commands, arguments, [&](int i, command_place& place) {
        read_place<P>(to_run<P, object::info>(infos[i]), place);
    });
    if (started.lacks_memory())
        return report_no_memory<P>();
    int asked = 0;
    for (int i = 0; at_root && maxima != nullptr && i < count; ++i)
        asked += maxima[i];
    handle_out<P, object::comm> intercomm_{intercomm};
    intercomm_.clear();
    const int code =
        target<P>.Comm_spawn_multiple(count, started.commands(), started.arguments(), maxima, infos_.argument(),
                                      rank_to_run<P>(root), comm_, intercomm_.argument(), codes);
    return finish_spawn<P>(code, at_root, asked, intercomm_, codes);
}

} // namespace anympi::bridge
