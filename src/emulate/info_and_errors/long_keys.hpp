#pragma once

#include "emulate/engine/override.hpp"
#include "emulate/info_and_errors/abi_information.hpp"
#include "emulate/info_and_errors/info.hpp"
#include "emulate/info_and_errors/own_infos.hpp"

#include <cstring>

namespace anympi::emulate {

// Info keys that are longer than the runtime allows. MPI itself has one
// (mpi_assert_strict_persistent_collective_ordering). A runtime that cannot store such keys does not use
// them, so anympi stores them itself.
namespace with_long_keys {

template <class Run>
using info_of = handle_of<Run, object::info>;

/// Returns true for a key that is too long for the runtime but allowed for the program. The runtime gets all other keys
/// and rejects invalid ones.
template <class Run>
bool is_long(const char* key) {
    static_assert(Run::mpi_MAX_INFO_KEY < standard::mpi_MAX_INFO_KEY, "the library takes every key of a program");
    const std::size_t length = key != nullptr ? std::strlen(key) : 0;
    return length >= Run::mpi_MAX_INFO_KEY && length < standard::mpi_MAX_INFO_KEY;
}

template <class Run>
int Info_get_nkeys(word info, int* count);

/// Returns 0 if `info` is an info. Otherwise returns the error code, which the runtime has reported.
template <class Run>
int check_info(word info, int* own_keys) {
    return original<Info_get_nkeys<Run>>(info, own_keys);
}
template <class Run>
int check_info(word info) {
    int ignored = 0;
    return check_info<Run>(info, &ignored);
}

/// Returns the handle under which the long keys of an info are stored.
template <class Run>
word key_of_info(word info) {
    return static_cast<info_of<Run>>(info);
}

/// Returns how many long keys an info has. Searches only after the first long key was set.
template <class Run>
int long_keys_of(word info) {
    const int found = has_long_keys.load(std::memory_order_acquire) ? count_info_keys(key_of_info<Run>(info)) : 0;
    return found > 0 ? found : 0;
}

template <class Run>
int Info_set(word info, const char* key, const char* value) {
    if (!is_long<Run>(key) || value == nullptr)
        return original<Info_set<Run>>(info, key, value);
    if (const int code = check_info<Run>(info); code != 0)
        return code;
    if (std::strlen(value) >= standard::mpi_MAX_INFO_VAL)
        return raise_if_running<Run>(Run::mpi_ERR_INFO_VALUE);
    return keep_info_entry(key_of_info<Run>(info), key, value) ? 0 : raise_if_running<Run>(Run::mpi_ERR_NO_MEM);
}

template <class Run>
int Info_delete(word info, const char* key) {
    if (!is_long<Run>(key))
        return original<Info_delete<Run>>(info, key);
    if (const int code = check_info<Run>(info); code != 0)
        return code;
    return delete_info_entry(key_of_info<Run>(info), key) ? 0 : raise_if_running<Run>(Run::mpi_ERR_INFO_NOKEY);
}

template <class Run>
int Info_get_valuelen(word info, const char* key, int* length, int* is_there) {
    if (!is_long<Run>(key) || length == nullptr || is_there == nullptr)
        return original<Info_get_valuelen<Run>>(info, key, length, is_there);
    if (const int code = check_info<Run>(info); code != 0)
        return code;
    find_info_length(key_of_info<Run>(info), key, length, is_there);
    return 0;
}

template <class Run>
int Info_get(word info, const char* key, int most, char* value, int* is_there) {
    if (!is_long<Run>(key) || value == nullptr || is_there == nullptr || most < 0)
        return original<Info_get<Run>>(info, key, most, value, is_there);
    if (const int code = check_info<Run>(info); code != 0)
        return code;
    find_info_value(key_of_info<Run>(info), key, most, value, is_there);
    return 0;
}

template <class Run>
int Info_get_nkeys(word info, int* count) {
    const int code = original<Info_get_nkeys<Run>>(info, count);
    if (code == 0 && count != nullptr)
        *count += long_keys_of<Run>(info);
    return code;
}

/// Long keys follow the runtime's own keys.
template <class Run>
int Info_get_nthkey(word info, int n, char* key) {
    int own_keys = 0;
    if (const int code = check_info<Run>(info, &own_keys); code != 0)
        return code;
    if (key != nullptr && n >= own_keys && get_info_key(key_of_info<Run>(info), n - own_keys, key))
        return 0;
    return original<Info_get_nthkey<Run>>(info, n, key);
}

/// Removes the long keys first, because another thread may get the freed handle.
template <class Run>
int Info_free(info_of<Run>* info) {
    if (info != nullptr && has_long_keys.load(std::memory_order_acquire))
        forget_info(*info);
    return original<Info_free<Run>>(info);
}

template <class Run>
int Info_dup(word info, info_of<Run>* copy) {
    const int code = original<Info_dup<Run>>(info, copy);
    if (code != 0 || copy == nullptr || long_keys_of<Run>(info) == 0)
        return code;
    if (note_info(*copy) && copy_info(key_of_info<Run>(info), *copy))
        return 0;
    Info_free<Run>(copy);
    return raise_if_running<Run>(Run::mpi_ERR_NO_MEM);
}

} // namespace with_long_keys

} // namespace anympi::emulate
