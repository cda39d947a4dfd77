#pragma once

#include "base/lock.hpp"
#include "convert/attribute.hpp"
#include "convert/deferred_handlers.hpp"
#include "emulate/engine/error.hpp"

#include <atomic>
#include <cstdlib>

namespace anympi::emulate {

/// Objects of anympi that belong to communicators. They are attributes, so each object ends with its communicator, and
/// a new communicator that gets the same handle has no object. All functions report the error codes that they return.
template <class Run, class Object, void (*End)(Object*)>
class comm_objects {
public:
    /// Creates the keyval. Call it before the first object is added.
    int use() {
        return with_handlers_last([this] {
            const locked hold(guard);
            if (is_used.load(std::memory_order_relaxed))
                return 0;
            const int code = library<Run>.Comm_create_keyval(predefined_functions<Run, object::comm>.null_copy,
                                                             reinterpret_cast<void*>(call_end), &keyval, nullptr);
            if (code == 0)
                is_used.store(true, std::memory_order_release);
            return code;
        });
    }

    /// Sets `found` to the object of a communicator, or to nullptr.
    int find(word comm, Object** found) {
        *found = nullptr;
        if (!is_used.load(std::memory_order_acquire))
            return 0;
        void* value = nullptr;
        int is_there = 0;
        const int code = library<Run>.Comm_get_attr(comm, keyval, &value, &is_there);
        if (code == 0 && is_there != 0)
            *found = static_cast<Object*>(value);
        return code;
    }

    int add(word comm, Object* object) { return library<Run>.Comm_set_attr(comm, keyval, object); }
    int end(word comm) { return library<Run>.Comm_delete_attr(comm, keyval); }

    /// Finds the object of a communicator, or makes one whose bytes are all zero.
    int find_or_make(word comm, Object** found) {
        int code = use();
        if (code == 0)
            code = find(comm, found);
        if (code != 0 || *found != nullptr)
            return code;
        code = with_handlers_last([=, this] { return make(comm, found); });
        return code == 0 && *found == nullptr ? raise<Run>(comm, Run::mpi_ERR_NO_MEM) : code;
    }

private:
    /// Makes an object. Sets `found` to nullptr if memory is exhausted.
    int make(word comm, Object** found) {
        const locked hold(guard);
        int code = find(comm, found);
        if (code != 0 || *found != nullptr) // another thread was faster
            return code;
        auto* const made = static_cast<Object*>(std::calloc(1, sizeof(Object)));
        if (made != nullptr)
            code = add(comm, made);
        if (code == 0)
            *found = made;
        else
            std::free(made);
        return code;
    }

    static int call_end(handle_of<Run, object::comm>, int, void* object, void*) {
        End(static_cast<Object*>(object));
        return 0;
    }

    lock guard;
    std::atomic<bool> is_used{false};
    int keyval = 0;
};

} // namespace anympi::emulate
