#pragma once

namespace anympi::runtime {

// The only door to the environment. In a set-user-ID process (AT_SECURE) it is shut: every variable reads as unset.
// An empty variable counts as unset, as shells make it hard to tell the two apart.
const char* setting(const char* name);

// A switch: set, and neither empty nor "0".
bool enabled(const char* name);

// A switch that is on by itself: set to "off" or "0".
bool is_off(const char* name);

// A variable that holds a decimal number and nothing else; -1 where it does not.
int number(const char* name);

} // namespace anympi::runtime
