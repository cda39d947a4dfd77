#pragma once

#include "base/lock.hpp"
#include "emulate/engine/compound_progress.hpp"
#include "emulate/engine/own_tags.hpp"
#include "emulate/engine/start_checks.hpp"
#include "emulate/sessions/after_end.hpp"

#include <atomic>
#include <pthread.h>
#include <unistd.h>

namespace anympi::emulate {

/// The life of a runtime that only has MPI_Init and MPI_Finalize. A program may open sessions, and call some functions
/// at any time, as MPI 4 allows. The runtime is started by the first call that needs it. The world model (which
/// MPI_Init and MPI_Finalize begin and end) is tracked separately for the program.
///
/// The runtime ends with MPI_Finalize, or with the last session that is open then. If MPI_Init was not called, the
/// program may open sessions until it exits, and the runtime ends at exit.
enum class phase { before, during, after };

struct runtime_life {
    lock guard; // protects the members that are not atomic
    std::atomic<phase> runtime;
    std::atomic<phase> world;
    int open_sessions;
    int level; // the runtime's thread level
    int world_level;
    bool world_came_later; // the runtime was already started for something else
    pthread_t main_thread; // the thread that began the world, if world_came_later
    pid_t process;         // the process that started the runtime for something else
};
[[gnu::visibility("hidden")]] extern runtime_life life;

/// Records the keyval of an attribute of MPI_COMM_SELF. The order in which the attributes were set is kept.
bool note_attribute_of_self(int keyval, bool& is_new); // returns false if memory is exhausted
void forget_attribute_of_self(int keyval);
/// Takes the keyval that was set last. Returns false if no keyval is left.
bool take_attribute_of_self(int& keyval);

/// Registers `end` to be called with the exit code when the process exits.
void at_exit(void (*end)(int code, void*));

// Overrides of the runtime's functions with the same names.
namespace world {

template <class Run>
int Init_thread(int* argc, char*** argv, int required, int* provided);
template <class Run>
int Query_thread(int* provided);
template <class Run>
int Finalize();
template <class Run>
int Comm_delete_attr(word comm, int keyval);

} // namespace world

/// A communicator of all processes, from which the communicators of sessions are created. On MPI_COMM_WORLD, a receive
/// of the program with MPI_ANY_TAG could take the messages of that creation (Open MPI 4.1).
template <class Run>
inline handle_of<Run, object::comm> parent_of_sessions{};

/// Creates the parent communicator. All processes do so when they start the runtime, for whatever purpose. It uses
/// messages with anympi's own tag, which is safe because nobody receives on MPI_COMM_WORLD yet. A collective operation
/// on MPI_COMM_WORLD (MPI_Comm_create) would change the count of Open MPI 4.1: its nonblocking collectives each take
/// the next tag, and its MPI_Dist_graph_create shares the tags of the 24th and the 25th. It may hang there, and must
/// not hang at another place than it does without anympi.
template <class Run>
int make_parent_of_sessions() {
    const word world = predefined<Run>(standard::mpi_COMM_WORLD);
    handle_of<Run, object::group> all{};
    if (const int code = library<Run>.Comm_group(world, &all); code != 0)
        return code;
    const int code = library<Run>.Comm_create_group(world, all, own_tags<Run>().first, &parent_of_sessions<Run>);
    library<Run>.Group_free(&all);
    return code;
}

template <class Run>
int finalize_runtime() {
    if (life.runtime == phase::during) {
        keep_for_after_end<Run>();
        const bool is_there = parent_of_sessions<Run> != library_null<Run, object::comm>();
        if (is_there) // an MPI_Finalize that failed may have freed it
            library<Run>.Comm_free(&parent_of_sessions<Run>);
    }
    return original<world::Finalize<Run>>();
}

template <class Run>
void end_runtime() {
    end_all_freed<Run>(); // as in the override of MPI_Finalize
    finalize_runtime<Run>();
    life.runtime = phase::after;
}

/// Ends the runtime at exit, if it is not in use and cannot be used again. If the process fails, the runtime is left
/// alone: its launcher must end the other processes, and MPICH exits from inside its functions when it aborts.
template <class Run>
void end_at_exit(int code, void*) {
    const bool is_used = life.open_sessions > 0 || life.world == phase::during;
    if (code == 0 && life.runtime == phase::during && !is_used && getpid() == life.process)
        end_runtime<Run>();
}

/// Starts the runtime for something else than the world model.
template <class Run>
int start_runtime(int level) {
    if (life.runtime == phase::during)
        return 0;
    const locked hold(life.guard);
    if (life.runtime != phase::before)
        return life.runtime == phase::during ? 0 : Run::mpi_ERR_OTHER;
    launcher_check.before_start();
    if (const int code = original<world::Init_thread<Run>>(nullptr, nullptr, level, &life.level); code != 0)
        return code;
    check_world<Run>(predefined<Run>(standard::mpi_COMM_WORLD), library_null<Run, object::comm>());
    if (const int code = make_parent_of_sessions<Run>(); code != 0)
        return code;
    life.process = getpid();
    at_exit(end_at_exit<Run>);
    life.runtime = phase::during;
    return 0;
}

// ---- the world model ----

/// Begins the world. If the runtime is not running, `start` starts it and reads its thread level. The guard is held
/// meanwhile, because another thread may need the runtime at the same time.
template <class Run, class Start>
int begin_world(int level_if_later, Start start) {
    const locked hold(life.guard);
    if (life.runtime == phase::during && life.world == phase::before) {
        life.world_came_later = true;
        life.main_thread = pthread_self();
    } else {
        int code = start();
        if (code == 0)
            code = make_parent_of_sessions<Run>();
        if (code != 0)
            return code;
    }
    life.world_level = life.world_came_later && level_if_later < life.level ? level_if_later : life.level;
    life.runtime = phase::during;
    life.world = phase::during;
    return 0;
}

namespace world {

template <class Run>
int Init(int* argc, char*** argv) {
    return begin_world<Run>(Run::mpi_THREAD_SINGLE, [=] {
        const int code = original<Init<Run>>(argc, argv);
        if (code == 0)
            original<Query_thread<Run>>(&life.level);
        return code;
    });
}

template <class Run>
int Init_thread(int* argc, char*** argv, int required, int* provided) {
    if (provided == nullptr)
        return original<Init_thread<Run>>(argc, argv, required, provided);
    const int code =
        begin_world<Run>(required, [=] { return original<Init_thread<Run>>(argc, argv, required, &life.level); });
    if (code == 0)
        *provided = life.world_level;
    return code;
}

template <class Run>
int Initialized(int* flag) {
    if (flag == nullptr)
        return original<Initialized<Run>>(flag);
    *flag = life.world != phase::before ? 1 : 0;
    return 0;
}

template <class Run>
int Finalized(int* flag) {
    if (flag == nullptr)
        return original<Finalized<Run>>(flag);
    *flag = life.world == phase::after ? 1 : 0;
    return 0;
}

template <class Run>
int Query_thread(int* provided) {
    if (provided == nullptr || life.world != phase::during)
        return original<Query_thread<Run>>(provided);
    *provided = life.world_level;
    return 0;
}

template <class Run>
int Is_thread_main(int* flag) {
    if (flag == nullptr || !life.world_came_later)
        return original<Is_thread_main<Run>>(flag);
    *flag = pthread_equal(pthread_self(), life.main_thread) != 0 ? 1 : 0;
    return 0;
}

/// Deletes the attributes of MPI_COMM_SELF in reverse order. MPI_Finalize begins with this, as if MPI_COMM_SELF were
/// freed.
template <class Run>
int delete_attributes_of_self() {
    int keyval = 0;
    while (take_attribute_of_self(keyval))
        if (const int code = original<Comm_delete_attr<Run>>(predefined<Run>(standard::mpi_COMM_SELF), keyval);
            code != 0)
            return code;
    return 0;
}

template <class Run>
bool has_open_sessions() {
    const locked hold(life.guard);
    return life.open_sessions > 0;
}

/// Ends the world. Returns true if the runtime must end now, because the last session may have been closed meanwhile.
template <class Run>
bool leave_world() {
    const locked hold(life.guard);
    life.world = phase::after;
    return life.open_sessions == 0;
}

template <class Run>
int Finalize() {
    if (life.runtime == phase::during && life.world != phase::during)
        return raise<Run>(Run::mpi_ERR_OTHER);
    if (!has_open_sessions<Run>()) {
        if (const int code = finalize_runtime<Run>(); code != 0)
            return code;
        life.world = phase::after;
        life.runtime = phase::after;
        return 0;
    }
    if (const int code = delete_attributes_of_self<Run>(); code != 0)
        return code;
    if (leave_world<Run>())
        end_runtime<Run>();
    return 0;
}

template <class Run>
bool is_self(word comm) {
    using handle = handle_of<Run, object::comm>;
    return static_cast<handle>(comm) == static_cast<handle>(predefined<Run>(standard::mpi_COMM_SELF));
}

template <class Run>
int Comm_set_attr(word comm, int keyval, void* value) {
    if (!is_self<Run>(comm))
        return original<Comm_set_attr<Run>>(comm, keyval, value);
    return with_handlers_last([=] {
        bool is_new = false;
        if (!note_attribute_of_self(keyval, is_new))
            return raise<Run>(comm, Run::mpi_ERR_NO_MEM);
        const int code = with_true_code([=] { return original<Comm_set_attr<Run>>(comm, keyval, value); });
        if (code != 0 && is_new)
            forget_attribute_of_self(keyval);
        return code;
    });
}

template <class Run>
int Comm_delete_attr(word comm, int keyval) {
    const int code = original<Comm_delete_attr<Run>>(comm, keyval);
    if (code == 0 && is_self<Run>(comm))
        forget_attribute_of_self(keyval);
    return code;
}

} // namespace world

// ---- functions that MPI 4 allows at any time ----

/// An override of a function that may be called at any time. `Ended` replaces the runtime's function after the end of
/// the runtime.
template <class Run, auto Place, auto Ended>
struct at_any_time;

template <class Run, class Result, class... Arguments, Result (*functions<Run>::*Place)(Arguments...),
          Result (*Ended)(Arguments...)>
struct at_any_time<Run, Place, Ended> {
    static Result call(Arguments... arguments) {
        if (const phase now = life.runtime; now == phase::after)
            return Ended(arguments...);
        else if (now == phase::before)
            start_runtime<Run>(Run::mpi_THREAD_MULTIPLE);
        return original<call>(arguments...);
    }
};

} // namespace anympi::emulate
