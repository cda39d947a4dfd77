#pragma once

#include "base/entry_table.hpp"
#include "emulate/engine/comm_objects.hpp"
#include "emulate/engine/own_tags.hpp"

namespace anympi::emulate {

// Partitioned messages match the messages of the other side in the order in which both were *created*, and they match
// no other messages. Here they are ordinary messages, distinguished by their tags
// (docs/decisions/0007-partitioned-tags.md):
//     upper half of the tags | number of the pair among those with the same tag, modulo 64 | tag of the program
// Both sides count independently, for each communicator, peer, tag and direction.

struct channel {
    word number; // made of peer, tag and direction
    unsigned used;
    channel* next;

    word key() const { return number; }
    static word number_of(int peer, int tag, bool is_send) {
        return word{static_cast<std::uint32_t>(peer)} << 32 | word{static_cast<std::uint32_t>(tag)} << 1 |
               (is_send ? 1 : 0);
    }
};

using channel_list = entry_table<channel>;

inline void end_channels(channel_list* ended) {
    ended->clear([](channel& each) { std::free(&each); });
    std::free(ended);
}

/// The channels of all communicators. They end with their communicator on both sides.
template <class Run>
class channels_of_communicators {
public:
    /// Sets `found` to a channel, or to nullptr if memory is exhausted. The returned error code has been reported.
    int find(word comm, int peer, int tag, bool is_send, channel** found) {
        channel_list* mine = nullptr;
        *found = nullptr;
        if (const int code = channels.find_or_make(comm, &mine); code != 0)
            return code;
        const word number = channel::number_of(peer, tag, is_send);
        const locked hold(guard);
        *found = mine->find(number);
        if (*found == nullptr && (*found = static_cast<channel*>(std::malloc(sizeof(channel)))) != nullptr) {
            **found = {number, 0, nullptr};
            mine->add(*found);
        }
        return 0;
    }

private:
    lock guard;
    comm_objects<Run, channel_list, end_channels> channels;
};
template <class Run>
inline channels_of_communicators<Run> channels{};

/// The next number of a channel, for a message that is being created.
template <class Run>
class channel_number {
public:
    channel_number(word comm, int peer, int tag, bool is_send) {
        const tag_range tags = own_tags<Run>();
        const int limit = tags.count / numbers;
        if (tag < 0 || tag >= limit)
            failure = raise<Run>(comm, Run::mpi_ERR_TAG);
        else
            failure = channels<Run>.find(comm, peer, tag, is_send, &found);
        if (failure == 0 && found == nullptr)
            failure = raise<Run>(comm, Run::mpi_ERR_NO_MEM);
        if (failure != 0)
            return;
        const unsigned number = __atomic_fetch_add(&found->used, 1, __ATOMIC_RELAXED);
        tag_of_message = tags.first + static_cast<int>(number % numbers) * limit + tag;
    }
    /// Returns the number if the message was not created, because the other side never learns of it.
    ~channel_number() {
        if (failure == 0 && !is_used)
            __atomic_fetch_sub(&found->used, 1, __ATOMIC_RELAXED);
    }
    channel_number(const channel_number&) = delete;
    channel_number& operator=(const channel_number&) = delete;

    /// Returns the error code, which has been reported, or 0.
    int raised_code() const { return failure; }
    int tag() const { return tag_of_message; }
    void use() { is_used = true; }

private:
    static constexpr int numbers = 64;

    channel* found = nullptr;
    int tag_of_message = 0;
    int failure = 0;
    bool is_used = false;
};

} // namespace anympi::emulate
