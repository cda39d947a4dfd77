#pragma once

#include "convert/attribute.hpp"
#include "convert/lock.hpp"
#include "emulate/error.hpp"

#include <cstdlib>

namespace anympi::emulate {

/// Partitioned messages match those of the other side in the order in which the two were *made*, and no other messages,
/// while they travel as ordinary ones. They are told apart by their tags (docs/decisions/0007-partitioned-tags.md):
///     upper half of the tags | number of the pair among those of the same tag, modulo 64 | tag of the program
/// Both sides count for themselves, for each communicator, peer, tag and direction.

struct channel {
    int peer;
    int tag;
    bool is_send;
    unsigned used;
    channel* next;
};

/// Its channels are an attribute of the communicator: they end with it on both sides, so that one that is made later
/// begins with 0 on both, whatever handle it has.
template <class Run>
class channels_of_communicators {
public:
    /// Of the communicator; nullptr: no memory.
    channel* find(word comm, int peer, int tag, bool is_send) {
        const locked hold(guard);
        list* const mine = of(comm);
        if (mine == nullptr)
            return nullptr;
        for (channel* each = mine->first; each != nullptr; each = each->next)
            if (each->peer == peer && each->tag == tag && each->is_send == is_send)
                return each;
        auto* const made = static_cast<channel*>(std::malloc(sizeof(channel)));
        if (made == nullptr)
            return nullptr;
        *made = {peer, tag, is_send, 0, mine->first};
        return mine->first = made;
    }

private:
    struct list {
        channel* first;
    };

    bool have_keyval() {
        if (!has_keyval)
            has_keyval = library<Run>.Comm_create_keyval(predefined_functions<Run, object::comm>.null_copy,
                                                         reinterpret_cast<void*>(end_channels), &keyval, nullptr) == 0;
        return has_keyval;
    }

    list* of(word comm) {
        list* found = nullptr;
        int flag = 0;
        if (!have_keyval() || library<Run>.Comm_get_attr(comm, keyval, &found, &flag) != 0)
            return nullptr;
        if (flag != 0)
            return found;
        found = static_cast<list*>(std::calloc(1, sizeof(list)));
        if (found != nullptr && library<Run>.Comm_set_attr(comm, keyval, found) != 0) {
            std::free(found);
            found = nullptr;
        }
        return found;
    }

    static int end_channels(handle_of<Run, object::comm>, int, void* attribute, void*) {
        auto* const ended = static_cast<list*>(attribute);
        while (channel* const each = ended->first) {
            ended->first = each->next;
            std::free(each);
        }
        std::free(ended);
        return 0;
    }

    lock guard;
    bool has_keyval = false;
    int keyval = 0;
};
template <class Run>
inline channels_of_communicators<Run> channels{};

/// The next number of a channel, for one message that is being made.
template <class Run>
class channel_number {
public:
    channel_number(word comm, int peer, int tag, bool is_send) {
        const int mark = upper_half();
        const int limit = mark / numbers;
        if (tag < 0 || tag >= limit)
            failure = raise<Run>(comm, Run::mpi_ERR_TAG);
        else if ((found = channels<Run>.find(comm, peer, tag, is_send)) == nullptr)
            failure = raise<Run>(comm, Run::mpi_ERR_NO_MEM);
        else
            number = __atomic_fetch_add(&found->used, 1, __ATOMIC_RELAXED);
        tag_of_message = mark + static_cast<int>(number % numbers) * limit + tag;
    }
    /// The other side never hears of a message that was not made.
    ~channel_number() {
        if (failure == 0 && !is_used)
            __atomic_fetch_sub(&found->used, 1, __ATOMIC_RELAXED);
    }
    channel_number(const channel_number&) = delete;
    channel_number& operator=(const channel_number&) = delete;

    /// A code that was raised.
    int failed() const { return failure; }
    int tag() const { return tag_of_message; }
    void use() { is_used = true; }

private:
    static constexpr int numbers = 64;

    /// The first tag of the upper half of those that the runtime has; MPI promises 32768 of them.
    static int upper_half() {
        int* largest = nullptr;
        int flag = 0;
        library<Run>.Comm_get_attr(predefined<Run>(standard::mpi_COMM_WORLD), Run::mpi_TAG_UB, &largest, &flag);
        const int known = flag != 0 ? *largest : 32767;
        return known / 2 + 1;
    }

    channel* found = nullptr;
    unsigned number = 0;
    int tag_of_message;
    int failure = 0;
    bool is_used = false;
};

} // namespace anympi::emulate
