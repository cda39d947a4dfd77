#pragma once

namespace anympi::runtime {

// Returns the value of a variable of the environment, or nullptr. An empty variable counts as unset, since shells make
// it hard to tell the two apart. In a set-user-ID process (AT_SECURE) every variable reads as unset. Everything that
// decides what is loaded reads the environment by this function.
const char* read_variable(const char* name);

// Returns true for a switch that is set, and neither empty nor "0".
bool is_on(const char* name);

// Returns true if a switch that is on by default is set to "off" or "0".
bool is_off(const char* name);

// Returns the decimal number that a variable holds, or -1 if it holds anything else.
int read_number(const char* name);

} // namespace anympi::runtime
