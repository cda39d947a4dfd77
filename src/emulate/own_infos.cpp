#include "emulate/own_infos.hpp"

#include "convert/lock.hpp"

#include <cstdlib>
#include <cstring>

namespace anympi::emulate {

namespace {

struct entry {
    char* key;
    char* value;
    entry* next;
};

} // namespace

constinit std::atomic<bool> has_kept_entries{false};

struct own_info {
    word handle;
    entry* entries; ///< in the order in which they were set
    own_info* next;
};

namespace {

constinit lock guard;
own_info* newest = nullptr;

/// Most often the newest.
own_info** place_of(word handle) {
    own_info** place = &newest;
    while (*place != nullptr && (*place)->handle != handle)
        place = &(*place)->next;
    return place;
}

entry** place_of(own_info& in, const char* key) {
    entry** place = &in.entries;
    while (*place != nullptr && std::strcmp((*place)->key, key) != 0)
        place = &(*place)->next;
    return place;
}

void take_out(entry** place) {
    entry* const old = *place;
    *place = old->next;
    std::free(old->key);
    std::free(old->value);
    std::free(old);
}

entry* make_entry(const char* key, const char* value) {
    auto* const made = static_cast<entry*>(std::malloc(sizeof(entry)));
    char* const own_key = strdup(key);
    char* const own_value = strdup(value);
    if (made != nullptr && own_key != nullptr && own_value != nullptr) {
        *made = {own_key, own_value, nullptr};
        return made;
    }
    std::free(made);
    std::free(own_key);
    std::free(own_value);
    return nullptr;
}

} // namespace

bool set_entry(own_info& in, const char* key, const char* value) {
    entry* const made = make_entry(key, value);
    if (made == nullptr)
        return false;
    entry** const place = place_of(in, key);
    if (*place != nullptr) {
        made->next = (*place)->next;
        (*place)->next = made;
        take_out(place);
    } else {
        *place = made;
    }
    return true;
}

bool note_info(word handle) {
    auto* const made = static_cast<own_info*>(std::malloc(sizeof(own_info)));
    if (made == nullptr)
        return false;
    const locked hold(guard);
    if (has_kept_entries.load(std::memory_order_relaxed) && *place_of(handle) != nullptr) {
        std::free(made); // noted already, with its entries
        return true;
    }
    *made = {handle, nullptr, newest};
    newest = made;
    return true;
}

bool forget_info(word handle) {
    const locked hold(guard);
    own_info** const place = place_of(handle);
    own_info* const old = *place;
    if (old == nullptr)
        return false;
    while (old->entries != nullptr)
        take_out(&old->entries);
    *place = old->next;
    std::free(old);
    return true;
}

/// Without the lock: the program makes no infos while it ends MPI.
void read_noted_infos(read_info* read) {
    for (own_info* one = newest; one != nullptr; one = one->next)
        read(one->handle, *one);
}

bool set_info_entry(word handle, const char* key, const char* value) {
    const locked hold(guard);
    own_info* const found = *place_of(handle);
    return found != nullptr && set_entry(*found, key, value);
}

bool keep_info_entry(word handle, const char* key, const char* value) {
    has_kept_entries.store(true, std::memory_order_release);
    return note_info(handle) && set_info_entry(handle, key, value);
}

bool copy_info(word from, word to) {
    const locked hold(guard);
    const own_info* const source = *place_of(from);
    own_info* const target = *place_of(to);
    if (source == nullptr || target == nullptr)
        return false;
    for (const entry* one = source->entries; one != nullptr; one = one->next)
        if (!set_entry(*target, one->key, one->value))
            return false;
    return true;
}

bool delete_info_entry(word handle, const char* key) {
    const locked hold(guard);
    own_info* const found = *place_of(handle);
    entry** const place = found != nullptr ? place_of(*found, key) : nullptr;
    if (place == nullptr || *place == nullptr)
        return false;
    take_out(place);
    return true;
}

int info_value(word handle, const char* key, char* value, int room) {
    const locked hold(guard);
    own_info* const found = *place_of(handle);
    const entry* const one = found != nullptr ? *place_of(*found, key) : nullptr;
    if (one == nullptr)
        return -1;
    const std::size_t length = std::strlen(one->value);
    if (room > 0) {
        const std::size_t copied =
            length < static_cast<std::size_t>(room) ? length : static_cast<std::size_t>(room) - 1;
        std::memcpy(value, one->value, copied);
        value[copied] = '\0';
    }
    return static_cast<int>(length);
}

int info_size(word handle) {
    const locked hold(guard);
    const own_info* const found = *place_of(handle);
    if (found == nullptr)
        return -1;
    int count = 0;
    for (const entry* one = found->entries; one != nullptr; one = one->next)
        ++count;
    return count;
}

bool info_key(word handle, int n, char* key) {
    const locked hold(guard);
    const own_info* const found = *place_of(handle);
    const entry* one = found != nullptr ? found->entries : nullptr;
    for (; one != nullptr && n > 0; --n)
        one = one->next;
    if (one == nullptr || n < 0)
        return false;
    std::strcpy(key, one->key);
    return true;
}

} // namespace anympi::emulate
