#pragma once

#include "abi/abi.hpp"

#include <atomic>

namespace anympi::emulate {

// Infos that outlive the runtime. While it runs, the handles of those that it gave the program are noted; what is in
// them is read when it ends. Afterwards they are ours, under the handles that the program has, and so are new ones.
// All of these may be called by several threads.

/// The runtime gave the program an info. False: no memory.
[[nodiscard]] bool note_info(word handle);
/// Forgets a noted info. Returns false if it was not noted.
bool forget_info(word handle);

struct own_info;

/// Reads one that is noted: calls set_entry() for each of its keys.
using read_info = void(word handle, own_info& into);
void read_noted_infos(read_info* read);
bool set_entry(own_info& in, const char* key, const char* value);

/// These functions return false if there is no memory, no such info or no such key, unless their comment says
/// otherwise.
bool set_info_entry(word handle, const char* key, const char* value);
/// Does the same while the runtime runs, for an entry that the runtime does not take (long_keys.hpp).
bool keep_info_entry(word handle, const char* key, const char* value);
[[gnu::visibility("hidden")]] extern std::atomic<bool> has_long_keys;
bool copy_info(word from, word to);
bool delete_info_entry(word handle, const char* key);
/// Sets the length of a value, if the info has the key.
void find_info_length(word handle, const char* key, int* length, int* is_there);
/// Writes as much of a value as there is room for, and a terminating zero, which `most` does not count.
void find_info_value(word handle, const char* key, int most, char* value, int* is_there);
/// -1: there is no such info.
int count_info_keys(word handle);
/// Reads the n-th key. Returns false if the info has fewer keys.
bool get_info_key(word handle, int n, char* key);

} // namespace anympi::emulate
