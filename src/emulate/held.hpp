#pragma once

#include "convert/lock.hpp"
#include "emulate/completion.hpp"

#include <cstdlib>

namespace anympi::emulate {

/// Datatypes and operations that an operation of ours will still use. A program may free them meanwhile; the runtime,
/// which does not see that use, is told when the last one has ended.
template <class Run>
class held_handles {
public:
    /// Without memory the program must not free it early.
    void hold(word handle) {
        replace_frees();
        const locked hold(guard);
        entry* known = *place_of(handle);
        if (known == nullptr) {
            known = static_cast<entry*>(std::malloc(sizeof(entry)));
            if (known == nullptr)
                return;
            *known = {handle, 0, nullptr, first};
            first = known;
        }
        ++known->uses;
    }

    void drop(word handle) {
        free_function* const free = forget(handle);
        auto object = static_cast<handle_of<Run, object::datatype>>(handle);
        if (free != nullptr)
            free(&object);
    }

private:
    static_assert(sizeof(handle_of<Run, object::datatype>) == sizeof(handle_of<Run, object::op>));
    using free_function = int(handle_of<Run, object::datatype>*);

    struct entry {
        word handle;
        int uses;
        free_function* free; ///< what the program called; nullptr: it has not
        entry* next;
    };

    entry** place_of(word handle) {
        entry** link = &first;
        while (*link != nullptr && (*link)->handle != handle)
            link = &(*link)->next;
        return link;
    }

    /// How it is to be freed after its last use; nullptr: not at all.
    free_function* forget(word handle) {
        const locked hold(guard);
        entry*& place = *place_of(handle);
        if (place == nullptr || --place->uses > 0)
            return nullptr;
        entry* const gone = place;
        free_function* const free = gone->free;
        place = gone->next;
        std::free(gone);
        return free;
    }

    bool free_later(word handle, free_function* free) {
        const locked hold(guard);
        entry* const known = *place_of(handle);
        if (known != nullptr)
            known->free = free;
        return known != nullptr;
    }

    static int free_type(handle_of<Run, object::datatype>* type);
    static int free_op(handle_of<Run, object::op>* op);

    void replace_frees() {
        const locked hold(guard);
        if (native_type_free != nullptr)
            return;
        native_type_free = library<Run>.Type_free;
        native_op_free = library<Run>.Op_free;
        replace(library<Run>.Type_free, free_type);
        replace(library<Run>.Op_free, free_op);
    }

    lock guard;
    entry* first = nullptr;
    free_function* native_type_free = nullptr;
    free_function* native_op_free = nullptr;
};
template <class Run>
inline held_handles<Run> held{};

template <class Run>
int held_handles<Run>::free_type(handle_of<Run, object::datatype>* type) {
    if (type == nullptr || !held<Run>.free_later(*type, held<Run>.native_type_free))
        return held<Run>.native_type_free(type);
    *type = static_cast<handle_of<Run, object::datatype>>(predefined<Run>(standard::mpi_DATATYPE_NULL));
    return 0;
}

template <class Run>
int held_handles<Run>::free_op(handle_of<Run, object::op>* op) {
    if (op == nullptr || !held<Run>.free_later(*op, held<Run>.native_op_free))
        return held<Run>.native_op_free(op);
    *op = static_cast<handle_of<Run, object::op>>(predefined<Run>(standard::mpi_OP_NULL));
    return 0;
}

} // namespace anympi::emulate
