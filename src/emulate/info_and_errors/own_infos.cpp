#include "emulate/info_and_errors/own_infos.hpp"

#include "base/entry_table.hpp"
#include "base/lock.hpp"

#include <algorithm>
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

constinit std::atomic<bool> has_long_keys{false};

struct own_info {
    word handle;
    entry* entries; // in the order of their first setting
    own_info* next;

    word key() const { return handle; }
};

namespace {

constinit lock info_guard;
entry_table<own_info> infos;

entry** place_of(own_info& in, const char* key) {
    entry** place = &in.entries;
    while (*place != nullptr && std::strcmp((*place)->key, key) != 0)
        place = &(*place)->next;
    return place;
}

// Returns the value of a key, or nullptr if there is no such info or key.
const char* value_of(word handle, const char* key) {
    own_info* const found = infos.find(handle);
    const entry* const one = found != nullptr ? *place_of(*found, key) : nullptr;
    return one != nullptr ? one->value : nullptr;
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
    const locked hold(info_guard);
    if (infos.find(handle) != nullptr) {
        std::free(made); // the info is already noted and keeps its entries
        return true;
    }
    *made = {handle, nullptr, nullptr};
    infos.add(made);
    return true;
}

bool forget_info(word handle) {
    const locked hold(info_guard);
    own_info* const old = infos.take_out(handle);
    if (old == nullptr)
        return false;
    while (old->entries != nullptr)
        take_out(&old->entries);
    std::free(old);
    return true;
}

// Needs no lock, because the program creates no infos while it ends MPI.
void read_noted_infos(read_info* read) {
    infos.for_each([read](own_info& one) { read(one.handle, one); });
}

bool set_info_entry(word handle, const char* key, const char* value) {
    const locked hold(info_guard);
    own_info* const found = infos.find(handle);
    return found != nullptr && set_entry(*found, key, value);
}

bool keep_info_entry(word handle, const char* key, const char* value) {
    has_long_keys.store(true, std::memory_order_release);
    return note_info(handle) && set_info_entry(handle, key, value);
}

bool copy_info(word from, word to) {
    const locked hold(info_guard);
    const own_info* const source = infos.find(from);
    own_info* const target = infos.find(to);
    if (source == nullptr || target == nullptr)
        return false;
    for (const entry* one = source->entries; one != nullptr; one = one->next)
        if (!set_entry(*target, one->key, one->value))
            return false;
    return true;
}

bool delete_info_entry(word handle, const char* key) {
    const locked hold(info_guard);
    own_info* const found = infos.find(handle);
    entry** const place = found != nullptr ? place_of(*found, key) : nullptr;
    if (place == nullptr || *place == nullptr)
        return false;
    take_out(place);
    return true;
}

void find_info_length(word handle, const char* key, int* length, int* is_there) {
    const locked hold(info_guard);
    const char* const value = value_of(handle, key);
    *is_there = value != nullptr ? 1 : 0;
    if (value != nullptr)
        *length = static_cast<int>(std::strlen(value));
}

void find_info_value(word handle, const char* key, int most, char* value, int* is_there) {
    const locked hold(info_guard);
    const char* const found = value_of(handle, key);
    *is_there = found != nullptr ? 1 : 0;
    if (found == nullptr)
        return;
    const std::size_t copied = std::min(std::strlen(found), static_cast<std::size_t>(most));
    std::memcpy(value, found, copied);
    value[copied] = '\0';
}

int count_info_keys(word handle) {
    const locked hold(info_guard);
    const own_info* const found = infos.find(handle);
    if (found == nullptr)
        return -1;
    int count = 0;
    for (const entry* one = found->entries; one != nullptr; one = one->next)
        ++count;
    return count;
}

bool get_info_key(word handle, int n, char* key) {
    const locked hold(info_guard);
    const own_info* const found = infos.find(handle);
    const entry* one = found != nullptr ? found->entries : nullptr;
    for (; one != nullptr && n > 0; --n)
        one = one->next;
    if (one == nullptr || n < 0)
        return false;
    std::strcpy(key, one->key);
    return true;
}

} // namespace anympi::emulate
