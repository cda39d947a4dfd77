#pragma once

namespace anympi::runtime {

/// Returns the value of a variable of the environment, or nullptr. An empty variable counts as unset, because shells
/// make it hard to distinguish the two. In a set-user-ID process (AT_SECURE) every variable counts as unset. All code
/// that decides what is loaded reads the environment with this function.
const char* read_variable(const char* name);

/// Returns true if a switch is set to a value other than "" and "0".
bool is_on(const char* name);

/// Returns true if a switch that is on by default is set to "off" or "0".
bool is_off(const char* name);

/// Returns the decimal number in a variable, or -1 if the value is not a decimal number.
int read_number(const char* name);

} // namespace anympi::runtime
