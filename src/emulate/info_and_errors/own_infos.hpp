#pragma once

#include "abi/abi.hpp"

#include <atomic>

namespace anympi::emulate {

// Infos that outlive the runtime. While the runtime runs, the handles of the infos that it gives to the program are
// noted, and their contents are read when it ends. After that, anympi implements the infos under the handles that the
// program has, and also new infos. All of these functions are thread-safe.

/// Notes an info that the runtime has given to the program. Returns false if memory is exhausted.
[[nodiscard]] bool note_info(word handle);
/// Forgets a noted info. Returns false if it was not noted.
bool forget_info(word handle);

struct own_info;

/// Reads one noted info: calls set_entry() for each of its keys.
using read_info = void(word handle, own_info& into);
void read_noted_infos(read_info* read);
bool set_entry(own_info& in, const char* key, const char* value);

/// The following functions return false if memory is exhausted, or if the info or the key does not exist, unless their
/// comment says otherwise.
bool set_info_entry(word handle, const char* key, const char* value);
/// Like set_info_entry, while the runtime runs, for a key that is too long for it (long_keys.hpp).
bool keep_info_entry(word handle, const char* key, const char* value);
[[gnu::visibility("hidden")]] extern std::atomic<bool> has_long_keys;
bool copy_info(word from, word to);
bool delete_info_entry(word handle, const char* key);
/// Sets the length of a value, if the info has the key.
void find_info_length(word handle, const char* key, int* length, int* is_there);
/// Copies at most `most` characters of a value, and a terminating zero, which `most` does not count.
void find_info_value(word handle, const char* key, int most, char* value, int* is_there);
/// Returns the number of keys, or -1 if there is no such info.
int count_info_keys(word handle);
/// Reads the n-th key. Returns false if the info has fewer keys.
bool get_info_key(word handle, int n, char* key);

} // namespace anympi::emulate
