#pragma once

#include "base/entry_table.hpp"
#include "base/lock.hpp"
#include "emulate/engine/compound_progress.hpp"

#include <cstdlib>

namespace anympi::emulate {

/// Counts the pending operations of anympi that use a datatype or an operation. The program may free its handle
/// meanwhile. The runtime does not know of these uses, so its function is called only after the last use has ended.
template <class Run>
class use_counts {
public:
    /// Adds a use. Returns false if memory is exhausted. Predefined handles, which are never freed, and handles that
    /// are already in use need no memory.
    [[nodiscard]] bool add_use(word given) {
        const word handle = as_freed(given);
        if (is_predefined<Run>(handle))
            return true;
        install_once<Run>(moment::handle_in_use);
        const locked hold(guard);
        entry* known = entries.find(handle);
        if (known == nullptr) {
            known = static_cast<entry*>(std::malloc(sizeof(entry)));
            if (known == nullptr)
                return false;
            *known = {handle, 0, 0, nullptr, nullptr};
            entries.add(known);
        }
        ++known->uses;
        return true;
    }

    void end_use(word given) {
        const word handle = as_freed(given);
        if (is_predefined<Run>(handle))
            return;
        const entry gone = forget(handle);
        for (int i = 0; i < gone.frees; ++i) {
            auto object = static_cast<handle_of<Run, object::datatype>>(handle);
            gone.free(&object);
        }
    }

    /// Overrides of the library's functions. They do not free a handle that is in use.
    static int Type_free(handle_of<Run, object::datatype>* type);
    static int Op_free(handle_of<Run, object::op>* op);

private:
    static_assert(sizeof(handle_of<Run, object::datatype>) == sizeof(handle_of<Run, object::op>));
    using free_function = int(handle_of<Run, object::datatype>*);

    /// Returns the handle with the bits that it has in a call that frees it: an argument of another call may have
    /// further bits, which the runtime ignores.
    static word as_freed(word given) { return static_cast<word>(static_cast<handle_of<Run, object::datatype>>(given)); }

    struct entry {
        word handle;
        int uses;
        int frees;           // how often the program has freed it; MPI_Type_get_contents may have returned it again
        free_function* free; // the runtime's function for that
        entry* next;

        word key() const { return handle; }
    };

    /// Ends a use. After the last use, returns the entry, so that the caller can free the handle. Otherwise returns an
    /// empty entry.
    entry forget(word handle) {
        const locked hold(guard);
        entry* const known = entries.find(handle);
        if (known == nullptr || --known->uses > 0)
            return {};
        entries.take_out(*known);
        const entry copy = *known;
        std::free(known);
        return copy;
    }

    bool free_later(word handle, free_function* free) {
        const locked hold(guard);
        entry* const known = entries.find(handle);
        if (known == nullptr)
            return false;
        ++known->frees;
        known->free = free;
        return true;
    }

    lock guard;
    entry_table<entry> entries;
};
template <class Run>
inline use_counts<Run> handles_in_use{};

template <class Run>
int use_counts<Run>::Type_free(handle_of<Run, object::datatype>* type) {
    if (type == nullptr || !handles_in_use<Run>.free_later(*type, original<Type_free>))
        return original<Type_free>(type);
    *type = library_null<Run, object::datatype>();
    return 0;
}

template <class Run>
int use_counts<Run>::Op_free(handle_of<Run, object::op>* op) {
    if (op == nullptr || !handles_in_use<Run>.free_later(*op, original<Op_free>))
        return original<Op_free>(op);
    *op = library_null<Run, object::op>();
    return 0;
}

} // namespace anympi::emulate
